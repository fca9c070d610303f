import fc from 'fast-check';

const surrogates = 0x800;

const mostBytes = 8000;

/**
 * Messages to echo: any Unicode scalar values, with many line breaks, quotes, backslashes, escapes, control, combining and
 * astral characters and outer spaces. At least one character is visible, most are short, a few near 8 kB in UTF-8.
 */
export function echoMessage(): fc.Arbitrary<string> {
  return sized(piecesOf(jsonTrap, lineBreak(), control, combining, astral, oddity, word, scalar).map(withVisible));
}

/**
 * Raw text bodies, never empty: line breaks of all kinds, alone, mixed and in a row, tabs, trailing spaces, and byte order
 * marks, but not as the first character, where a reader may take one away. Up to 8 kB in UTF-8.
 */
export function bodyText(): fc.Arbitrary<string> {
  const onlyBreaks = fc.array(lineBreak(), { minLength: 1, maxLength: 6 }).map((breaks) => breaks.join(''));
  const line = piecesOf(lineBreak(), blank, word, jsonTrap, combining, astral, oddity, scalar);
  return fc.oneof({ arbitrary: sized(line), weight: 9 }, { arbitrary: onlyBreaks, weight: 1 }).map((text) => {
    return text.replace(/^\uFEFF+/, '') || '\n';
  });
}

/**
 * Texts that come back as they were given, of at most so many characters: from all planes, each with a character beyond the
 * first one, with quotes, backslashes and combining characters. None is empty or has white space around it, and none has what a database may have no place for: controls, noncharacters.
 */
export function keptText(mostCharacters: number): fc.Arbitrary<string> {
  const beyond = fc.integer({ min: 0x10000, max: 0x10ffff }).map((point) => String.fromCodePoint(point));
  return fc.tuple(beyond, echoMessage(), fc.boolean()).map(([first, rest, isLong]) => {
    const message = first + rest;
    const text = isLong ? message.repeat(Math.ceil(mostCharacters / message.length)) : message;
    const kept = text.replaceAll(/[\p{Cc}\p{Noncharacter_Code_Point}]/gu, ' ');
    return Array.from(kept.trim()).slice(0, mostCharacters).join('').trim() || 'a';
  });
}

/**
 * Query strings as they stand behind the `?`: one to six parameters, names repeated, values empty or absent, escapes of
 * UTF-8 in either case of hex. Nothing in them reads as `token`, `sign` or `timestamp`, and no control character is escaped: servers and
 * firewalls before a right gateway refuse line breaks in a query as an attack.
 */
export function queryString(): fc.Arbitrary<string> {
  const escape = fc.constantFrom('%20', '%26', '%3D', '%2F', '%2f', '%2B', '%C3%A3', '%c3%a3', '%F0%9F%98%80', '%25');
  const text = (characters: string): fc.Arbitrary<string> => {
    const plain = fc.constantFrom(...Array.from(characters));
    const part = fc.oneof({ arbitrary: plain, weight: 5 }, { arbitrary: escape, weight: 1 });
    return fc.string({ unit: part, minLength: 1, maxLength: 10 });
  };
  const name = fc.oneof(fc.constantFrom('a', 'b', 'x', 'Page'), text(unreserved));
  const value = fc.oneof(
    fc.constantFrom('', '='),
    text(`${unreserved}+!$*,;:@/?`).map((some) => `=${some}`),
  );
  const parameters = fc.array(
    fc.tuple(name, value).map((parts) => parts.join('')),
    { minLength: 1, maxLength: 6 },
  );
  return parameters
    .map((parts) => parts.join('&'))
    .filter((query) => !/token|sign|timestamp/i.test(decodeURIComponent(query)));
}

/** A value of a path variable that needs no escape: 1 to 40 letters, digits and `-._~`, not a dot segment. RFC 3986, 2.3. */
export function pathSegment(): fc.Arbitrary<string> {
  const of = (characters: string): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom(...Array.from(characters)), minLength: 1, maxLength: 40, size: 'max' });
  return fc.oneof(of(unreserved), of(letters), of(digits)).filter((segment) => segment !== '.' && segment !== '..');
}

const digits = '0123456789';
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const unreserved = `${letters}${digits}-._~`;

const blank = fc.constantFrom(' ', '\t', '  ', ' \n', '\t\r\n', ' \r');
const jsonTrap = fc.constantFrom(
  '"',
  "'",
  '\\',
  '\\"',
  '\\n',
  '\\r\\n',
  '\\u0041',
  '\\\\',
  '/',
  '</',
  '{"a":1}',
  '%0A',
  '&amp;',
);
const control = fc.integer({ min: 0, max: 0x3f }).map((at) => String.fromCodePoint(at < 0x20 ? at : at + 0x60));
const combining = fc.constantFrom(
  'é',
  'e\u0301',
  'ção',
  'c\u0327a\u0303o',
  '\u00C5',
  '\u212B',
  'A\u030A',
  '\uFB01',
  '\u0301',
  'a\u0323\u0307',
  '한',
  '\u1112\u1161\u11AB',
);
const astral = fc.constantFrom('😀', '👩‍👩‍👧', '𝒜', '🇧🇷', '𠮷', '\u{10FFFF}', '\u{1F469}\u{1F3FD}');
const oddity = fc.constantFrom(
  '\u00A0',
  '\u2028',
  '\u2029',
  '\u0085',
  '\uFEFF',
  '\u200B',
  '\u202E',
  '\uFFFD',
  '\uFFFF',
  'ß',
  'ı',
);
const word = fc.stringMatching(/^[A-Za-z0-9 .,+-]{1,8}$/);
const scalar = fc.string({ unit: codePoint(), minLength: 1, maxLength: 3 });
const margin = fc.oneof({ arbitrary: fc.constant(''), weight: 4 }, { arbitrary: blank, weight: 1 });

function piecesOf(...kinds: fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  const pieces = fc.array(fc.oneof(...kinds), { minLength: 1, maxLength: 24 });
  return fc.tuple(margin, pieces, margin).map(([before, parts, behind]) => before + parts.join('') + behind);
}

/** Mostly as it is, sometimes repeated until it is as large as a body may reasonably be. */
function sized(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const bytes = fc.oneof(
    { withCrossShrink: true },
    { arbitrary: fc.constant(0), weight: 24 },
    { arbitrary: fc.integer({ min: mostBytes - 500, max: mostBytes }), weight: 1 },
  );
  return fc.tuple(text, bytes).map(([part, most]) => (most === 0 ? part : repeated(part, most)));
}

/** The text as often as it fits into so many bytes, the last time cut between two code points. */
function repeated(text: string, bytes: number): string {
  const whole = text.repeat(Math.floor(bytes / Buffer.byteLength(text)));
  return whole + cut(text, bytes - Buffer.byteLength(whole));
}

function cut(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}

/** A server may take a message for missing that it would trim to nothing, whatever it trims. */
function withVisible(text: string): string {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) ? text : `${text}a`;
}

/** Any one Unicode character: a code point that is no half of a surrogate pair; every second below U+10000. */
export function codePoint(): fc.Arbitrary<string> {
  const within = (last: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: last - surrogates });
  return fc
    .oneof(within(0xffff), within(0x10ffff))
    .map((place) => String.fromCodePoint(place < 0xd800 ? place : place + surrogates));
}

/** The kinds of line break that are not signed. Section 5.2. */
export const lineBreaks = { cr: '\r', lf: '\n', crlf: '\r\n' } as const;

type LineBreak = keyof typeof lineBreaks;

const kinds: readonly LineBreak[] = ['cr', 'lf', 'crlf'];

/** One line break of any kind. */
export function lineBreak(): fc.Arbitrary<string> {
  return fc.constantFrom(...kinds).map((kind) => lineBreaks[kind]);
}

/** The text with one to ten line breaks more, before, behind or between any of its code points. */
export function withLineBreaks(text: string): fc.Arbitrary<string> {
  const points = Array.from(text);
  const insertion = fc.tuple(fc.nat(points.length), lineBreak());
  return fc.array(insertion, { minLength: 1, maxLength: 10 }).map((insertions) => {
    const before = new Map<number, string>();
    for (const [place, inserted] of insertions) before.set(place, (before.get(place) ?? '') + inserted);
    return [...points, ''].map((point, place) => (before.get(place) ?? '') + point).join('');
  });
}
