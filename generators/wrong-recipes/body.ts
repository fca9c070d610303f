import { readerEnds } from '../signed-bodies.ts';
import { bodyTextOf, md5, withOther, type RecipeFacts, type WrongRecipe } from './recipe.ts';

/** A recipe that makes something else of the body's text as it was sent. */
function overText(name: string, change: (bodyText: string) => string | Buffer): WrongRecipe {
  return withOther(name, (facts) => ({ body: change(bodyTextOf(facts)) }));
}

/** A recipe that makes something else of the body's text after CR and LF are gone. */
function overStripped(name: string, change: (bodyText: string) => string | Buffer): WrongRecipe {
  return withOther(name, ({ parts }) => ({ body: change(parts.body.toString('utf8')) }));
}

/** Line breaks kept, half removed or replaced. */
export const wrongLineBreaks: readonly WrongRecipe[] = [
  overText('over the body with its line breaks', (text) => text),
  overText('over the body without LF but with CR', (text) => text.replaceAll('\n', '')),
  overText('over the body without CR but with LF', (text) => text.replaceAll('\r', '')),
  overText('over the body without CRLF pairs but with single CR and LF', (text) => text.replaceAll('\r\n', '')),
  overText('over the body with CRLF turned into LF', (text) => text.replaceAll('\r\n', '\n')),
  overText('over the body with line breaks turned into spaces', (text) => text.replaceAll(/\r\n|\r|\n/g, ' ')),
  overText('over the body without the line breaks at its ends', (text) =>
    text.replaceAll(/^[\r\n]+|(?<![\r\n])[\r\n]+$/g, ''),
  ),
  overText('over the body without its first line break', (text) => text.replace(/\r\n|\r|\n/, '')),
];

/** More removed than CR and LF. */
export const wrongStripping: readonly WrongRecipe[] = [
  overStripped('over the body without any white space', (text) => text.replaceAll(/\s/g, '')),
  overStripped('over the body without its spaces', (text) => text.replaceAll(' ', '')),
  overStripped('over the body without its tabs', (text) => text.replaceAll('\t', '')),
  overStripped('over the trimmed body', (text) => text.trim()),
  overStripped('over the body with runs of spaces made one', (text) => text.replaceAll(/ {2,}/g, ' ')),
  overStripped('over the body without the Unicode line separators', (text) =>
    text.replaceAll(/[\u0085\u2028\u2029]/g, ''),
  ),
  overStripped('over the body without the escapes \\r and \\n', (text) => text.replaceAll(/\\[rn]/g, '')),
  overStripped('over the body without characters beyond ASCII', (text) => text.replaceAll(/[^\0-\x7f]/gu, '')),
];

/** Other encodings, and texts normalised on the way. */
export const wrongEncodings: readonly WrongRecipe[] = [
  overStripped('over the body in Latin-1', (text) => Buffer.from(text, 'latin1')),
  overStripped('over the body in Unicode form NFC', (text) => text.normalize('NFC')),
  overStripped('over the body in UTF-16', (text) => Buffer.from(text, 'utf16le')),
  overStripped('over the UTF-8 bytes of the body encoded as UTF-8 once more', (text) =>
    Buffer.from(Buffer.from(text, 'utf8').toString('latin1'), 'utf8'),
  ),
  overStripped('over the body in Unicode form NFD', (text) => text.normalize('NFD')),
  overStripped('over the body in Unicode form NFKC', (text) => text.normalize('NFKC')),
  overStripped('over the body with a byte order mark before it', (text) => `\uFEFF${text}`),
  overStripped('over the body with question marks for what is not ASCII', (text) =>
    text.replaceAll(/[^\0-\x7f]/gu, '?'),
  ),
  overStripped('over the percent-encoded body', (text) => encodeURIComponent(text)),
];

/** The JSON value written anew. */
export const wrongSerialisations: readonly WrongRecipe[] = [
  overText('over the body parsed and written compactly', (text) => JSON.stringify(JSON.parse(text))),
  overText('over the body parsed and written with sorted keys', (text) => JSON.stringify(sortKeys(JSON.parse(text)))),
  overText('over the body parsed and indented', (text) =>
    JSON.stringify(JSON.parse(text), undefined, 2).replaceAll('\n', ''),
  ),
  overText('over the body parsed and written with non-ASCII escaped', (text) =>
    JSON.stringify(JSON.parse(text)).replaceAll(/[^\0-\x7f]/g, (unit) => {
      return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    }),
  ),
  overText('over the body parsed and written with escaped slashes', (text) =>
    JSON.stringify(JSON.parse(text)).replaceAll('/', '\\/'),
  ),
];

/** Only a part or a trace of the body. */
export const wrongExtents: readonly WrongRecipe[] = [
  overStripped('without the body', () => ''),
  overStripped('over the first 1,024 characters of the body', (text) => text.slice(0, 1024)),
  overStripped('over the last 1,024 characters of the body', (text) => text.slice(-1024)),
  overStripped('over the MD5 of the body', (text) => md5(text)),
  overStripped('over the length of the body', (text) => String(text.length)),
];

/** What only some bodies show: a byte order mark that is dropped, and a reader that stops where buffers of many readers end. */
export const wrongOfSomeBodies: readonly WrongRecipe[] = [
  overStripped('over the body without its byte order mark', (text) => text.replace(/^\uFEFF/, '')),
  ...readerEnds.map((bytes) =>
    withOther(`over the first ${bytes} bytes of the body`, ({ parts }) => ({ body: parts.body.subarray(0, bytes) })),
  ),
];

/** Something in the place of a body that is not there. */
export const wrongPlaceholders: readonly WrongRecipe[] = [
  'null',
  '{}',
  '""',
  '[]',
  'undefined',
  ' ',
  '-',
  'd41d8cd98f00b204e9800998ecf8427e',
].map((placeholder) => withOther(`over ${placeholder} for a body`, () => ({ body: placeholder })));

const sentBytes = ({ call }: RecipeFacts): Buffer => call.rawBody ?? Buffer.alloc(0);

/** The multipart body signed after all. */
export const wrongMultipart: readonly WrongRecipe[] = [
  withOther('over the multipart body', (facts) => ({ body: sentBytes(facts) })),
  withOther('over the multipart body without CR and LF', (facts) => ({
    body: bodyTextOf(facts).replaceAll(/[\r\n]/g, ''),
  })),
  withOther('over the MD5 of the multipart body', (facts) => ({ body: md5(sentBytes(facts)) })),
  ...wrongPlaceholders,
];

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]): [string, unknown] => [key, sortKeys(inner)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
