/** Something that a target's text goes through. */
export interface Reader {
  readonly name: string;
  readonly read: (text: string) => unknown;
}

/** Lengths in characters; each is twice the one before. */
const lengths = [8_192, 16_384, 32_768] as const;
/**
 * What takes no longer at the greatest of them is not looked at any further: what grows with the square takes longer there, even
 * where a step of it is a byte that is sought in a text.
 */
const soonMs = 25;
/** A length at which even what grows with the cube ends. */
const firstLength = 1_024;
/** Longest time for any of these lengths, and for a megabyte. */
const mostMs = 4_000;
const megabyte = 1_048_576;
/** By how much the time may grow where the length doubles: with the square it grows by four. */
const mostGrowth = 3;
const attempts = 5;
const looksAtFault = 3;

/**
 * What is wrong with the time that a reader takes for some texts; empty where it grows in proportion to their length, and the
 * text that takes longest is read within seconds where it is a megabyte long.
 */
export function growthFaults(reader: Reader, texts: readonly HostileText[]): string[] {
  const looks = texts.map((text) => ({ text, ms: lookMs(reader, text) }));
  const faults = looks.filter(({ ms }) => ms > soonMs).flatMap(({ text }) => lastingFault(reader, text) ?? []);
  const slowest = looks.toSorted((a, b) => b.ms - a.ms)[0];
  if (faults.length > 0 || slowest === undefined) return faults;
  const isSoon = isReadWithin(mostMs, reader.read, slowest.text.ofLength(megabyte));
  return isSoon ? [] : [`${reader.name}, of ${slowest.text.name}: more than ${mostMs} ms for a megabyte`];
}

/** The time for the greatest length; without end where that of a small one tells that it would not be known today. */
function lookMs({ read }: Reader, text: HostileText): number {
  const [first, long] = [text.ofLength(firstLength), text.ofLength(lengths[2])];
  return isReadWithin(mostMs / 16, read, first) ? timeOf(read, long) : Infinity;
}

/**
 * What each of a few looks sees of what seems to grow too fast: caches that others fill make a thread slow for a while, at any of
 * the lengths, and only growth lasts.
 */
function lastingFault(reader: Reader, text: HostileText): string | undefined {
  let fault = growthFault(reader, text);
  for (let look = 1; look < looksAtFault && fault !== undefined; look += 1) fault = growthFault(reader, text);
  return fault;
}

/**
 * A time is the least of several, and it grows too fast only where it does so at both doublings: a busy machine accuses
 * nobody.
 */
function growthFault({ name, read }: Reader, text: HostileText): string | undefined {
  const times: number[] = [];
  for (const length of lengths) {
    times.push(leastTimeOf(read, text.ofLength(length)));
    if (times.some((time) => time > mostMs)) break;
  }
  const [first = 0, second = Infinity, third = Infinity] = times;
  const isSteep = second > mostGrowth * first && third > mostGrowth * second;
  if (third <= soonMs || (third <= mostMs && !isSteep)) return undefined;
  const told = times.map((time, at) => `${time.toFixed(1)} ms for ${lengths[at]} characters`);
  return `${name}, of ${text.name}: ${told.join(', ')}`;
}

/** Whether a text is read in that time, in one of a few tries: a busy machine accuses nobody. */
function isReadWithin(ms: number, read: Reader['read'], text: string): boolean {
  return Array.from({ length: looksAtFault }).some(() => timeOf(read, text) <= ms);
}

function leastTimeOf(read: Reader['read'], text: string): number {
  const times: number[] = [];
  while (times.length < attempts && !times.some((time) => time > mostMs)) times.push(timeOf(read, text));
  return Math.min(...times);
}

/** Milliseconds that this thread works on a text: not those in which the machine does something else, or finds it memory. */
function timeOf(read: Reader['read'], text: string): number {
  const start = process.threadCpuUsage();
  read(text);
  return process.threadCpuUsage(start).user / 1000;
}

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
interface HostileText {
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
