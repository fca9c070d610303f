import fc from 'fast-check';
import { isOfMoment } from '../judge/answers.ts';
import { verdictStates } from '../contract/values.ts';
import { xmlCall } from '../generators/calls.ts';
import { wishedInTurn } from '../generators/wished-language.ts';
import {
  authorisedNfe,
  bareNfe,
  brokenNfe,
  looseNfe,
  type BrokenNfe,
  alterations,
} from '../generators/nfe-documents.ts';
import { forgery, type SignatureBreakage, untrueSignatures } from '../generators/nfe/breakages.ts';
import { legalSpellings, type LegalSpelling, plainly } from '../generators/nfe/spelling.ts';
import { readTree, found as foundIn, type XmlElement } from '../generators/nfe/xml-tree.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { Caller } from '../targets/applications.ts';
import { LeftOut, NotExercised } from '../targets/not-exercised.ts';
import { bodyRefused, briefly, summary } from './kit/reply.ts';
import { check, property } from './kit/check.ts';
import { isSuccess } from './kit/life-cycle.ts';
import { ownVerification } from './kit/own-verification.ts';
import type { Trial } from './kit/trial.ts';
import {
  conclusionOf,
  documentOf,
  type Headers,
  isNotFound,
  isRefusedWithCode,
  politely,
  toldVerdict,
  validationStatusOf,
  verifyDocument,
} from './kit/verification.ts';

const valid = 'verificacao.autorizada.xml';
const rejected = 'verificacao.rejeitada.xml';

const pool = 'documents';

/** Has the valid document verified, and once more, now that its verdict is known; the profile's may not suit a target. */
async function verifies(t: Trial): Promise<void> {
  const caller = await t.caller();
  const document = documentOf(t, valid);
  const exchange = await verifyDocument(t, caller, document);
  if (!isSuccess(exchange)) throw bodyRefused(`the profile's ${valid}`, exchange);
  await t.send(caller, xmlCall(document, t.target.address.xmlContentType));
}

check('nfe-verification.bare', 'the answer to a verification has no platform envelope', verifies, { pool });

check('nfe-verification.validation-status', 'the answer has `validation.validationStatus`', verifies, { pool });

// The contract says of no document but the profile's that it gets a verdict: a service that holds to the layout to the
// letter (no prefixes, no CDATA, a protocol) refuses some of these.
property(
  'nfe-verification.validation-status',
  'a generated document gets a verdict, however it is written',
  fc.oneof(authorisedNfe(), bareNfe(), looseNfe()),
  async (t, { rawBody }) => {
    // The states are words of the contract, in whatever language messages are.
    const exchange = await verifyDocument(t, await t.caller(), rawBody, [['Accept-Language', 'en']]);
    if (!isSuccess(exchange)) return isRefusedWithCode(t, exchange, '4xx');
    const found = validationStatusOf(exchange);
    t.holds(
      verdictStates.some((state) => state === found),
      { expected: verdictStates.join(', '), actual: JSON.stringify(found) ?? summary(exchange) },
    );
  },
  { needs: ['chosen-application'], mostPolitely: 5 },
);

check(
  'nfe-verification.validation-status',
  'the document of an own invoice gets a verdict, whichever',
  async (t) => {
    const { exchange } = await ownVerification(t);
    // Whether an authority knows what its own service issues to test is not shown.
    if (isNotFound(exchange)) throw new NotExercised(`the document was refused: ${briefly(exchange)}`);
    t.holds(isSuccess(exchange), { expected: '200 with a verdict on an own invoice', actual: summary(exchange) });
  },
  { isOtherWay: true },
);

check(
  'nfe-verification.sound-document-validated',
  'the sound document of the profile is VALIDATED',
  async (t) => {
    const found = conclusionOf(t, await verifyDocument(t, await t.caller(), documentOf(t, valid)));
    t.holds(found === 'VALIDATED', { expected: 'VALIDATED', actual: JSON.stringify(found) ?? 'no verdict' });
  },
  { pool },
);

check('nfe-verification.rejection-is-200', 'the rejected document of the profile gets 200 and REJECTED', async (t) => {
  const [caller, document] = [await t.caller(), documentOf(t, rejected)];
  const anew = await verifyDocument(t, caller, document);
  const again = await t.send(caller, xmlCall(document, t.target.address.xmlContentType));
  for (const exchange of [anew, again]) {
    if (isOfMoment(exchange.response?.status ?? 0)) throw new LeftOut(`it is under way: ${briefly(exchange)}`);
    t.holds(exchange.response?.status === 200 && conclusionOf(t, exchange) === 'REJECTED', {
      expected: '200, validationStatus REJECTED',
      actual: toldVerdict(exchange),
      hint: 'a rejection is no HTTP error: the verdict is read from the body',
    });
  }
});

check('nfe-verification.altered-not-validated', 'a document with one letter changed is not VALIDATED', async (t) => {
  const caller = await t.caller();
  const document = documentOf(t, valid);
  const [changed, ...otherwise] = alterations(document);
  if (changed === undefined)
    throw new NotExercised(`the profile's ${valid} has no name that could be altered`, 'settings');
  const sound = validationStatusOf(await verifyDocument(t, caller, document));
  if (sound !== 'VALIDATED') throw new NotExercised(`the profile's ${valid} is not VALIDATED itself`, 'settings');
  // Once from memory, where a target has one, and once anew.
  const remembered = await t.send(caller, xmlCall(changed, t.target.address.xmlContentType));
  const anew: Exchange[] = [];
  for (const each of [changed, ...otherwise]) anew.push(await verifyDocument(t, caller, each));
  for (const exchange of [remembered, ...anew])
    t.holds(validationStatusOf(exchange) !== 'VALIDATED', {
      expected: 'another verdict than VALIDATED',
      actual: 'VALIDATED',
    });
});

check(
  'nfe-verification.sound-document-validated',
  'the sound document of the profile is VALIDATED however it is written, or refused with 4xx',
  async (t) => {
    const { caller, tree } = await soundDocument(t);
    const spellings = politely(t, legalSpellings.filter(isFree), 4);
    await t.each([...spellings.entries()], async ([at, { name, write }]) => {
      const exchange = await verifyDocument(t, caller, write(tree), languageInTurn(at));
      const hint = `it was written ${name}`;
      if (!isSuccess(exchange)) return isRefusedWithCode(t, exchange, '4xx', hint);
      const found = conclusionOf(t, exchange);
      t.holds(found === 'VALIDATED', { expected: 'VALIDATED', actual: JSON.stringify(found) ?? 'no verdict', hint });
    });
  },
);

check('nfe-verification.signature-verified', 'a document is not VALIDATED whose signature does not hold', async (t) => {
  const { caller, tree } = await soundDocument(t);
  // Without one, what refers to a signature is wrong with nothing.
  if (!foundIn(tree, 'Signature')) throw new NotExercised(`the profile's ${valid} is not signed`, 'settings');
  const tried = brokenWritings(tree, politely(t, untrueSignatures, 20));
  const taken: { readonly name: string; readonly exchange: Exchange }[] = [];
  for (const [at, { name, text }] of tried.entries()) {
    const exchange = await verifyDocument(t, caller, text, languageInTurn(at));
    if (validationStatusOf(exchange) === 'VALIDATED') taken.push({ name, exchange });
  }
  const [first] = taken;
  // So that it is seen, whatever was sent behind it.
  if (first) t.recall(first.exchange);
  t.holds(first === undefined, {
    expected: 'none of them VALIDATED',
    actual: `${taken.length} of ${tried.length} VALIDATED, such as one where ${first?.name}`,
    hint: shortened(taken.map(({ name }) => name)),
  });
});

property(
  'nfe-verification.signature-verified',
  'a generated document that is on record is not VALIDATED where its signature does not hold',
  brokenNfe(),
  isTold,
  { needs: ['chosen-application'], most: 20, mostPolitely: 6 },
);

property(
  'nfe-verification.signature-verified',
  'a forged document whose digests fit is not VALIDATED',
  brokenNfe([forgery]),
  isTold,
  { needs: ['chosen-application'], most: 3 },
);

/** Fails where a broken document is VALIDATED; a LeftOut where its sound twin is not, though it is on record. */
async function isTold(t: Trial, { broken, sound }: BrokenNfe): Promise<void> {
  const caller = await t.caller();
  // Without the digest that was signed: that would tell of some.
  await t.target.putInvoice(sound.chave, { status: 'Autorizada' });
  const found = validationStatusOf(await verifyDocument(t, caller, sound.rawBody));
  if (found !== 'VALIDATED') throw new LeftOut('the document is not VALIDATED when nothing is wrong with it');
  const status = validationStatusOf(await verifyDocument(t, caller, broken.rawBody));
  t.holds(status !== 'VALIDATED', { expected: 'another verdict than VALIDATED', actual: 'VALIDATED' });
}

/** Asks for each language in turn: a verdict is told in the words of the contract, whatever messages are in. */
function languageInTurn(at: number): Headers {
  const wish = wishedInTurn(at + 1);
  return wish ? [wish] : [];
}

/** The sound document of the profile as a tree; a NotExercised where the target does not take that for the same. */
async function soundDocument(t: Trial): Promise<{ readonly caller: Caller; readonly tree: XmlElement }> {
  const caller = await t.caller();
  const tree = readTree(documentOf(t, valid));
  if (!tree) throw new NotExercised(`the profile's ${valid} is not well-formed`, 'settings');
  const sound = validationStatusOf(await verifyDocument(t, caller, plainly(tree)));
  if (sound !== 'VALIDATED') throw new NotExercised(`the profile's ${valid} is not VALIDATED itself`, 'settings');
  return { caller, tree };
}

/** The document in each of these ways broken that change it; made once, since many of them have to be signed. */
function brokenWritings(tree: XmlElement, breakages: readonly SignatureBreakage[]): readonly Broken[] {
  const sound = plainly(tree);
  const known = brokenBySound.get(sound) ?? new Map<string, string>();
  brokenBySound.set(sound, known);
  return breakages.flatMap(({ name, apply }) => {
    const text = known.get(name) ?? plainly(apply(tree));
    known.set(name, text);
    return text === sound ? [] : [{ name, text }];
  });
}

interface Broken {
  readonly name: string;
  readonly text: string;
}

/** By the sound document, by the name of what is wrong: many runs in one process, as of mutants, ask for the same. */
const brokenBySound = new Map<string, Map<string, string>>();

/** The layout forbids white space between elements and around them; how bytes that are no UTF-8 are signed is open. */
function isFree({ name, group }: LegalSpelling): boolean {
  return group !== 'beside' && name !== 'in Latin-1';
}

const longestList = 10;

function shortened(names: readonly string[]): string {
  const more = names.length - longestList;
  return [...names.slice(0, longestList), ...(more > 0 ? [`${more} more`] : [])].join('; ');
}
