import type { SignedParts } from '../contract/request.ts';
import { maskFor, type Mask } from './mask.ts';
import { withoutTokenInTarget } from './personal-data.ts';
import type { Arrival } from '../client/receiver-arrival.ts';
import type { SignedRequest } from '../client/signed-request.ts';
import { signingOf, type Signing } from './signing.ts';
import type { Exchange } from '../client/transport.ts';

/** Bytes of a body as a report shows them. */
export interface BodyEvidence {
  text: string;
  encoding: 'utf-8' | 'base64';
  /** How many bytes there were, before masking and shortening. */
  bytes: number;
  /** The end of the text was left out. */
  cut?: true;
}

/** A string to sign as a report shows it. */
export interface SignedEvidence extends BodyEvidence {
  /** What the text is made of, from its start to its end, each with its length in UTF-16 units. */
  parts?: { name: PartName; length: number }[];
}

type PartName = keyof SignedParts | 'separator';

/** An exchange as a report shows it: secrets masked, nothing else changed. */
export interface Evidence {
  request: { method: string; target: string; headers: [string, string][]; body?: BodyEvidence };
  stringToSign?: SignedEvidence;
  /** How it was signed; absent of a delivery and of a link that was followed. */
  signing?: Signing;
  response?: { status: number; headers: [string, string][]; body: BodyEvidence };
  error?: string;
  /** The request is a delivery that came to us. */
  received?: true;
  durationMs: number;
}

/** Characters of a body that evidence keeps where nothing else is asked for; the rest is left out and its `bytes` says so. */
const longestBodyText = 20_000;

/**
 * Evidence of an exchange; a token that is not the application's secret shows only its length, and a file that was uploaded
 * only its size: it holds a private key.
 */
export function evidenceOf(exchange: Exchange, mask: Mask, longest = longestBodyText): Evidence {
  const { request, response, error } = exchange;
  const maskAll = hidingTokens(mask, [request.parts.token]);
  const signing = signingOf(request, maskAll);
  const headers = (pairs: readonly (readonly [string, string])[]): [string, string][] =>
    pairs.map(([name, value]) => [name, maskAll(value)]);
  return {
    request: {
      method: request.method,
      target: request.isLink ? withoutTokenInTarget(maskAll(request.target)) : maskAll(request.target),
      headers: headers(request.headers),
      ...(request.rawBody ? { body: requestBody(request, request.rawBody, maskAll, longest) } : {}),
    },
    ...(request.isLink ? {} : { stringToSign: stringToSignEvidence(request.parts, maskAll, longest) }),
    ...(signing ? { signing } : {}),
    ...(response
      ? {
          response: {
            status: response.status,
            headers: headers(response.headers),
            body: wholly(bodyEvidence(response.rawBody, maskAll, longest), response),
          },
        }
      : {}),
    ...(error === undefined ? {} : { error: maskAll(error) }),
    durationMs: Math.round(exchange.durationMs * 100) / 100,
  };
}

/** Evidence of a delivery that came to us: a request whose string to sign is timestamp, dot and body. */
export function evidenceOfDelivery(
  { method, target, headers, rawBody, wholeBytes }: Arrival,
  mask: Mask,
  longest = longestBodyText,
): Evidence {
  const timestamp = headers.find(([name]) => /-timestamp$/i.test(name))?.[1] ?? '';
  return {
    request: {
      method,
      target: mask(target),
      headers: headers.map(([name, value]): [string, string] => [name, mask(value)]),
      body: wholly(bodyEvidence(rawBody, mask, longest), { rawBody, wholeBytes }),
    },
    stringToSign: wholly(
      signedEvidence(
        [
          ['timestamp', Buffer.from(timestamp)],
          ['separator', Buffer.from('.')],
          ['body', rawBody],
        ],
        mask,
        longest,
      ),
      { rawBody, wholeBytes },
    ),
    received: true,
    durationMs: 0,
  };
}

/** Below this a token can't be nearly a secret, and hiding it would blot out half a report. */
const leastTokenLength = 6;

/** A mask that hides these tokens as well, which flaws have changed: each may still be nearly the secret. */
export function hidingTokens(mask: Mask, tokens: Iterable<string>): Mask {
  const others = [...tokens].filter((token) => token.length >= leastTokenLength && mask(token) === token);
  if (others.length === 0) return mask;
  const hide = maskFor(new Map(others.map((token) => [token, `(another token of ${token.length} characters)`])));
  return (text) => hide(mask(text));
}

function stringToSignEvidence(
  { token, path, body, timestamp }: SignedParts,
  mask: Mask,
  longest: number,
): SignedEvidence {
  const text = (part: string): Buffer => Buffer.from(part, 'utf8');
  return signedEvidence(
    [
      ['token', text(token)],
      ['path', text(path)],
      ['body', body],
      ['timestamp', text(timestamp)],
    ],
    mask,
    longest,
  );
}

/** The bytes of the parts as one text, with the length of each where it is a text and nothing hidden reaches across two. */
function signedEvidence(parts: readonly (readonly [PartName, Buffer])[], mask: Mask, longest: number): SignedEvidence {
  const whole = Buffer.concat(parts.map(([, bytes]) => bytes));
  const evidence = bodyEvidence(whole, mask, longest);
  const texts = parts.map(([name, bytes]) => ({ name, text: mask(bytes.toString('utf8')) }));
  const isApart = texts.map(({ text }) => text).join('') === mask(whole.toString('utf8'));
  if (evidence.encoding === 'base64' || !isApart) return evidence;
  let left = evidence.text.length;
  const lengths = texts.map(({ name, text }) => {
    const length = Math.min(left, text.length);
    left -= length;
    return { name, length };
  });
  return { ...evidence, parts: lengths };
}

function requestBody({ headers }: SignedRequest, rawBody: Buffer, mask: Mask, longest: number): BodyEvidence {
  const isMultipart = headers.some(([name, value]) => /^content-type$/i.test(name) && /^multipart\//i.test(value));
  const body = bodyEvidence(rawBody, mask, longest);
  if (!isMultipart || body.encoding === 'utf-8') return body;
  return { text: '(an uploaded file, not shown)', encoding: 'utf-8', bytes: body.bytes, cut: true };
}

function bodyEvidence(rawBody: Buffer, mask: Mask, longest: number): BodyEvidence {
  const bytes = rawBody.length;
  const text = rawBody.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(rawBody)) return { ...cut(mask(text), longest), encoding: 'utf-8', bytes };
  const masked = Buffer.from(mask(rawBody.toString('latin1')), 'latin1');
  return { ...cut(masked.toString('base64'), longest), encoding: 'base64', bytes };
}

/** A body of which perhaps only the start was kept. */
interface Kept {
  readonly rawBody: Buffer;
  readonly wholeBytes?: number | undefined;
}

/** The evidence of a body, or of what it stands in, with all the bytes that there were. */
function wholly<T extends BodyEvidence>(evidence: T, { rawBody, wholeBytes }: Kept): T {
  if (wholeBytes === undefined) return evidence;
  return { ...evidence, bytes: evidence.bytes + wholeBytes - rawBody.length, cut: true };
}

function cut(text: string, longest: number): { text: string; cut?: true } {
  return text.length <= longest ? { text } : { text: text.slice(0, longest), cut: true };
}
