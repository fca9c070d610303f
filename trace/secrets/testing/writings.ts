import fc from 'fast-check';

/** A way in which a text gets into another text. */
export interface Writing {
  readonly name: string;
  readonly write: (text: string) => string;
}

const bytes = (text: string): Buffer => Buffer.from(text, isBytes(text) ? 'latin1' : 'utf8');
const each = (text: string, write: (unit: string) => string): string => text.replaceAll(/[\s\S]/g, write);
const escapedOdd = (text: string, write: (unit: string) => string): string => text.replaceAll(/[^A-Za-z0-9]/g, write);
const unit = (character: string, digits: number): string => character.charCodeAt(0).toString(16).padStart(digits, '0');
const json = (text: string): string => JSON.stringify(text).slice(1, -1);

function isBytes(text: string): boolean {
  return !/[^\0-\xff]/.test(text);
}

function broken(text: string, length: number, by: string): string {
  const pieces = Math.ceil(text.length / length);
  return Array.from({ length: pieces }, (_, index) => text.slice(index * length, (index + 1) * length)).join(by);
}

/** Everyday ways to write a text into another, as JSON, XML, HTML, URLs, program sources and mails do. */
export const writings: readonly Writing[] = [
  { name: 'JSON', write: json },
  { name: 'JSON as PHP writes it', write: (text) => json(text).replaceAll('/', '\\/') },
  { name: 'JSON as .NET writes it', write: (text) => escapedOdd(text, (one) => `\\u${unit(one, 4).toUpperCase()}`) },
  { name: 'JSON with every character escaped', write: (text) => each(text, (one) => `\\u${unit(one, 4)}`) },
  { name: 'JavaScript with braces', write: (text) => each(text, (one) => `\\u{${unit(one, 1)}}`) },
  {
    name: '\\x of the odd bytes',
    write: (text) => escapedOdd(bytes(text).toString('latin1'), (one) => `\\x${unit(one, 2)}`),
  },
  { name: '\\x of all bytes', write: (text) => each(bytes(text).toString('latin1'), (one) => `\\x${unit(one, 2)}`) },
  {
    name: 'octal',
    write: (text) =>
      each(bytes(text).toString('latin1'), (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`),
  },
  {
    name: 'XML',
    write: (text) =>
      text
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
        .replaceAll("'", '&apos;'),
  },
  { name: 'decimal references', write: (text) => each(text, (one) => `&#${one.charCodeAt(0)};`) },
  { name: 'hexadecimal references', write: (text) => escapedOdd(text, (one) => `&#x${unit(one, 2).toUpperCase()};`) },
  {
    name: 'HTML with names',
    write: (text) =>
      text
        .replaceAll('&', '&amp;')
        .replaceAll('/', '&sol;')
        .replaceAll('+', '&plus;')
        .replaceAll('=', '&equals;')
        .replaceAll('_', '&lowbar;'),
  },
  { name: 'a URL', write: (text) => encodeURIComponent(text.toWellFormed()) },
  {
    name: 'a URL in small letters',
    write: (text) => encodeURIComponent(text.toWellFormed()).replaceAll(/%../g, (one) => one.toLowerCase()),
  },
  { name: 'percents throughout', write: (text) => each(bytes(text).toString('latin1'), (one) => `%${unit(one, 2)}`) },
  { name: 'a JSON pointer', write: (text) => text.replaceAll('~', '~0').replaceAll('/', '~1') },
  { name: 'base64', write: (text) => bytes(text).toString('base64') },
  { name: 'base64url', write: (text) => bytes(text).toString('base64url') },
  {
    name: 'base64 behind a user name',
    write: (text) => Buffer.concat([Buffer.from('ab:'), bytes(text)]).toString('base64'),
  },
  { name: 'base64 in lines', write: (text) => broken(bytes(`key=${text}`).toString('base64'), 20, '\r\n') },
  { name: 'hexadecimal', write: (text) => bytes(text).toString('hex') },
  { name: 'hexadecimal in capitals', write: (text) => bytes(text).toString('hex').toUpperCase() },
  { name: 'hexadecimal with colons', write: (text) => broken(bytes(text).toString('hex'), 2, ':') },
  { name: 'a dump in hexadecimal', write: (text) => broken(broken(bytes(text).toString('hex'), 2, ' '), 48, '\n') },
  { name: 'a list of bytes', write: (text) => JSON.stringify([...bytes(text)]) },
  { name: 'a list of bytes in lines', write: (text) => JSON.stringify([...bytes(text)], undefined, 1) },
  { name: 'UTF-16', write: (text) => Buffer.from(text, 'utf16le').toString('latin1') },
  { name: 'UTF-16, big end first', write: (text) => Buffer.from(text, 'utf16le').swap16().toString('latin1') },
  { name: 'lines', write: (text) => broken(text, 5, '\r\n') },
  { name: 'lines that are indented', write: (text) => broken(text, 7, '\n    ') },
  { name: 'quotes', write: (text) => broken(text, 6, '" + "') },
  { name: 'lines of a program', write: (text) => broken(text, 9, "'\n  + '") },
];

/** A secret as services make them: hexadecimal, base64 with slashes and pluses, or letters, digits and what a URL bears. */
export const tokens: fc.Arbitrary<string> = fc
  .oneof(
    textOf('0123456789abcdef'),
    textOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'),
    textOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~'),
  )
  .filter(isMixed);

/** A secret of any kind: such a token, any visible ASCII, or Unicode. */
export const secrets: fc.Arbitrary<string> = fc
  .oneof(
    tokens,
    tokens,
    // Where half of the characters look like escapes, fewer than eight may be left without them.
    textOf('abcXYZ019+/=&%<>"\'\\~!#$(){}[]|;:,.?@^_-`*', 16),
    textOf('abcXYZ019áçãéíñüßżłДжшя日本語✓€'),
  )
  .filter(isMixed);

function isMixed(secret: string): boolean {
  return new Set(secret).size >= 5;
}

function textOf(alphabet: string, minLength = 8): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom(...Array.from(alphabet)), { minLength, maxLength: 200 })
    .map((characters) => characters.join('').slice(0, 200));
}
