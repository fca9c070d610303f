import type { SignedRequest } from '../client/sign.ts';
import { MIMEType, TextDecoder } from 'node:util';
import { readJson } from '../schemas/values.ts';

/** An answer as it was received. */
export interface Response {
  readonly status: number;
  /** Names and values as received, in order. */
  readonly headers: readonly (readonly [string, string])[];
  /** Without transfer coding and without content codings, as far as these could be undone. */
  readonly rawBody: Buffer;
  /** Bytes that came at least, where `rawBody` is only their start: the body went beyond what is taken. */
  readonly wholeBytes?: number;
  /** Why the body is as it came, though it says to be encoded. */
  readonly undecoded?: string;
  /** Local port of the connection that it came over. */
  readonly connection?: number;
  /** Address from which it came. */
  readonly peer?: string;
}

/** One request with its response, or with what went wrong in place of one. */
export interface Exchange {
  readonly request: SignedRequest;
  readonly response?: Response;
  /** Why there is no response: "ECONNREFUSED: connect …". */
  readonly error?: string;
  /** There is no response since it was not whole in time. */
  readonly isLate?: true;
  /** There is no response since the server had ended the connection, which was idle: it is sent again, and no answer is looked for. */
  readonly isEndedIdle?: true;
  /** Epoch milliseconds at which it went out; absent where nobody sent it. */
  readonly sentAtMs?: number;
  /** It was sent before, and what came of that was lost on the way: the target may have taken it then. */
  readonly isResent?: true;
  /** Others of ours went out at the same moment, to see what the target makes of that. */
  readonly isOfBurst?: true;
  readonly durationMs: number;
}

/** A request as it arrived at an address of ours. */
export interface Arrival {
  readonly method: string;
  /** As it stands on the request line, query included. */
  readonly target: string;
  /** Names and values as received: order, letter case and repetitions are kept; each character is a byte. */
  readonly headers: readonly (readonly [string, string])[];
  /** The body as received, without transfer coding and without content codings, as far as these could be undone; only its start when it was too large. */
  readonly rawBody: Buffer;
  /** The same with its content codings, which is what is signed; absent where it had none that was undone. */
  readonly codedBody?: Buffer;
  readonly isTooLarge: boolean;
  /** Bytes that it had, where `rawBody` is only its start. */
  readonly wholeBytes?: number;
  /** Epoch milliseconds at which its headers were complete. */
  readonly arrivedAtMs: number;
}

/** A message whose body may be a text. */
export interface WithBody {
  readonly headers: readonly (readonly [string, string])[];
  readonly rawBody: Buffer;
}

/** The first value of a header, whatever the letter case of its name. */
export function headerOf({ headers }: Pick<WithBody, 'headers'>, name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1];
}

/**
 * The text of a body, in the charset that its bytes or its Content-Type say; UTF-8 where they say none, or one that nobody
 * knows. A byte order mark is no part of the text.
 */
export function textOf(message: WithBody): string {
  return decoderOf(message).decode(message.rawBody);
}

/** Whether a body is in another charset than `textOf` takes it to be in: who reads it finds other letters. RFC 8259, 8.1. */
export function isGarbled(message: WithBody): boolean {
  try {
    new TextDecoder(decoderOf(message).encoding, { fatal: true }).decode(message.rawBody);
    return false;
  } catch {
    return true;
  }
}

/**
 * What a sentence quotes of a body: its start, far longer than anybody shows, so that a secret in what is shown is masked
 * before it is cut through. The sentence goes on behind it, so the line break that many servers end JSON with is left out.
 */
export function quotedOf(message: WithBody): string {
  const text = textOf({ ...message, rawBody: message.rawBody.subarray(0, mostQuotedBytes) });
  return text.trimEnd() || text;
}

const mostQuotedBytes = 24 * 1024;

/** Bytes at the start of a body that tell whether it is a page. */
export const pageStartBytes = 4096;

/** Comments and an XML declaration may come first. */
const preamble = /^(?:\s|<!--(?:[^-]|-[^-]|--+[^->])*--+>|<\?xml[^>]*\?>)*/i;

/**
 * Whether a text starts as a page for people does, as what stands before a service sends it, or the framework of a service: as an
 * HTML document or as the bare text of one, or as its head or body where it is said to be HTML.
 */
export function isPageText(text: string, contentType = ''): boolean {
  const start = text.replace(preamble, '');
  const isHtml = /^\s*text\/html\b/i.test(contentType);
  return (
    /^<(?:!doctype\s+html|html|h[1-3]|pre|div|center)[\s>]/i.test(start) ||
    (isHtml && /^<(?:head|title|meta|style|script|body)[\s>]/i.test(start))
  );
}

/** Levels that a reader of JSON bears: walking down a million of them overflows a stack. RFC 8259, section 9. */
const mostLevels = 500;

/** The JSON value that a text is; `undefined` where it is none, and where it is nested beyond any use. */
export function jsonIn(text: string): unknown {
  if (text.length > mostLevels && levelsOf(text) > mostLevels) return undefined;
  return readJson(text);
}

/** What bodies have been read as: several clauses may ask for the same one. */
const known = new WeakMap<WithBody, { readonly value: unknown }>();

/** The JSON value that a body is, or `undefined`; the same one whenever it is asked for. */
export function jsonOf(message: WithBody): unknown {
  const read = known.get(message) ?? { value: jsonIn(textOf(message)) };
  known.set(message, read);
  return read.value;
}

/** The texts of bodies, as `mentions` reads them. */
const plain = new WeakMap<WithBody, string>();

/** Whether a JSON value, as `JSON.stringify` writes it, stands in a body, however that writes its letters. */
export function mentions(message: WithBody, json: string): boolean {
  const value = jsonOf(message);
  const text = plain.get(message) ?? (value === undefined ? textOf(message) : JSON.stringify(value));
  plain.set(message, text);
  return text.includes(json);
}

const marks: readonly (readonly [Buffer, string])[] = [
  [Buffer.from('efbbbf', 'hex'), 'utf-8'],
  [Buffer.from('fffe', 'hex'), 'utf-16le'],
  [Buffer.from('feff', 'hex'), 'utf-16be'],
];

function decoderOf(message: WithBody): TextDecoder {
  const marked = marks.find(([mark]) => message.rawBody.subarray(0, mark.length).equals(mark))?.[1];
  const stated = marked ?? charsetIn(headerOf(message, 'content-type'));
  try {
    return new TextDecoder(stated);
  } catch {
    return new TextDecoder();
  }
}

function charsetIn(contentType: string | undefined): string {
  if (contentType === undefined) return 'utf-8';
  try {
    return new MIMEType(contentType).params.get('charset') ?? 'utf-8';
  } catch {
    return 'utf-8';
  }
}

const quote = 0x22;
const [openingBracket, closingBracket] = [0x5b, 0x5d];
const [openingBrace, closingBrace] = [0x7b, 0x7d];

/** How deep the brackets of a text are nested that stand in no string. */
function levelsOf(text: string): number {
  let [level, deepest] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === openingBracket || code === openingBrace) deepest = Math.max(deepest, ++level);
    else if (code === closingBracket || code === closingBrace) level -= 1;
  }
  return deepest;
}

/** Where the string ends whose quote stands there. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text[first - 1] === '\\') first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

/** When the clock of this process began, by the system's: later than at first where that was put forward since. */
let originMs = performance.timeOrigin;

/** How far the system's clock may be ahead before it is followed: it is set, and a machine that was suspended wakes up. */
const aheadMs = 100;

/**
 * Epoch milliseconds to the hundredth, by a clock that is never put back: of two things that happen within one millisecond it
 * is known which was first.
 */
export function epochMs(): number {
  const behindMs = Date.now() - (originMs + performance.now());
  if (behindMs > aheadMs) originMs += behindMs;
  return Math.floor((originMs + performance.now()) * 100) / 100;
}
