/**
 * Short texts that, repeated, make a reader try again and again: what opens and never closes, what may belong to what stands
 * before it as well as behind it, and what a text is escaped by.
 */
const units = [
  ' ',
  '\t',
  '\n',
  '\r',
  '\r\n',
  '\u00a0',
  '\u200b',
  '\u202e',
  '\ud800',
  '\0',
  'e\u0301',
  ...'€|😀|é|.|,|;'.split('|'),
  ...'a|aA|A_|a |a-|a.|a, |a; |a: |a, or |0|1,|1.|12 |-|_|:|*|*/|/*|`|!|@|a@|T|Z|2026-10-05T|+'.split('|'),
  ...'<|<a|<a |<a a="|</|</a>|<!--|<!-- -|<![CDATA[|<?xml |<!doctype|>|&|&amp|&#|&a=|Id="NFe'.split('|'),
  ...String.raw`"|'|\|\"|\u00|\u{|"a":|{|{"a":|}|[|[1,|]|(|()| (|)|{}|{n}|=|==`.split('|'),
  ...'/|//|/openapi|/openapi/nfe/|/{a}|/<a|/:a|http://|http://a|https://a/?|?|#|%|%2|$|$A|$NFE_'.split('|'),
];

/** What stands behind such a text: what its repetition has no place for. */
const end = '\u0001x';

/** A text of so many characters, and what it is made of. */
export interface HostileText {
  readonly name: string;
  readonly ofLength: (length: number) => string;
}

/** The units, repeated up to an end that fits none of them. */
export const hostileTexts: readonly HostileText[] = units.map((unit) => ({
  name: JSON.stringify(unit),
  ofLength: (length) => unit.repeat(Math.ceil(length / unit.length)) + end,
}));

/** Those of them that a page or a file writes in a way of their own, and a few that it doesn't. */
export const escapedTexts: readonly HostileText[] = hostileTexts.filter(({ name }) => {
  const shown: readonly string[] = [' ', '\n', '\r\n', '\u202e', '\ud800', '€', 'aA', '<a', '&amp', '"', '\\', '$NFE_'];
  return shown.some((unit) => JSON.stringify(unit) === name);
});

/** A list of so many texts, as the inner part of a JSON text. */
function listed(count: number, textOf: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => textOf(at)).join(',');
}

/** Bodies of JSON that have much of one thing. */
export const hostileBodies: readonly HostileText[] = [
  { name: 'many items', ofLength: (length) => `[${listed(length / 2, () => '0')}]` },
  { name: 'many objects', ofLength: (length) => `[${listed(length / 10, (at) => `{"a${at % 99}":0}`)}]` },
  { name: 'many names', ofLength: (length) => `{${listed(length / 10, (at) => `"a${at}":0`)}}` },
  { name: 'many names of letters', ofLength: (length) => `{${listed(length / 10, (at) => `"${lettersOf(at)}":0`)}}` },
  { name: 'many equal names', ofLength: (length) => `{${listed(length / 6, () => '"a":0')}}` },
  { name: 'many levels of lists', ofLength: (length) => '['.repeat(length / 2) + ']'.repeat(length / 2) },
  { name: 'many levels of objects', ofLength: (length) => `${'{"a":'.repeat(length / 6)}0${'}'.repeat(length / 6)}` },
  { name: 'many digits', ofLength: (length) => '1'.repeat(length) },
];

/** A number in letters, so that it reads like the name of a field. */
function lettersOf(at: number): string {
  return at.toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '');
}
