import { hmac } from '@noble/hashes/hmac.js';
import { md5 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** How a request is signed (MD5 of a string that begins with the secret), and how a delivery is (HMAC keyed with it). */
export type Scheme = 'md5' | 'hmac-sha256';

/** What an exchange shows of its signature. */
export interface ShownSignature {
  readonly scheme: Scheme;
  /** The string to sign as shown, with the secret masked in it. */
  readonly text: string;
  /** How much of that text stands for the token, from its start; `undefined` where the page doesn't tell. */
  readonly tokenLength?: number;
  readonly encoding: string;
  /** How many bytes were signed. */
  readonly bytes: number;
  /** The signature that was sent. */
  readonly signature: string;
}

/** What recomputing came to: `incomplete` where the text shown is not all that was signed, `length` where that may be. */
export type Outcome =
  | { readonly kind: 'matches' | 'differs'; readonly computed: string }
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'incomplete' };

/** What stands for the token at the start of a string to sign: `undefined` where nothing does, or the token itself. */
export function maskOf({ scheme, text, tokenLength, encoding }: ShownSignature): string | undefined {
  if (scheme !== 'md5') return undefined;
  const start = asLatin1(tokenLength === undefined ? text : text.slice(0, tokenLength), encoding);
  const mask = /\$[A-Z][A-Z0-9_]*|\(another token of \d+ characters\)/.exec(start);
  if (tokenLength !== undefined) return mask === null ? undefined : start;
  return mask?.index === 0 ? mask[0] : undefined;
}

/** Recomputes a signature with a secret, whose text replaces its mask, and compares it with the one that was sent. */
export function recomputed(shown: ShownSignature, secret: string): Outcome {
  const mask = maskOf(shown);
  const text = asLatin1(shown.text, shown.encoding);
  const filled = mask === undefined ? text : text.replaceAll(mask, () => latin1Of(utf8ToBytes(secret)));
  if (filled.length !== shown.bytes) {
    const isElsewhere = mask === undefined || shown.bytes - text.length > longestSecret;
    return isElsewhere ? { kind: 'incomplete' } : { kind: 'length', bytes: filled.length };
  }
  const bytes = Uint8Array.from(filled, (character) => character.charCodeAt(0));
  const computed = bytesToHex(shown.scheme === 'md5' ? md5(bytes) : hmac(sha256, utf8ToBytes(secret), bytes));
  return { kind: computed === shown.signature ? 'matches' : 'differs', computed };
}

/** By how much a string to sign can grow with a secret in it, in bytes; what is longer was shortened. */
const longestSecret = 1000;

/** The bytes of a text of the page, one a character. */
function asLatin1(text: string, encoding: string): string {
  return encoding === 'base64' ? decoded(text) : latin1Of(utf8ToBytes(text));
}

/** Base64 that was shortened may end anywhere. */
function decoded(base64: string): string {
  return atob(base64.slice(0, base64.length - (base64.length % 4)));
}

function latin1Of(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}
