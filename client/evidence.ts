import { stringToSign } from './sign.ts';
import { maskFor, type Mask } from './mask.ts';
import type { Arrival } from './receiver-arrival.ts';
import type { Exchange } from './transport.ts';

/** Bytes of a body as a report shows them. */
export interface BodyEvidence {
  text: string;
  encoding: 'utf-8' | 'base64';
  /** How many bytes there were, before masking and shortening. */
  bytes: number;
}

/** An exchange as a report shows it: secrets masked, nothing else changed. */
export interface Evidence {
  request: { method: string; target: string; headers: [string, string][]; body?: BodyEvidence };
  stringToSign: BodyEvidence;
  response?: { status: number; headers: [string, string][]; body: BodyEvidence };
  error?: string;
  /** The request is a delivery that came to us. */
  received?: true;
  durationMs: number;
}

/** Characters of a body that evidence keeps; the rest is left out and its `bytes` says so. */
const longestBodyText = 20_000;

/** Evidence of an exchange; a token that is not the application's secret shows only its length. */
export function evidenceOf(exchange: Exchange, mask: Mask): Evidence {
  const { request, response, error } = exchange;
  const maskAll = hidingToken(mask, request.parts.token);
  const headers = (pairs: readonly (readonly [string, string])[]): [string, string][] =>
    pairs.map(([name, value]) => [name, maskAll(value)]);
  return {
    request: {
      method: request.method,
      target: maskAll(request.target),
      headers: headers(request.headers),
      ...(request.rawBody ? { body: bodyEvidence(request.rawBody, maskAll) } : {}),
    },
    stringToSign: bodyEvidence(stringToSign(request.parts), maskAll),
    ...(response
      ? {
          response: {
            status: response.status,
            headers: headers(response.headers),
            body: bodyEvidence(response.rawBody, maskAll),
          },
        }
      : {}),
    ...(error === undefined ? {} : { error: maskAll(error) }),
    durationMs: Math.round(exchange.durationMs * 100) / 100,
  };
}

/** Evidence of a delivery that came to us: a request whose string to sign is timestamp, dot and body. */
export function evidenceOfDelivery({ method, target, headers, rawBody }: Arrival, mask: Mask): Evidence {
  const timestamp = headers.find(([name]) => /-timestamp$/i.test(name))?.[1] ?? '';
  const signed = Buffer.concat([Buffer.from(`${timestamp}.`), rawBody]);
  return {
    request: {
      method,
      target: mask(target),
      headers: headers.map(([name, value]): [string, string] => [name, mask(value)]),
      body: bodyEvidence(rawBody, mask),
    },
    stringToSign: bodyEvidence(signed, mask),
    received: true,
    durationMs: 0,
  };
}

/** Below this a token can't be nearly a secret, and hiding it would blot out half a report. */
const leastTokenLength = 6;

/** Hides a token that a flaw changed as well: it may still be nearly the secret. */
function hidingToken(mask: Mask, token: string): Mask {
  if (token.length < leastTokenLength || mask(token) !== token) return mask;
  const hide = maskFor(new Map([[token, `(another token of ${token.length} characters)`]]));
  return (text) => hide(mask(text));
}

function bodyEvidence(rawBody: Buffer, mask: Mask): BodyEvidence {
  const bytes = rawBody.length;
  const text = rawBody.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(rawBody)) {
    return { text: mask(text).slice(0, longestBodyText), encoding: 'utf-8', bytes };
  }
  const masked = Buffer.from(mask(rawBody.toString('latin1')), 'latin1');
  return { text: masked.toString('base64').slice(0, longestBodyText), encoding: 'base64', bytes };
}
