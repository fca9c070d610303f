import { createHmac } from 'node:crypto';
import type { ClauseId } from '../../contract/catalogue.ts';
import type { Arrival } from '../../client/receiver-arrival.ts';
import { deliveryHeader, deliverySignature } from '../../client/verify-delivery.ts';

/** What a signature is compared with. */
export interface SigningFacts {
  /** The secret that is to have signed. */
  readonly appSecret: string;
  readonly headerPrefix: string;
  /** Other texts that might have been taken for the key, by what they are. */
  readonly otherKeys: Readonly<Record<string, string>>;
}

/** What is wrong with a signature, and the clause that it breaks. */
export interface SignatureFault {
  readonly clause: Extract<ClauseId, `webhook-signature.${string}`>;
  readonly actual: string;
  readonly hint?: string;
}

/** How signatures go wrong, other than by their key or their letters: what is hashed, and how it is written. */
const wrongRecipes: readonly { readonly name: string; readonly sign: (facts: Parts) => string }[] = [
  { name: 'of the body alone', sign: ({ key, body }) => hmac(key, body) },
  { name: 'without the dot', sign: ({ key, timestamp, body }) => hmac(key, timestamp + body) },
  { name: 'with a colon for the dot', sign: ({ key, timestamp, body }) => hmac(key, `${timestamp}:${body}`) },
  { name: 'of the body first', sign: ({ key, timestamp, body }) => hmac(key, `${body}.${timestamp}`) },
  {
    name: 'of the JSON written anew',
    sign: ({ key, timestamp, body }) => hmac(key, `${timestamp}.${rewritten(body)}`),
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
export function signatureFault(arrival: Arrival, facts: SigningFacts): SignatureFault | undefined {
  const { appSecret, headerPrefix, otherKeys } = facts;
  const timestamp = deliveryHeader(arrival, headerPrefix, 'Timestamp') ?? '';
  const signature = deliveryHeader(arrival, headerPrefix, 'Signature') ?? '';
  const right = deliverySignature(appSecret, timestamp, arrival.rawBody);
  if (signature === right) return undefined;
  const actual = signature === '' ? 'no signature' : signature;
  if (signature.toLowerCase() === right) return { clause: 'webhook-signature.lowercase-hex', actual };
  for (const [name, key] of Object.entries(otherKeys)) {
    if (signature !== deliverySignature(key, timestamp, arrival.rawBody)) continue;
    return { clause: 'webhook-signature.key', actual, hint: `the key is ${name}` };
  }
  const parts = { key: appSecret, timestamp, body: arrival.rawBody.toString('utf8') };
  const recipe = wrongRecipes.find(({ sign }) => sign(parts) === signature);
  const hint = recipe ? { hint: `the signature is made ${recipe.name}` } : {};
  return { clause: 'webhook-signature.hmac-of-timestamp-and-body', actual, ...hint };
}

function hmac(key: string, text: string, algorithm = 'sha256'): string {
  return createHmac(algorithm, key).update(text).digest('hex');
}

function rewritten(body: string): string {
  try {
    return isDeep(body) ? body : JSON.stringify(JSON.parse(body));
  } catch {
    return body;
  }
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
