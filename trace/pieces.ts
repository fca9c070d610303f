import type { Piece } from '../schemas/evidence.ts';
import type { SignedParts } from '../contract/request.ts';
import { md5 } from '../client/sign.ts';
import type { Mask } from './masking.ts';

/** What is hashed or sent, in Latin-1 so that a character is a byte, and what it is where it is more than bytes. */
interface Item {
  readonly actual: string;
  readonly piece?: Piece;
}

/** Below this length a text is found in another by accident. */
const leastLength = 6;
/** How far from now a number of ten digits is still taken for a time. */
const nearSeconds = 3600;

/** The pieces of a `timestamp` header, given the caller's clock; what is no time of it stays a text. */
export function timestampPieces(timestamp: string, nowSeconds: number, mask: Mask): Piece[] | undefined {
  if (/^[1-9]\d{8,10}$/.test(timestamp)) return [{ clock: 'seconds', offsetSeconds: Number(timestamp) - nowSeconds }];
  return shown(withTimes([{ actual: latin1(timestamp) }], nowSeconds), mask);
}

/** The pieces of the string to sign; those that are empty are left out. Section 5.2. */
export function rightPieces(parts: SignedParts, names: readonly (keyof SignedParts)[]): Piece[] {
  return names.filter((name) => parts[name].length > 0).map((name) => ({ sent: name }));
}

/** The pieces of bytes that were hashed in its place; `undefined` where they can't be shown. */
export function hashedPieces(hashed: Buffer, parts: SignedParts, nowSeconds: number, mask: Mask): Piece[] | undefined {
  const { token, path, body, timestamp } = parts;
  const needles: [string, Piece][] = [
    [body.toString('latin1'), { sent: 'body' }],
    [latin1(path), { sent: 'path' }],
    [latin1(token), { sent: 'token' }],
    [latin1(timestamp), { sent: 'timestamp' }],
    [latin1(token.toUpperCase()), { token: 'upper-case' }],
    [latin1(token.toLowerCase()), { token: 'lower-case' }],
    [md5(Buffer.from(token)), { token: 'md5' }],
  ];
  const whole: readonly Item[] = [{ actual: hashed.toString('latin1') }];
  const items = needles.reduce((found, [needle, piece]) => cut(found, needle, piece), whole);
  const pieces = withTimes(items, nowSeconds);
  return pieces.some(({ actual, piece }) => !piece && hasRunOf(token, actual)) ? undefined : shown(pieces, mask);
}

/** Whether a text has a run of characters of a secret, in either letter case: it may be most of it. */
function hasRunOf(secret: string, text: string): boolean {
  const [sought, among] = [latin1(secret).toLowerCase(), text.toLowerCase()];
  const starts = Array.from({ length: Math.max(0, sought.length - leastLength + 1) }, (_, at) => at);
  return starts.some((at) => among.includes(sought.slice(at, at + leastLength)));
}

/** The items with the clock's time found in them, however written. */
function withTimes(items: readonly Item[], nowSeconds: number): Item[] {
  const now = new Date(nowSeconds * 1000);
  const exactly = { offsetSeconds: 0 };
  const found = [
    [String(nowSeconds), { clock: 'seconds', ...exactly }],
    [nowSeconds.toString(16), { clock: 'hex', ...exactly }],
    [now.toISOString(), { clock: 'iso', ...exactly }],
    [now.toUTCString(), { clock: 'http-date', ...exactly }],
  ] as const;
  const cuts = found.reduce((done, [needle, piece]) => cut(done, needle, piece), items);
  return cuts.flatMap((item) => (item.piece ? [item] : withNearTimes(item.actual, nowSeconds)));
}

/** A text with the numbers in it that are seconds shortly before or after now. */
function withNearTimes(text: string, nowSeconds: number): Item[] {
  return text.split(/(?<!\d)(\d{10})(?!\d)/).map((actual, index): Item => {
    const offsetSeconds = Number(actual) - nowSeconds;
    const isTime = index % 2 === 1 && Math.abs(offsetSeconds) <= nearSeconds;
    return isTime ? { actual, piece: { clock: 'seconds', offsetSeconds } } : { actual };
  });
}

/** The items, cut wherever one that is only bytes contains the needle. */
function cut(items: readonly Item[], needle: string, piece: Piece): readonly Item[] {
  if (needle.length < leastLength) return items;
  return items.flatMap((item) => {
    if (item.piece) return [item];
    const texts = item.actual.split(needle).map((actual): Item => ({ actual }));
    return texts.flatMap((text, index) => (index === 0 ? [text] : [{ actual: needle, piece }, text]));
  });
}

/** The pieces, unless the mask has something to hide in a text or across two pieces. */
function shown(items: readonly Item[], mask: Mask): Piece[] | undefined {
  const used = items.filter(({ actual }) => actual !== '');
  const isSafe = used.every(({ actual, piece }) => piece !== undefined || isShown(actual, mask));
  const masked = used.map(({ actual }) => mask(utf8(actual))).join('');
  const isWhole = masked === mask(utf8(used.map(({ actual }) => actual).join('')));
  return isSafe && isWhole ? used.map(({ actual, piece }) => piece ?? textPiece(actual)) : undefined;
}

function isShown(actual: string, mask: Mask): boolean {
  return mask(utf8(actual)) === utf8(actual) && mask(actual) === actual;
}

function textPiece(actual: string): Piece {
  const bytes = Buffer.from(actual, 'latin1');
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? { text } : { base64: bytes.toString('base64') };
}

function latin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function utf8(actual: string): string {
  return Buffer.from(actual, 'latin1').toString('utf8');
}
