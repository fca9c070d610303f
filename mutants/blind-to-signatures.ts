import fc from 'fast-check';
import { signedTree } from '../generators/nfe-documents.ts';
import { type SignatureBreakage, untrueSignatures, unusualSignatures } from '../generators/nfe/breakages.ts';
import { readTree, group, type XmlElement } from '../generators/nfe/xml-tree.ts';
import { member, onFirstUse } from '../schemas/values.ts';
import type { Reply } from '../simulator/http/reply.ts';
import type { Findings } from '../simulator/model.ts';
import { verdictRules } from '../simulator/rules/verdict.ts';
import { decodeXml } from '../simulator/verification/document.ts';
import { type EndpointChange, endpointMutants, endpointMutant, mutant, type Mutant } from './mutant.ts';
import { type KnownValues, remember, signatureMark } from './signature-marks.ts';

const { changed } = endpointMutants('nfe-verification');

const name = 'nfe-verification';
const clause = 'nfe-verification.signature-verified';

/** Looks at digests and at nothing else. */
const digestsOnly = ({ fault, ...findings }: Findings): Findings =>
  fault === undefined || !/^The invoice is not what was signed|^The digest in the protocol/.test(fault)
    ? findings
    : { ...findings, fault };

const blindToAllButDigests = mutant('nfe-verification.blind-to-all-but-digests', [clause], 'verdict', {
  record: (findings, ...rest) => verdictRules.record(digestsOnly(findings), ...rest),
  outcome: (findings, record) => verdictRules.outcome(digestsOnly(findings), record),
});

const verdict = (validation: object): Reply => ({ status: 200, body: { validation } });
const validated = verdict({ validationStatus: 'VALIDATED' });

/** A sound document, on which can be seen what a breakage looks like. */
const sample = onFirstUse((): XmlElement => fc.sample(signedTree(), { seed: 1, numRuns: 1 })[0] ?? group('NFe', []));

/** What a breakage looks like on any document. */
function markOf({ apply }: SignatureBreakage): string {
  const known: KnownValues = new Map();
  remember(known, sample());
  return signatureMark(apply(sample()), known);
}

/** The mark on a document; looked for once, since all of these mutants are sent the same. */
function markIn(text: string, known: KnownValues): string {
  const question = `${[...known].join(' ')} ${text}`;
  const tree = marks.has(question) ? undefined : readTree(text);
  const mark = marks.get(question) ?? (tree ? signatureMark(tree, known) : '');
  marks.set(question, mark);
  return mark;
}

const marks = new Map<string, string>();

/** Doesn't see some breakages, on whatever document they are, and sees all others. */
function blindly(breakages: readonly SignatureBreakage[]): EndpointChange {
  const known: KnownValues = new Map();
  const unseen = onFirstUse(() => new Set(breakages.map(markOf)));
  return async (request, context, answer) => {
    const reply = await answer(request, context);
    const text = decodeXml(request.rawBody) ?? '';
    if (member(reply.body, 'validation', 'validationStatus') !== 'VALIDATED')
      return unseen().has(markIn(text, known)) ? validated : reply;
    const tree = readTree(text);
    if (tree) remember(known, tree);
    return reply;
  };
}

function blindTo(breakage: SignatureBreakage): Mutant {
  const what = breakage.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const blind = endpointMutant(`nfe-verification.blind-when-${what}`, [clause], name, blindly([breakage]));
  // An example has it among others; drawn documents would hardly ever.
  return { ...blind, cases: 1 };
}

/** Takes signatures of unusual algorithms, certificates and forms. */
export const takingUnusualSignatures: EndpointChange = blindly(unusualSignatures);

/** Reads the first invoice of several, or the last. */
function readingOne(which: 'first' | 'last'): Mutant {
  return changed(`reads-the-${which}-invoice`, [clause], (request, context, answer) => {
    const [before = '', ...invoices] = request.rawBody.toString('utf8').split(/(?=<infNFe )/);
    const rest = invoices.at(-1)?.split('</infNFe>').at(-1) ?? '';
    const read = which === 'first' ? invoices[0] : invoices.at(-1);
    const [content = ''] = read?.split('</infNFe>') ?? [];
    const rawBody = Buffer.from(`${before}${content}</infNFe>${rest}`);
    return answer(invoices.length > 1 ? { ...request, rawBody } : request, context);
  });
}

const rejected = verdict({ validationStatus: 'REJECTED', reason: 'The invoice is not what was signed.' });

/** Spellings that a service may take for an alteration, by what shows them. */
const spellings: readonly (readonly [string, RegExp])[] = [
  ['bytes', /^\uFEFF/],
  ['around', /^(?:<\?xml[^>]*>)?<\?exemplo/],
  ['within', /<infNFe [^<>]*='/],
  ['markup', /&#x000/],
];

function misled(group: string, shows: RegExp): Mutant {
  return changed(`misled-${group}`, ['nfe-verification.sound-document-validated'], (request, context, answer) =>
    shows.test(request.rawBody.toString('utf8')) ? rejected : answer(request, context),
  );
}

/** Verifications that don't see a breakage, one for each, and such that see an alteration in a spelling. */
export const blindToSignaturesMutants: readonly Mutant[] = [
  ...untrueSignatures.map(blindTo),
  blindToAllButDigests,
  readingOne('first'),
  readingOne('last'),
  ...spellings.map(([group, shows]) => misled(group, shows)),
];
