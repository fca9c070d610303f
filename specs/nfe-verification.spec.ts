import fc from 'fast-check';
import { codes, verdictStates } from '../contract/values.ts';
import { xmlCall } from '../generators/calls.ts';
import { wishedInTurn } from '../generators/wished-language.ts';
import { lineBreaks } from '../generators/text.ts';
import {
  authorisedNfe,
  bareNfe,
  brokenNfe,
  looseNfe,
  type BrokenNfe,
  alterations,
  declaring,
  dtds,
  dtdWords,
  malformedXml,
  padded,
  paddedWith,
  strainingXml,
  withDtd,
  withoutChave,
} from '../generators/nfe-documents.ts';
import { forgery, signatureBreakages, type SignatureBreakage } from '../generators/nfe/breakages.ts';
import { legalSpellings, type LegalSpelling, plainly } from '../generators/nfe/spelling.ts';
import { readTree, found as foundIn, type XmlElement } from '../generators/nfe/xml-tree.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { Caller } from '../targets/applications.ts';
import { LeftOut, NotExercised } from '../targets/not-exercised.ts';
import { bodyRefused, isRefused, summary } from './kit/reply.ts';
import { check, property } from './kit/check.ts';
import { isSuccess } from './kit/life-cycle.ts';
import type { Trial } from './kit/trial.ts';
import {
  documentOf,
  type Headers,
  isRefusedWithCode,
  isTaken,
  takenSo,
  validationStatusOf,
  verifyDocument,
} from './kit/verification.ts';

/** Fails unless a document was refused with 4xx, code and message, or got a verdict other than VALIDATED. */
function isNotValidated(t: Trial, exchange: Exchange): void {
  if (!isSuccess(exchange)) isRefusedWithCode(t, exchange, '4xx');
  else t.holds(validationStatusOf(exchange) !== 'VALIDATED', { expected: 'anything else', actual: 'VALIDATED' });
}

const valid = 'verificacao.autorizada.xml';
const rejected = 'verificacao.rejeitada.xml';

const pool = 'documents';

/** Has the valid document verified; the profile's may not suit a target. */
async function verifies(t: Trial): Promise<void> {
  const exchange = await verifyDocument(t, await t.caller(), documentOf(t, valid));
  if (!isSuccess(exchange)) throw bodyRefused(`the profile's ${valid}`, exchange);
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
  'nfe-verification.sound-document-validated',
  'the sound document of the profile is VALIDATED',
  async (t) => {
    const found = validationStatusOf(await verifyDocument(t, await t.caller(), documentOf(t, valid)));
    t.holds(found === 'VALIDATED', { expected: 'VALIDATED', actual: JSON.stringify(found) ?? 'no verdict' });
  },
  { pool },
);

check('nfe-verification.rejection-is-200', 'the rejected document of the profile gets 200 and REJECTED', async (t) => {
  const exchange = await verifyDocument(t, await t.caller(), documentOf(t, rejected));
  t.holds(exchange.response?.status === 200 && validationStatusOf(exchange) === 'REJECTED', {
    expected: '200, validationStatus REJECTED',
    actual: `${summary(exchange)}, validationStatus ${JSON.stringify(validationStatusOf(exchange))}`,
    hint: 'a rejection is no HTTP error: the verdict is read from the body',
  });
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
    t.holds(validationStatusOf(exchange) !== 'VALIDATED', { expected: 'anything else', actual: 'VALIDATED' });
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
      const found = validationStatusOf(exchange);
      t.holds(found === 'VALIDATED', { expected: 'VALIDATED', actual: JSON.stringify(found) ?? 'no verdict', hint });
    });
  },
);

check(
  'nfe-verification.signature-verified',
  'a document is not VALIDATED whatever is wrong with its signature',
  async (t) => {
    const { caller, tree } = await soundDocument(t);
    // Without one, what refers to a signature is wrong with nothing.
    if (!foundIn(tree, 'Signature')) throw new NotExercised(`the profile's ${valid} is not signed`, 'settings');
    const tried = brokenWritings(tree, politely(t, signatureBreakages, 20));
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
  },
);

property(
  'nfe-verification.signature-verified',
  'a generated document that is on record is not VALIDATED whatever is wrong with its signature',
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
  t.holds(status !== 'VALIDATED', { expected: 'anything else', actual: 'VALIDATED' });
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

/** Where manners are asked for, so many of the cases: the first ones, and as many of the others, which another seed has others of. */
function politely<T>(t: Trial, cases: readonly T[], most: number): readonly T[] {
  const first = cases.slice(0, most / 2);
  return t.target.address.maxRps > 0 ? [...first, ...t.drawn(cases.slice(first.length), most / 2)] : cases;
}

/** The layout forbids white space between elements; how bytes that are no UTF-8 are signed is open. */
function isFree({ name, group }: LegalSpelling): boolean {
  return group !== 'beside' && name !== 'in Latin-1';
}

const longestList = 10;

function shortened(names: readonly string[]): string {
  const more = names.length - longestList;
  return [...names.slice(0, longestList), ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

property(
  'nfe-verification.sent-unchanged',
  'a document with other line breaks is taken as it is sent',
  fc.record({
    kind: fc.constantFrom(...Object.values(lineBreaks)),
    places: fc.uniqueArray(fc.nat({ max: 40 }), { minLength: 1, maxLength: 6 }),
  }),
  async (t, { kind, places }) => {
    // In place of the space before an attribute, too, but for those of the XML declaration.
    const parts = documentOf(t, valid).split(
      /(?<=>)(?=<(?!\/))|(?<= )(?=(?!version|encoding|standalone)[\w:]{1,40}=")/,
    );
    const document = parts.map((part, at) => (places.includes(at) ? part.trimEnd() + kind : part)).join('');
    isTaken(t, await verifyDocument(t, await t.caller(), document), 'line breaks are removed for the signature only');
  },
  { examples: [{ kind: lineBreaks.crlf, places: [0, 1, 2] }], needs: ['verified-document'], mostPolitely: 3 },
);

check('nfe-verification.empty-body', 'an empty body gets 400 with code and message', async (t) => {
  isRefusedWithCode(t, await verifyDocument(t, await t.caller(), ''), '400');
});

const largestBytes = 1_048_576;

check('nfe-verification.too-large', 'a body above 1 MB gets 400 with code and message', async (t) => {
  const caller = await t.caller();
  await t.each([largestBytes + 1, 3 * largestBytes], async (bytes) => {
    const document = padded(documentOf(t, valid), bytes);
    isRefusedWithCode(t, await verifyDocument(t, caller, document), '400', `it was ${bytes} bytes long`);
  });
});

check('nfe-verification.too-large', 'bytes are counted, and not the characters that they are', async (t) => {
  const document = paddedWith(documentOf(t, valid), largestBytes, '€');
  const hint = `it was ${Buffer.byteLength(document)} bytes of ${document.length} characters`;
  isRefusedWithCode(t, await verifyDocument(t, await t.caller(), document), '400', hint);
});

check(
  'nfe-verification.too-large',
  'a body above 1 MB that comes in chunks gets 400 with code and message',
  async (t) => {
    const exchange = await inChunks(t, padded(documentOf(t, valid), largestBytes + 1));
    isRefusedWithCode(t, exchange, '400', 'its length did not stand before it');
  },
);

check('nfe-verification.one-megabyte', 'a body of 1,000,000 bytes is taken', async (t) => {
  isTaken(t, await verifyDocument(t, await t.caller(), padded(documentOf(t, valid), 1_000_000)));
});

property(
  'nfe-verification.dtd-refused',
  'a document with a DTD of any kind gets 400 with code and message',
  fc.constantFrom(...dtds),
  async (t, { apply }) => {
    const caller = await t.caller();
    const document = documentOf(t, valid);
    isTaken(t, await verifyDocument(t, caller, document));
    isRefusedWithCode(t, await verifyDocument(t, caller, apply(document)), '400', 'the DTD was read');
  },
  { examples: dtds, mostPolitely: 8, pool },
);

/** What was answered to a document in chunks; throws a LeftOut where none is taken so. */
async function inChunks(t: Trial, document: string): Promise<Exchange> {
  const call = xmlCall(document, t.target.address.xmlContentType);
  return takenSo(await t.send(await t.caller(), { ...call, transfer: 'chunked' }), 'chunked');
}

/** Throws a NotExercised where an answer tells that bytes which are no UTF-8 are signed otherwise. */
function signedAlike(exchange: Exchange): Exchange {
  if (!isRefused(exchange, codes.signMismatch)) return exchange;
  throw new NotExercised('how bytes that are no UTF-8 are signed is open: the target signs them otherwise');
}

check('nfe-verification.dtd-refused', 'a DTD gets 400 in UTF-16 and in chunks, too', async (t) => {
  const document = withDtd(documentOf(t, valid)).trim();
  isRefusedWithCode(t, await inChunks(t, document), '400', 'the DTD was read, in chunks');
  const wide = Buffer.from(`\uFEFF${declaring(document, 'UTF-16')}`, 'utf16le');
  isRefusedWithCode(
    t,
    signedAlike(await verifyDocument(t, await t.caller(), wide)),
    '400',
    'the DTD was read, in UTF-16',
  );
});

property(
  'nfe-verification.dtd-word-taken',
  'a document that only mentions a DTD is taken',
  fc.constantFrom(...dtdWords),
  async (t, { apply }) => {
    const exchange = await verifyDocument(t, await t.caller(), apply(documentOf(t, valid)));
    isTaken(t, exchange, 'the word in a comment is taken for a DTD');
  },
  { examples: dtdWords, mostPolitely: 3 },
);

check('nfe-verification.encoding-refused', 'a document that declares an unknown encoding gets 400', async (t) => {
  const document = declaring(documentOf(t, valid), 'X-ENCODING-17');
  const quoted = [document, document.replace(/encoding="([^"]*)"/, "encoding='$1'")];
  await t.each(t.target.address.maxRps > 0 ? t.drawn(quoted, 1) : quoted, async (each) => {
    isRefusedWithCode(t, await verifyDocument(t, await t.caller(), each), '400', 'the encoding does not exist');
  });
});

check('nfe-verification.encoding-refused', 'a document with bytes that are no UTF-8 gets 400', async (t) => {
  const document = Buffer.from(
    declaring(documentOf(t, valid), 'UTF-8').replace(/<\/natOp>/, '\u00C7</natOp>'),
    'latin1',
  );
  const exchange = signedAlike(await verifyDocument(t, await t.caller(), document));
  isRefusedWithCode(t, exchange, '400', 'the bytes are no UTF-8');
});

property(
  'nfe-verification.malformed-refused',
  'what is not well-formed gets 4xx with code and message, or a verdict that is not VALIDATED',
  fc.constantFrom(...malformedXml),
  async (t, document) => isNotValidated(t, await verifyDocument(t, await t.caller(), document)),
  { examples: malformedXml, mostPolitely: 3 },
);

property(
  'nfe-verification.without-chave',
  'a document without a chave is refused with code and message, or not VALIDATED',
  fc.constantFrom(...withoutChave),
  async (t, document) => {
    isNotValidated(t, await verifyDocument(t, await t.caller(), document));
  },
  { examples: withoutChave, mostPolitely: 3 },
);

check(
  'nfe-verification.system-error',
  'a document that is hard to read is answered, or gets 500 with code and message',
  async (t) => {
    const caller = await t.caller();
    await t.each(politely(t, strainingXml, 4), async (document) => {
      const { response, error } = await verifyDocument(t, caller, document);
      t.holds(response !== undefined, { expected: 'an answer', actual: error ?? 'none' });
    });
  },
);
