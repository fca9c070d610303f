import type { Form, Piece } from '../../schemas/evidence.ts';

/** A text as a literal of JavaScript: ASCII only and without `<`, so that it can't end a line, a literal or a page's script. */
export function literal(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[<\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A text as the rest of a `//` comment, on one line. */
export function commentText(text: string): string {
  return literal(text).slice(1, -1).replaceAll('\\"', '"');
}

const writingCode = {
  'upper-case': (source: string) => `${source}.toUpperCase()`,
  'lower-case': (source: string) => `${source}.toLowerCase()`,
  'first-letter-upper-case': (source: string) => `${source}.replace(/[a-z]/, (letter) => letter.toUpperCase())`,
  base64: (source: string) => `Buffer.from(${source}, 'hex').toString('base64')`,
  uuid: (source: string) => `${source}.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')`,
  'bytes-reversed': (source: string) => `Buffer.from(Buffer.from(${source}, 'hex').reverse()).toString('hex')`,
};

/** An expression for a text made of the constant `source`; `text` makes one of a text that may hold names of the mask. */
export function formCode(form: Form, source: string, text: (text: string) => string): string {
  if ('between' in form) return betweenCode(form.between, source);
  if ('as' in form) return writingCode[form.as](source);
  if ('dropStart' in form) return `${source}.slice(${form.dropStart}, ${source}.length - ${form.dropEnd})`;
  if ('changedAt' in form) return changedCode(source, form.changedAt);
  if ('madeUp' in form) return `'x'.repeat(${form.madeUp})`;
  return text(form.text);
}

function betweenCode(between: readonly string[], source: string): string {
  const pieces = between.flatMap((text, index) => [...(index === 0 ? [] : [source]), ...(text ? [literal(text)] : [])]);
  return pieces.join(' + ');
}

function changedCode(source: string, at: number): string {
  return `${source}.slice(0, ${at}) + (${source}[${at}] === '0' ? '1' : '0') + ${source}.slice(${at + 1})`;
}

const clockCode = {
  seconds: (time: string) => `String(${time})`,
  hex: (time: string) => `(${time}).toString(16)`,
  iso: (time: string) => `new Date((${time}) * 1000).toISOString()`,
  'http-date': (time: string) => `new Date((${time}) * 1000).toUTCString()`,
};

const sentCode = { token: 'token', path: 'path', body: 'bodyWithoutBreaks', timestamp: 'timestamp' };

/** An expression for a piece: a string, or the bytes of a body; `now` is a constant in Unix seconds. */
export function pieceCode(piece: Piece): string {
  if ('text' in piece) return literal(piece.text);
  if ('base64' in piece) return `Buffer.from(${literal(piece.base64)}, 'base64')`;
  if ('sent' in piece) return sentCode[piece.sent];
  if ('clock' in piece) return clockCode[piece.clock](timeCode(piece.offsetSeconds));
  return piece.token === 'md5' ? "createHash('md5').update(token).digest('hex')" : writingCode[piece.token]('token');
}

function timeCode(offsetSeconds: number): string {
  if (offsetSeconds === 0) return 'now';
  return `now ${offsetSeconds < 0 ? '-' : '+'} ${Math.abs(offsetSeconds)}`;
}

/** An expression for the lower-case hex digest of the bytes in the constant `signed`. */
export function digestCode(hash: string): string {
  const [isKeyed, isTwice] = [hash.startsWith('hmac-'), hash === 'md5-of-md5'];
  const algorithm = literal(isTwice ? 'md5' : hash.replace('hmac-', ''));
  if (isKeyed) return `createHmac(${algorithm}, token).update(signed).digest('hex')`;
  const once = `createHash(${algorithm}).update(signed).digest('hex')`;
  return isTwice ? `createHash(${algorithm}).update(${once}).digest('hex')` : once;
}
