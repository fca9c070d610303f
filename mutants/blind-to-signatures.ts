import type { Reply } from '../simulator/http/reply.ts';
import type { Findings } from '../simulator/model/findings.ts';
import { verdictRules } from '../simulator/rules/verdict.ts';
import { endpointMutant, mutant, type Mutant } from './mutant.ts';

/** What a service may not look at in a signature, by what is said of a document where it is wrong. */
const blindnesses: readonly (readonly [string, RegExp])[] = [
  ['a-part-missing', /^The \w+ (?:has no|lack) /],
  ['a-part-empty', /^The \w+ is empty\.$/],
  ['a-part-doubled', /^The (?!invoice|document)\w+ (?:has more than one|hold more) /],
  ['foreign-parts', /holds what the layout does not have\.$/],
  ['algorithms', /is not the one that the layout prescribes\.$/],
  ['base64', /is not in base64\.$/],
  ['absence', /^The invoice is not signed\.$/],
  ['two-signatures', /^The invoice has more than one Signature\.$/],
  ['reference', /^The signature is of something else/],
  ['two-ids', /^Another element has the Id/],
  ['value', /^The SignatureValue is not that/],
  ['no-certificate', /^The X509Certificate is no certificate/],
  ['foreign-certificate', /^The certificate is not of the issuer\.$/],
  ['expired-certificate', /^The certificate had expired/],
  ['foreign-protocol', /^The protocol is of another invoice\.$/],
  ['digest-in-protocol', /^The digest in the protocol/],
  ['two-protocols', /^The document has more than one protocol\.$/],
  // Looks at digests and at nothing else.
  ['all-but-digests', /^(?!The invoice is not what was signed|The digest in the protocol)/],
];

function blindTo(what: string, reasons: RegExp): Mutant {
  const seen = ({ fault, ...findings }: Findings): Findings =>
    fault === undefined || reasons.test(fault) ? findings : { ...findings, fault };
  return mutant(`nfe-verification.blind-to-${what}`, ['nfe-verification.signature-verified'], 'verdict', {
    record: (findings, ...rest) => verdictRules.record(seen(findings), ...rest),
    outcome: (findings, record) => verdictRules.outcome(seen(findings), record),
  });
}

/** Reads the first invoice of several, or the last. */
function readingOne(which: 'first' | 'last'): Mutant {
  return endpointMutant(
    `nfe-verification.reads-the-${which}-invoice`,
    ['nfe-verification.signature-verified'],
    'nfe-verification',
    (request, context, answer) => {
      const [before = '', ...invoices] = request.rawBody.toString('utf8').split(/(?=<infNFe )/);
      const rest = invoices.at(-1)?.split('</infNFe>').at(-1) ?? '';
      const read = which === 'first' ? invoices[0] : invoices.at(-1);
      const [content = ''] = read?.split('</infNFe>') ?? [];
      const rawBody = Buffer.from(`${before}${content}</infNFe>${rest}`);
      return answer(invoices.length > 1 ? { ...request, rawBody } : request, context);
    },
  );
}

/** Finds the invoice within whatever stands around it. */
const readingAnywhere = endpointMutant(
  'nfe-verification.reads-the-invoice-anywhere',
  ['nfe-verification.signature-verified'],
  'nfe-verification',
  (request, context, answer) => {
    const text = request.rawBody.toString('utf8');
    const [start, end] = [text.search(/<(?:\w+:)?infNFe /), text.search(/<\/(?:\w+:)?infNFe>/)];
    const closing = text.indexOf('>', end) + 1;
    const opening = text.lastIndexOf('<', start - 1);
    const [, name] = /^<([\w:]+)/.exec(text.slice(opening, start)) ?? [];
    if (start < 0 || end < 0 || !text.startsWith(`</${name}>`, closing)) return answer(request, context);
    const outside = [text.slice(0, opening), text.slice(closing + `</${name}>`.length)];
    return answer({ ...request, rawBody: Buffer.from(outside.join(text.slice(start, closing))) }, context);
  },
);

const rejected: Reply = {
  status: 200,
  body: { validation: { validationStatus: 'REJECTED', reason: 'The invoice is not what was signed.' } },
};

/** Spellings that a service may take for an alteration, by what shows them. */
const spellings: readonly (readonly [string, RegExp])[] = [
  ['bytes', /^\uFEFF/],
  ['around', /^(?:<\?xml[^>]*>)?<\?exemplo/],
  ['within', /<infNFe [^<>]*='/],
  ['markup', /&#x000/],
];

function misled(group: string, shows: RegExp): Mutant {
  return endpointMutant(
    `nfe-verification.misled-${group}`,
    ['nfe-verification.sound-document-validated'],
    'nfe-verification',
    (request, context, answer) => (shows.test(request.rawBody.toString('utf8')) ? rejected : answer(request, context)),
  );
}

/** Verifications that don't look at a part of the signature, and such that see an alteration in a spelling. */
export const blindToSignaturesMutants: readonly Mutant[] = [
  ...blindnesses.map(([what, reasons]) => blindTo(what, reasons)),
  readingOne('first'),
  readingOne('last'),
  readingAnywhere,
  ...spellings.map(([group, shows]) => misled(group, shows)),
];
