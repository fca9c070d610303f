import fc from 'fast-check';
import { codes } from '../contract/values.ts';
import { xmlCall } from '../generators/calls.ts';
import { inSomeLanguage } from '../generators/wished-language.ts';
import { lineBreaks } from '../generators/text.ts';
import {
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
import type { Exchange } from '../trace/exchange.ts';
import { LeftOut, NotExercised } from '../targets/not-exercised.ts';
import { briefly, isRefused } from './kit/reply.ts';
import { check, property } from './kit/check.ts';
import { isSuccess } from './kit/life-cycle.ts';
import type { Trial } from './kit/trial.ts';
import {
  documentOf,
  isRefusedWithCode,
  isTaken,
  politely,
  takenSo,
  validationStatusOf,
  verifyDocument,
} from './kit/verification.ts';

/** Fails unless a document was refused with 4xx, code and message, or got a verdict other than VALIDATED. */
function isNotValidated(t: Trial, exchange: Exchange): void {
  if (!isSuccess(exchange)) isRefusedWithCode(t, exchange, '4xx');
  else
    t.holds(validationStatusOf(exchange) !== 'VALIDATED', {
      expected: 'another verdict than VALIDATED',
      actual: 'VALIDATED',
    });
}

const valid = 'verificacao.autorizada.xml';

/**
 * Sends a document in some language, and every other one as most integrators do, without asking for it to be verified anew: what is wrong
 * with it is told alike.
 */
async function verifySomehow(
  t: Trial,
  document: string | Buffer,
  isForced = Buffer.byteLength(document) % 2 === 0,
): Promise<Exchange> {
  const rawBody = Buffer.from(document);
  const call = inSomeLanguage({ ...xmlCall('', t.target.address.xmlContentType), rawBody });
  return isForced ? verifyDocument(t, await t.caller(), rawBody, call.headers) : t.send(await t.caller(), call);
}

const pool = 'documents';

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
    const written = (space: string): Promise<Exchange> => {
      const document = parts.map((part, at) => (places.includes(at) ? part.trimEnd() + space : part)).join('');
      return verifySomehow(t, document);
    };
    const exchange = await written(kind);
    // Between elements white space is signed by the issuer: to refuse what has another one is a matter of its business.
    if (!isSuccess(exchange) && !isSuccess(await written(' ')))
      throw new LeftOut('the document is refused with spaces in the same places, too');
    t.recall(exchange);
    isTaken(t, exchange, 'line breaks are removed for the signature only');
  },
  { examples: [{ kind: lineBreaks.crlf, places: [0, 1, 2] }], needs: ['verified-document'], mostPolitely: 3 },
);

check('nfe-verification.empty-body', 'an empty body gets 400 with code and message', async (t) => {
  const exchange = await verifySomehow(t, '');
  const isOfType = (answer: Exchange): boolean => answer.response?.status === 415;
  // Of no other type is it shown that documents are taken.
  if (isOfType(exchange) && isOfType(await verifySomehow(t, documentOf(t, valid))))
    throw new NotExercised(`no document of this type is taken: ${briefly(exchange)}`, 'settings');
  isRefusedWithCode(t, exchange, '400');
});

const largestBytes = 1_048_576;

check('nfe-verification.too-large', 'a body above 1 MB gets 400 with code and message', async (t) => {
  // Line breaks are bytes like any other, though no sign is computed over them.
  const sizes = [
    { bytes: largestBytes + 1, space: ' ' },
    { bytes: 3 * largestBytes, space: '\n' },
  ] as const;
  await t.each(sizes, async ({ bytes, space }) => {
    const document = padded(documentOf(t, valid), bytes, space);
    isRefusedWithCode(t, await verifySomehow(t, document), '400', `it was ${bytes} bytes long`);
  });
});

check('nfe-verification.too-large', 'bytes are counted, and not the characters that they are', async (t) => {
  const document = paddedWith(documentOf(t, valid), largestBytes, '€');
  const hint = `it was ${Buffer.byteLength(document)} bytes of ${document.length} characters`;
  isRefusedWithCode(t, await verifySomehow(t, document), '400', hint);
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
  isTaken(t, await verifySomehow(t, padded(documentOf(t, valid), 1_000_000)));
});

property(
  'nfe-verification.dtd-refused',
  'a document with a DTD of any kind gets 400 with code and message',
  fc.constantFrom(...dtds),
  async (t, { apply }) => {
    const document = documentOf(t, valid);
    isTaken(t, await verifySomehow(t, document));
    isRefusedWithCode(t, await verifySomehow(t, apply(document)), '400', 'the DTD was read');
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
  isRefusedWithCode(t, signedAlike(await verifySomehow(t, wide, true)), '400', 'the DTD was read, in UTF-16');
});

property(
  'nfe-verification.dtd-word-taken',
  'a document that only mentions a DTD is taken',
  fc.constantFrom(...dtdWords),
  async (t, { apply }) => {
    const exchange = await verifySomehow(t, apply(documentOf(t, valid)));
    isTaken(t, exchange, 'the word in a comment is taken for a DTD');
  },
  { examples: dtdWords, mostPolitely: 3 },
);

check('nfe-verification.encoding-refused', 'a document that declares an unknown encoding gets 400', async (t) => {
  const document = declaring(documentOf(t, valid), 'X-ENCODING-17');
  const quoted = [document, document.replace(/encoding="([^"]*)"/, "encoding='$1'")];
  await t.each(t.target.address.maxRps > 0 ? t.drawn(quoted, 1) : quoted, async (each) => {
    isRefusedWithCode(t, await verifySomehow(t, each, true), '400', 'the encoding does not exist');
  });
});

check('nfe-verification.encoding-refused', 'a document with bytes that are no UTF-8 gets 400', async (t) => {
  const document = Buffer.from(
    declaring(documentOf(t, valid), 'UTF-8').replace(/<\/natOp>/, '\u00C7</natOp>'),
    'latin1',
  );
  const exchange = signedAlike(await verifySomehow(t, document, false));
  isRefusedWithCode(t, exchange, '400', 'the bytes are no UTF-8');
});

property(
  'nfe-verification.malformed-refused',
  'what is not well-formed gets 4xx with code and message, or a verdict that is not VALIDATED',
  fc.constantFrom(...malformedXml),
  async (t, document) => isNotValidated(t, await verifySomehow(t, document)),
  { examples: malformedXml, mostPolitely: 4 },
);

property(
  'nfe-verification.without-chave',
  'a document without a chave is refused with code and message, or not VALIDATED',
  fc.constantFrom(...withoutChave),
  async (t, document) => {
    isNotValidated(t, await verifySomehow(t, document));
  },
  { examples: withoutChave, mostPolitely: 3 },
);

check(
  'nfe-verification.system-error',
  'a document that is hard to read is answered, or gets 500 with code and message',
  async (t) => {
    await t.each(politely(t, strainingXml, 4), async (document) => {
      const { response, error } = await verifySomehow(t, document);
      t.holds(response !== undefined, { expected: 'an answer', actual: error ?? 'none' });
    });
  },
);
