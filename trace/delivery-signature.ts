import { createHmac } from 'node:crypto';
import type { Arrival } from './exchange.ts';
import { deliveryHeader, deliverySignature, hasToken, signedBytesOf, tokenOf } from '../client/verify-delivery.ts';
import type { DeliveryContext } from './records.ts';

/** What a signature is compared with. */
export interface DeliverySigner {
  /** The secret that is to have signed. */
  readonly appSecret: string;
  readonly headerPrefix: string;
  /** Other texts that might have been taken for the key, by what they are. */
  readonly otherKeys: Readonly<Record<string, string>>;
}

/** What is wrong with a signature, and the clause that it breaks. */
export interface SignatureFault {
  readonly clause: keyof typeof kinds;
  readonly actual: string;
  readonly hint?: string;
}

/** How signatures go wrong, other than by their key or their letters: what is hashed, and how it is written. */
const wrongRecipes: readonly { readonly name: string; readonly sign: (facts: Parts) => string }[] = [
  {
    name: 'without its leading zeros',
    sign: ({ key, timestamp, body }) => hmac(key, `${timestamp}.${body}`).replace(/^0+/, ''),
  },
  {
    name: 'without the leading zero of each byte',
    sign: ({ key, timestamp, body }) => hmac(key, `${timestamp}.${body}`).replaceAll(/0(.)|(..)/g, '$1$2'),
  },
  { name: 'of the body alone', sign: ({ key, body }) => hmac(key, body) },
  { name: 'without the dot', sign: ({ key, timestamp, body }) => hmac(key, timestamp + body) },
  { name: 'with a colon for the dot', sign: ({ key, timestamp, body }) => hmac(key, `${timestamp}:${body}`) },
  { name: 'of the body first', sign: ({ key, timestamp, body }) => hmac(key, `${body}.${timestamp}`) },
  {
    name: 'of the JSON written anew',
    sign: ({ key, timestamp, body }) => hmac(key, `${timestamp}.${rewritten(body)}`),
  },
  {
    name: 'of the JSON written anew with spaces',
    sign: ({ key, timestamp, body }) => hmac(key, `${timestamp}.${rewritten(body, spaced)}`),
  },
  {
    name: 'of the JSON written anew with spaces and escapes',
    sign: ({ key, timestamp, body }) => hmac(key, `${timestamp}.${escaped(rewritten(body, spaced))}`),
  },
  {
    name: 'of the body in Latin-1',
    sign: ({ key, timestamp, body }) =>
      hmac(key, Buffer.from(`${timestamp}.${body.replaceAll(/[^\0-\xff]/gu, '?')}`, 'latin1')),
  },
  { name: 'by HMAC-SHA1', sign: ({ key, timestamp, body }) => hmac(key, `${timestamp}.${body}`, 'sha1') },
  { name: 'by HMAC-MD5', sign: ({ key, timestamp, body }) => hmac(key, `${timestamp}.${body}`, 'md5') },
  {
    name: 'in base64',
    sign: ({ key, timestamp, body }) => createHmac('sha256', key).update(`${timestamp}.${body}`).digest('base64'),
  },
];

interface Parts {
  readonly key: string;
  readonly timestamp: string;
  readonly body: string;
}

/** What is wrong with the signature of a delivery; `undefined` where it is right. Sections 2.1, 6.1 and 6.2. */
export function signatureFault(arrival: Arrival, facts: DeliverySigner): SignatureFault | undefined {
  const { appSecret, headerPrefix, otherKeys } = facts;
  const timestamp = deliveryHeader(arrival, headerPrefix, 'Timestamp') ?? '';
  const signature = deliveryHeader(arrival, headerPrefix, 'Signature') ?? '';
  const bytes = signedBytesOf(arrival);
  const right = deliverySignature(appSecret, timestamp, bytes);
  if (signature === right) return undefined;
  const actual = signature === '' ? 'no signature' : signature;
  if (signature.toLowerCase() === right) return { clause: 'webhook-signature.lowercase-hex', actual };
  for (const [name, key] of Object.entries(otherKeys)) {
    if (signature !== deliverySignature(key, timestamp, bytes)) continue;
    return { clause: 'webhook-signature.key', actual, hint: `the key is ${name}` };
  }
  if (signature.includes(right)) {
    const hint = 'the signature has something around it';
    return { clause: 'webhook-signature.hmac-of-timestamp-and-body', actual, hint };
  }
  const parts = { key: appSecret, timestamp, body: bytes.toString('utf8') };
  const recipe = wrongRecipes.find(({ sign }) => sign(parts) === signature);
  const hint = recipe ? { hint: `the signature is made ${recipe.name}` } : {};
  return { clause: 'webhook-signature.hmac-of-timestamp-and-body', actual, ...hint };
}

/** Whoever a delivery may be signed by. */
interface Signers {
  /** The App Secrets that its application has had, the last one now. */
  readonly secrets: readonly string[];
  readonly token: string | undefined;
  readonly appKey: string | undefined;
  readonly headerPrefix: string;
}

/** What the signature of a delivery is, by the secrets that are known; nothing without any. */
export function signatureOf(
  arrival: Arrival,
  { secrets, token, appKey, headerPrefix }: Signers,
): Pick<DeliveryContext, 'signature' | 'signatureHint' | 'rightSignature'> {
  const appSecret = secrets.at(-1);
  if (appSecret === undefined) return {};
  const otherKeys = {
    ...Object.fromEntries(secrets.slice(0, -1).map((former, at) => [`former ${at}`, former])),
    ...(token === undefined ? {} : { 'the verification token': token }),
    ...(appKey === undefined ? {} : { 'the App Key': appKey }),
  };
  const fault = signatureFault(arrival, { appSecret, headerPrefix, otherKeys });
  if (!fault) return { signature: 'right' };
  const timestamp = deliveryHeader(arrival, headerPrefix, 'Timestamp') ?? '';
  const rightSignature = deliverySignature(appSecret, timestamp, signedBytesOf(arrival));
  if (fault.hint?.startsWith('the key is former')) return { signature: 'by a former secret', rightSignature };
  const hint = fault.hint === undefined ? {} : { signatureHint: fault.hint };
  return { signature: kinds[fault.clause], ...hint, rightSignature };
}

/** What the token of a delivery is, of the tokens that its address was registered with, and of the secrets of its application. Section 6.2. */
export function tokenAmong(
  arrival: Arrival,
  registered: readonly string[],
  secrets: readonly string[],
): Pick<DeliveryContext, 'hasToken' | 'tokenHint'> {
  if (registered.some((token) => hasToken(arrival, token))) return { hasToken: true };
  const came = tokenOf(arrival) ?? '';
  const made = registered.map((token) => madeOf(token, came)).find((hint) => hint !== undefined);
  const tokenHint = secrets.includes(came) ? 'the App Secret' : made;
  return {
    ...(registered.length === 0 ? {} : { hasToken: false }),
    ...(tokenHint === undefined ? {} : { tokenHint }),
  };
}

/** Where a delivery gives a secret of its application away, besides its token header, which is told of by itself. Section 2.1. */
export function secretAmong(
  { headers, rawBody }: Arrival,
  secrets: readonly string[],
): Pick<DeliveryContext, 'secretIn'> {
  const isIn = (value: string | Buffer): boolean => secrets.some((secret) => value.includes(secret));
  const header = headers.find(([name, value]) => name.toLowerCase() !== 'token' && isIn(value));
  const secretIn = header?.[0].toLowerCase() ?? (isIn(rawBody) ? 'the body' : undefined);
  return secretIn === undefined ? {} : { secretIn };
}

/** How a token seems to be made of the one that was registered. */
function madeOf(token: string, came: string): string | undefined {
  if (came === '') return undefined;
  if (came.toLowerCase() === token.toLowerCase()) return 'the registered token in other letters';
  if (came === token.trim()) return 'the registered token without the white space around it';
  if (came === encodeURIComponent(token)) return 'the registered token, percent-encoded';
  if (token.startsWith(came))
    return `the first ${came.length} of the ${token.length} characters of the registered token`;
  if (token.endsWith(came)) return `the last ${came.length} of the ${token.length} characters of the registered token`;
  return came.includes(token) ? 'the registered token with something around it' : undefined;
}

const kinds = {
  'webhook-signature.lowercase-hex': 'in capitals',
  'webhook-signature.key': 'by another key',
  'webhook-signature.hmac-of-timestamp-and-body': 'wrong',
} as const;

function hmac(key: string, text: string | Buffer, algorithm = 'sha256'): string {
  return createHmac(algorithm, key).update(text).digest('hex');
}

function rewritten(body: string, write: (json: unknown) => string = JSON.stringify): string {
  try {
    return isDeep(body) ? body : write(JSON.parse(body));
  } catch {
    return body;
  }
}

/** JSON with a space behind each comma and colon, as some languages write it. */
function spaced(json: unknown): string {
  if (Array.isArray(json)) return `[${json.map(spaced).join(', ')}]`;
  if (typeof json !== 'object' || json === null) return JSON.stringify(json);
  return `{${Object.entries(json)
    .map(([name, value]) => `${JSON.stringify(name)}: ${spaced(value)}`)
    .join(', ')}}`;
}

function escaped(json: string): string {
  return json.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Levels of a body that is written anew at most: the time that writing takes grows with the square of them. */
const mostLevels = 1_000;

function isDeep(json: string): boolean {
  let level = 0;
  for (const [bracket] of json.matchAll(/[{}[\]]/g)) {
    level += bracket === '{' || bracket === '[' ? 1 : -1;
    if (level > mostLevels) return true;
  }
  return false;
}
