import type { Form, Piece, Signing } from '../schemas/evidence.ts';
import { type Mask, maskedStart } from './people/words-mask.ts';
import { type SignedParts, signatureHeaders, type Origin, type SignatureHeader } from '../contract/request.ts';
import { md5, sign, type SignedRequest, stringToSign } from '../client/sign.ts';
import { createHash, createHmac } from 'node:crypto';

const writings = {
  'upper-case': (text) => text.toUpperCase(),
  'lower-case': (text) => text.toLowerCase(),
  'first-letter-upper-case': (text) => text.replace(/[a-z]/, (letter) => letter.toUpperCase()),
  base64: (hex) => Buffer.from(hex, 'hex').toString('base64'),
  uuid: (hex) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  'bytes-reversed': (hex) => Buffer.from(Buffer.from(hex, 'hex').toReversed()).toString('hex'),
} as const satisfies Record<string, (text: string) => string>;

type Writing = keyof typeof writings;
const isWriting = (name: string): name is Writing => name in writings;
const writingNames = Object.keys(writings).filter(isWriting);

/** Below this length a text is found in another by accident. */
const leastForm = 8;

/**
 * How `made` was made of `source`; `undefined` where it was not. Whoever has the mask's text for the source, and no more,
 * learns nothing of it: no form says which characters it has.
 */
function formOf(source: string, made: string, mask: Mask): Form | undefined {
  if (made === source) return { between: ['', ''] };
  if (source.length < leastForm || made.length < leastForm) return undefined;
  return betweenOf(source, made, mask) ?? writingOf(source, made) ?? dropOf(source, made) ?? changeOf(source, made);
}

function betweenOf(source: string, made: string, mask: Mask): Form | undefined {
  const between = made.split(source);
  if (between.length === 1) return undefined;
  // Another secret may begin like this one: what is left of it must not show.
  const isNothing = between.every((part) => !/[\p{L}\p{N}]/u.test(part));
  return isNothing || between.join(mask(source)) === mask(made) ? { between } : undefined;
}

function writingOf(source: string, made: string): Form | undefined {
  const as = writingNames.find((name) => writings[name](source) === made);
  return as && { as };
}

function dropOf(source: string, made: string): Form | undefined {
  const dropStart = source.indexOf(made);
  return dropStart < 0 ? undefined : { dropStart, dropEnd: source.length - dropStart - made.length };
}

function changeOf(source: string, made: string): Form | undefined {
  if (source.length !== made.length) return undefined;
  const changed = Array.from({ length: source.length }, (_, at) => at).filter((at) => source[at] !== made[at]);
  const [changedAt] = changed;
  return changed.length === 1 && changedAt !== undefined ? { changedAt } : undefined;
}

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
function timestampPieces(timestamp: string, nowSeconds: number, mask: Mask): Piece[] | undefined {
  if (/^[1-9]\d{8,10}$/.test(timestamp)) return [{ clock: 'seconds', offsetSeconds: Number(timestamp) - nowSeconds }];
  return shown(withTimes([{ actual: latin1(timestamp) }], nowSeconds), mask);
}

/** The pieces of the string to sign; those that are empty are left out. Section 5.2. */
function rightPieces(parts: SignedParts, names: readonly (keyof SignedParts)[]): Piece[] {
  return names.filter((name) => parts[name].length > 0).map((name) => ({ sent: name }));
}

/** The pieces of bytes that were hashed in its place; `undefined` where they can't be shown. */
function hashedPieces(hashed: Buffer, parts: SignedParts, nowSeconds: number, mask: Mask): Piece[] | undefined {
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

/** How far the three headers of a request are what its caller is to send. Sections 5.1 and 5.2. */
export interface SigningFacts {
  /** Headers that are not there, or empty. */
  readonly missing: readonly SignatureHeader[];
  /** Headers that went out more than once. */
  readonly repeated: readonly SignatureHeader[];
  /** One of them holds what is not ASCII: HTTP leaves open who reads it, and as what. */
  readonly isBeyondAscii?: true;
  /** Whether the token is the App Secret of the caller. */
  readonly isOwnToken: boolean;
  /** It is one of his that a rotation has made invalid. */
  readonly isFormerToken?: true;
  /** Seconds that the timestamp is ahead of the caller's clock; absent where it is not plain decimal. */
  readonly aheadSeconds?: number;
  /** Whether the sign is that of what was sent, by the token and the timestamp that were sent. */
  readonly isSignOfSent: boolean;
}

/** What is known of how a request was signed; `undefined` where nobody signed it. */
export function signingFactsOf({ headers, parts, origin }: SignedRequest, sentAtMs?: number): SigningFacts | undefined {
  if (!origin) return undefined;
  const valuesOf = (name: SignatureHeader): string[] =>
    headers.filter(([own]) => own.toLowerCase() === name).map(([, value]) => value);
  const [timestamp = ''] = valuesOf('timestamp');
  const [token = ''] = valuesOf('token');
  const isPlain = /^(?:0|[1-9]\d{0,11})$/.test(timestamp);
  return {
    missing: signatureHeaders.filter((name) => valuesOf(name).every((value) => value === '')),
    repeated: signatureHeaders.filter((name) => valuesOf(name).length > 1),
    ...(signatureHeaders.flatMap(valuesOf).every((value) => /^[\x20-\x7e]*$/.test(value))
      ? {}
      : { isBeyondAscii: true }),
    isOwnToken: token === origin.appSecret,
    ...(origin.formerSecrets?.includes(token) ? { isFormerToken: true } : {}),
    ...(isPlain ? { aheadSeconds: Number(timestamp) - nowAt(origin, sentAtMs) } : {}),
    isSignOfSent: valuesOf('sign')[0] === sign(parts) && timestamp === parts.timestamp,
  };
}

/** Unix seconds of the caller's clock when a request went out. */
export function nowAt({ nowSeconds, madeAtMs }: Origin, sentAtMs = madeAtMs): number {
  return nowSeconds + (madeAtMs === undefined || sentAtMs === undefined ? 0 : Math.floor((sentAtMs - madeAtMs) / 1000));
}

/** Seconds that a right timestamp may be old: the request waited for its turn. */
const mostWaited = 60;

/** Whether the three headers went out once each, as they are to be for the application that sent them. Section 5.2. */
export function isRightlySigned(facts: SigningFacts | undefined): boolean {
  return (
    facts !== undefined &&
    facts.missing.length === 0 &&
    facts.repeated.length === 0 &&
    facts.isOwnToken &&
    Math.abs(facts.aheadSeconds ?? Infinity) <= mostWaited &&
    facts.isSignOfSent
  );
}

const ingredients = ['token', 'path', 'body', 'timestamp'] as const;

/** What somebody might take for the MD5 of the string to sign; each gives lower-case hex. */
const hashes = {
  md5: (signed) => md5(signed),
  'md5-of-md5': (signed) => md5(Buffer.from(md5(signed))),
  sha1: (signed) => createHash('sha1').update(signed).digest('hex'),
  sha256: (signed) => createHash('sha256').update(signed).digest('hex'),
  'hmac-md5': (signed, token) => createHmac('md5', token).update(signed).digest('hex'),
  'hmac-sha256': (signed, token) => createHmac('sha256', token).update(signed).digest('hex'),
} as const satisfies Record<string, (signed: Buffer, token: string) => string>;

type Hash = keyof typeof hashes;
const isHash = (name: string): name is Hash => name in hashes;
const hashNames = Object.keys(hashes).filter(isHash);

/**
 * How a request was signed; `undefined` where nobody signed it, as a link that was followed. The mask hides every secret, in a
 * body in as many characters of its start as are shown.
 */
export function signingOf(request: SignedRequest, mask: Mask, longest: number): Signing | undefined {
  const { parts, origin } = request;
  // Who reads the evidence takes what stands before the `?` for the path that was signed.
  if (!origin || parts.path.includes('?')) return undefined;
  const timestamp = timestampPieces(parts.timestamp, origin.nowSeconds, mask);
  if (!timestamp) return undefined;
  const hidden = hiddenIn(request, (text) => maskedStart(text, mask, longest));
  const rest = hidden.length === 0 ? {} : { hidden };
  return {
    secret: mask(origin.appSecret),
    token:
      parts.token === origin.caller?.name ? { text: '$NFE_APP_KEY' } : tokenForm(origin.appSecret, parts.token, mask),
    timestamp,
    ...signOf(request, origin, mask),
    ...rest,
  };
}

/** What stands for a secret, with an underscore, or for somebody's data, without. */
const maskName = /\$(?:[A-Z]+(?:_[A-Z]+)+|[A-Za-z]+)/g;

/** The names that the mask puts into the request, its token and its sign aside. */
function hiddenIn({ target, headers, rawBody }: SignedRequest, mask: Mask): string[] {
  const others = headers.filter(([name]) => !/^(token|sign)$/i.test(name)).map(([, value]) => value);
  const texts = [target, ...others, rawBody?.toString('utf8') ?? ''];
  const names = texts.flatMap((text) => {
    const own = new Set(text.match(maskName));
    return (mask(text).match(maskName) ?? []).filter((name) => !own.has(name));
  });
  return [...new Set(names)];
}

function tokenForm(appSecret: string, token: string, mask: Mask): Form {
  const form = formOf(appSecret, token, mask);
  if (form) return form;
  const text = mask(token);
  return text === token || text.includes('(another token') ? { madeUp: token.length } : { text };
}

function signOf(request: SignedRequest, { nowSeconds }: Origin, mask: Mask): Pick<Signing, 'digest' | 'sign'> {
  const { parts, hashed, headers } = request;
  const sent = headers.find(([name]) => name.toLowerCase() === 'sign')?.[1] ?? '';
  const literal = { sign: { text: mask(sent) } };
  if (!hashed) return signOfParts(parts, sent, mask) ?? literal;
  const sign = formOf(md5(hashed), sent, mask);
  const of = hashedPieces(hashed, parts, nowSeconds, mask);
  return sign && of ? { digest: { hash: 'md5', of }, sign } : literal;
}

/** Of a sign that was made of the right ingredients, though perhaps by another hash or in another notation. */
function signOfParts(parts: SignedParts, sent: string, mask: Mask): Pick<Signing, 'digest' | 'sign'> | undefined {
  for (const hash of hashNames) {
    const isKeyed = hash.startsWith('hmac');
    const signed = stringToSign(isKeyed ? { ...parts, token: '' } : parts);
    const sign = formOf(hashes[hash](signed, parts.token), sent, mask);
    const of = rightPieces(parts, isKeyed ? ingredients.slice(1) : ingredients);
    if (sign) return { digest: { hash, of }, sign };
  }
  return undefined;
}
