import fc from 'fast-check';
import { randomInt, randomUUID } from 'node:crypto';
import { unescape } from 'node:querystring';

const longest = 60;

const lower = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const harmless = `${lower}${lower.toUpperCase()}${digits}-._`;

/**
 * Ids of every shape that is not unusual, for checks that try each of them: the shortest, the longest, numbers that a parser
 * would change, and words that mean something to a database or to JavaScript.
 */
export const tellingIds: readonly string[] = [
  `${'Ab1-'.repeat(longest / 4 - 1)}Ab1_`,
  'Pedido_2026.09-04',
  'nota.a.',
  '007',
  'pedido.xml',
  'PEDIDO-1',
  'a',
  '7',
  '0',
  '1e5',
  '0x10',
  '1.0',
  '-1',
  '90071992547409931',
  'null',
  'NULL',
  'undefined',
  'true',
  'NaN',
  'constructor',
  'toString',
  '__proto__',
  'nf-e',
  '-',
  '_',
  '6f1d2c3b-4a59-4e68-9f70-8a1b2c3d4e5f',
  '6F1D2C3B-4A59-4E68-9F70-8A1B2C3D4E5F',
];

/**
 * Ids to issue under: 1 to 60 letters, digits and `-._`, so that none needs an escape in a path, and none is a dot segment.
 * Plain words, digits, capitals, UUIDs and the telling ones. A seed repeats them, so an earlier run may have used them:
 * where a company outlives the run, send `freshId` of them. Section 2.2.
 */
export function nfeId(): fc.Arbitrary<string> {
  const of = (characters: string, maxLength: number): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom(...Array.from(characters)), minLength: 1, maxLength, size: 'max' });
  return fc
    .oneof(
      { withCrossShrink: true },
      of(lower, 8),
      of(harmless, longest),
      of(digits, 20),
      of(lower.toUpperCase() + digits, 20),
      fc.uuid(),
      fc.uuid().map((id) => id.toUpperCase()),
      fc.constantFrom(...tellingIds),
    )
    .filter((id) => !/^\.+$/.test(id));
}

/**
 * An id that nobody has used, of the same shape: another UUID, more digits of a number, which stays one that a parser takes for exact
 * where it was, else some characters behind a dash, and before a dot at its end. At most 60 characters unless the shape has more,
 * random whatever the seed: call it where the id is sent, not where it is generated.
 */
export function freshId(shape = 'nfe'): string {
  const isUpper = shape === shape.toUpperCase();
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(shape)) {
    return isUpper ? randomUUID().toUpperCase() : randomUUID();
  }
  if (/^\d+[.e]\d+$/.test(shape)) return `1${randomText(digits, 12)}${shape}`;
  if (/^(?:0x|-)?\d+$/.test(shape)) return ending(shape, randomText(digits, shape.length > 4 ? 16 : 12));
  const letters = randomText(lower + digits, 12);
  if (shape.length < longest && /[^.]\.$/.test(shape)) return `${freshId(shape.slice(0, -1)).slice(0, longest - 1)}.`;
  const [, name, extension] = /^(\w+)(\.[a-z]+)$/.exec(shape) ?? [];
  if (name !== undefined && extension !== undefined) return `${name}-${letters}${extension}`;
  return ending(shape, `-${isUpper ? letters.toUpperCase() : letters}`);
}

/**
 * Ids that are only like that one: in the other letter case, shorter, longer, or with a sign in it that databases match with any; and
 * of digits those that come to the same number.
 */
export function likeIds(id: string): readonly string[] {
  const cut = id.slice(0, -1);
  const sameNumber = /^\d+$/.test(id) ? [`${id}a`, `${id}.0`, `${id}e0`] : [];
  return [id.toUpperCase(), cut, `${id}0`, `0${id}`, `${cut}_`, ...sameNumber].filter((like) => like !== id);
}

/**
 * Whether an id that came is one that was sent, altered as services do: in letter case, without its accents, spaces or signs, with
 * these escaped or read as escapes, cut, or as a number.
 */
export function isAlteredId(came: string, sent: string): boolean {
  if (came === sent || came.length < fewestTelling) return false;
  return !coresOf(came).isDisjointFrom(coresOf(sent)) || sent.startsWith(came) || isNumberOf(came, sent);
}

/** Whether it is the number that another id is taken for: of two that differ in late digits alone one is not the other. */
function isNumberOf(came: string, sent: string): boolean {
  if (!/^\d+$/.test(sent)) return false;
  const number = Number(sent);
  if (!/^\d+$/.test(came)) return /^[\d.e+]+$/.test(came) && Number(came) === number;
  const shown = String(number);
  const rounded = Number.isFinite(number) ? [BigInt(number), ...(/^\d+$/.test(shown) ? [BigInt(shown)] : [])] : [];
  return [BigInt(sent), ...rounded].includes(BigInt(came));
}

/** How an id that came differs from one that was sent, in a few words: a report may hide both. */
export function alterationOf(came: string, sent: string): string {
  const [how = 'otherwise'] = alterations.find(([, make]) => make(sent) === came) ?? [];
  return how;
}

const alterations: readonly (readonly [how: string, make: (sent: string) => string])[] = [
  ['trimmed', (sent) => sent.trim()],
  ['in small letters', (sent) => sent.toLowerCase()],
  ['in capitals', (sent) => sent.toUpperCase()],
  ['percent-encoded', encodeURIComponent],
  ['escaped as in XML', (sent) => sent.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')],
  ['without what is not ASCII', (sent) => sent.replaceAll(/[^\0-\x7f]/g, '')],
  ['with question marks for what is not ASCII', (sent) => sent.replaceAll(/[^\0-\x7f]/gu, '?')],
  ['encoded as UTF-8 twice', (sent) => Buffer.from(sent).toString('latin1')],
  ['in Unicode form NFC', (sent) => sent.normalize('NFC')],
  ['in Unicode form NFD', (sent) => sent.normalize('NFD')],
  ['as a number', (sent) => String(Number(sent))],
];

/** Characters of an id that no two have by chance. */
const fewestTelling = 8;

/** An id as it stands, and read as if it were escaped: by percent signs, or as XML. */
function formsOf(id: string): readonly string[] {
  return [id, unescape(id), id.replaceAll(/&#?\w{1,8};/g, '')];
}

/** The plain letters and digits of an id in small letters: of letters with accents those without, or none. */
function coresOf(id: string): ReadonlySet<string> {
  const forms = formsOf(id).flatMap((form) => [form, form.normalize('NFKD')]);
  const cores = forms.map((form) => form.replaceAll(/[^\da-z]/gi, '').toLowerCase());
  return new Set(cores.filter(({ length }) => length >= fewestTelling));
}

/**
 * Ids that a service may refuse: with spaces, accents, slashes, quotes, any characters, or up to 200 of them. For targets of
 * our own; `encodeURIComponent` makes them fit into a path.
 */
export function unusualId(): fc.Arbitrary<string> {
  const text = fc
    .string({ unit: 'grapheme-composite', minLength: 1, maxLength: 80, size: 'max' })
    .filter((id) => encodeURIComponent(id) !== id);
  return fc.oneof(
    { withCrossShrink: true },
    { arbitrary: fc.constantFrom(...unusualIds), weight: 2 },
    { arbitrary: text, weight: 1 },
  );
}

const mostUnusual = 200;

const unusualIds = [
  'a b',
  ' a',
  'a ',
  'ção',
  'c\u0327a\u0303o',
  'nota nº 1',
  'a/b',
  '/',
  '../a',
  'a\\b',
  'a?b',
  'a#b',
  'a%2Fb',
  '100%',
  'a+b',
  'a;b=c',
  'a,b',
  `d'água`,
  'a"b',
  '<a>&',
  '{a}',
  'a:b',
  'a\tb',
  'a\nb',
  '发票',
  '😀',
  'x'.repeat(mostUnusual),
];

/** The text with that ending, cut before it where both are too long. */
function ending(text: string, end: string): string {
  return text.slice(0, Math.max(longest, text.length) - end.length) + end;
}

function randomText(characters: string, length: number): string {
  return Array.from({ length }, () => characters[randomInt(characters.length)]).join('');
}
