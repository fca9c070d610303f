import type { SignedParts, CallerFacts } from '../contract/request.ts';
import { uploadNotShown } from '../schemas/evidence.ts';
import type { BodyEvidence, CallerEvidence, Evidence, SignedEvidence } from '../schemas/evidence.ts';
import type { Arrival, Exchange, Response } from './exchange.ts';
import { sign, headersAsSent, type SignedRequest } from '../client/sign.ts';
import { type Mask, maskedStart } from './people/words-mask.ts';
import { shownBody, readableText, sizeAndKind } from './people/body.ts';
import { shownHeader, shownHeaderName } from './people/headers.ts';
import { shownTarget, viewOf, type Allowance, type Veil } from './people/veil.ts';
import { allowingSent } from './people/memory.ts';
import { signingOf } from './signing.ts';
import { withoutTokenInTarget } from './links.ts';

type PartName = keyof SignedParts | 'separator';

/** Characters of a body that evidence keeps where nothing else is asked for; the rest is left out and its `bytes` says so. */
const longestBodyText = 20_000;

/**
 * Evidence of an exchange; of a file that was uploaded only its size shows: it holds a private key. What was received is shown by the allowance of the veil, where there is one; what was
 * sent, but for people that are known.
 */
export function evidenceOf(exchange: Exchange, veil: Veil, longest = longestBodyText): Evidence {
  const { request, response, sentAtMs } = exchange;
  const ours = maskOfOurs(veil);
  const signing = signingOf(request, ours, longest);
  return {
    ...messagesOf(exchange, veil, longest),
    ...(request.isLink ? {} : { stringToSign: stringToSignEvidence(request.parts, ours, longest) }),
    ...(signing ? { signing } : {}),
    ...rightSignatureOf(request),
    ...(request.origin?.caller ? { caller: callerEvidence(request.origin.caller) } : {}),
    ...(sentAtMs === undefined ? {} : { at: sentAtMs }),
    ...(response?.connection === undefined ? {} : { connection: response.connection }),
  };
}

/** The sign that is due to what was sent, where another was sent on purpose. */
function rightSignatureOf({ headers, parts, isLink }: SignedRequest): Pick<Evidence, 'rightSignature'> {
  const given = headers.find(([name]) => name.toLowerCase() === 'sign')?.[1];
  const right = sign(parts);
  return isLink || given === undefined || given === right ? {} : { rightSignature: right };
}

/** Of a caller its condition: who it is a report knows by what stands for its secret. */
export function callerEvidence({ standing, isMade, hasOwnClock }: CallerFacts): CallerEvidence {
  const { subscriptions, ...rest } = standing;
  const scopes = subscriptions === undefined || subscriptions === 'all' ? subscriptions : [...subscriptions];
  return {
    standing: { ...rest, ...(scopes === undefined ? {} : { subscriptions: scopes }) },
    ...(isMade ? { isMade } : {}),
    ...(hasOwnClock ? { hasOwnClock } : {}),
  };
}

/** The same without how it was signed. */
export function messagesOf(exchange: Exchange, veil: Veil, longest: number): Evidence {
  const { request, response, error } = exchange;
  const ours = maskOfOurs(veil);
  return {
    request: {
      method: request.method,
      target: request.isLink ? withoutTokenInTarget(ours(request.target)) : ours(request.target),
      headers: headersAsSent(request).map(([name, value]): [string, string] => [name, ours(value)]),
      ...(request.rawBody ? { body: requestBody(request, request.rawBody, ours, longest) } : {}),
    },
    ...(response ? { response: responseEvidence(response, withSent(veil, request), longest) } : {}),
    ...(error === undefined ? {} : { error: ours(error) }),
    durationMs: Math.round(exchange.durationMs * 100) / 100,
  };
}

/** Evidence of a delivery that came to us: a request whose string to sign is timestamp, dot and body. */
export function evidenceOfDelivery(
  { method, target, headers, rawBody, codedBody, wholeBytes }: Arrival,
  veil: Veil,
  longest = longestBodyText,
): Evidence {
  const shownHeaders = headersReceived(headers, veil);
  const timestamp = shownHeaders.find(([name]) => /-timestamp$/i.test(name))?.[1] ?? '';
  const body = wholly(bodyReceived(rawBody, veil, longest), { rawBody, wholeBytes });
  return {
    request: { method, target: targetReceived(target, veil), headers: shownHeaders, body },
    stringToSign: signedDelivery(timestamp, codedBody ? inItsCoding(codedBody) : body),
    received: true,
    durationMs: 0,
  };
}

/** A body whose codings were undone: nothing that is to be hidden could be found in it as it came. */
function inItsCoding({ length }: Buffer): BodyEvidence {
  return { text: '(the body as it came, in its content coding)', encoding: 'utf-8', bytes: length, cut: true };
}

/** Hides secrets and the people that are known: of what the suite wrote itself everything else is shown. */
function maskOfOurs({ mask, allowance }: Veil): Mask {
  return allowance ? (text) => allowance.known(mask(text)) : mask;
}

/** The veil over an answer: what was sent with its request may come back. */
function withSent(veil: Veil, request: SignedRequest): Veil {
  const { allowance } = veil;
  if (!allowance) return veil;
  return { ...veil, allowance: allowingSent(allowance, request) };
}

function responseEvidence(response: Response, veil: Veil, longest: number): NonNullable<Evidence['response']> {
  const { status, headers, rawBody } = response;
  return {
    status,
    headers: headersReceived(headers, veil),
    body: wholly(bodyReceived(rawBody, veil, longest), response),
  };
}

/** The headers of an answer as evidence shows them. */
export function headersReceived(headers: Response['headers'], { mask, allowance }: Veil): [string, string][] {
  // Anything may stand in the name of a header, too.
  if (!allowance) return headers.map(([name, value]) => [mask(name), mask(value)]);
  const view = viewOf(allowance);
  return headers.map(([name, value]) => [
    allowance.known(shownHeaderName(mask(name), view)),
    allowance.known(shownHeader(name, mask(value), view)),
  ]);
}

function targetReceived(target: string, { mask, allowance }: Veil): string {
  const masked = mask(target);
  return allowance ? allowance.known(shownTarget(masked, viewOf(allowance))) : masked;
}

/** Of a text that is shown by allowance so many times the length is read that is asked for: much of it gets shorter. */
const readAhead = 4;

function bodyReceived(rawBody: Buffer, { mask, allowance }: Veil, longest: number): BodyEvidence {
  if (!allowance) return bodyEvidence(rawBody, mask, longest);
  const bytes = rawBody.length;
  const readable = readableText(rawBody);
  if (!readable) return { text: sizeAndKind(rawBody), encoding: 'utf-8', bytes, cut: true };
  const { text, readAs } = readable;
  const most = longest * readAhead;
  const { text: masked, cut: isCut = false } = startOf(text, mask, most);
  const shown = shownText(masked, readAs, allowance);
  return {
    text: shown.slice(0, longest),
    ...(isCut || shown.length > longest ? { cut: true } : {}),
    encoding: 'utf-8',
    bytes,
  };
}

function shownText(text: string, readAs: string | undefined, allowance: Allowance): string {
  const lead = readAs === undefined ? '' : `(no UTF-8: read as ${readAs}) `;
  return lead + shownBody(text, allowance);
}

function stringToSignEvidence(
  { token, path, body, timestamp }: SignedParts,
  mask: Mask,
  longest: number,
): SignedEvidence {
  const texts: readonly (readonly [PartName, string])[] = [
    ['token', token],
    ['path', path],
    ['body', body.toString('utf8')],
    ['timestamp', timestamp],
  ];
  const bytes = texts.reduce((sum, [name, text]) => sum + (name === 'body' ? body.length : Buffer.byteLength(text)), 0);
  if (!Buffer.from(body.toString('utf8'), 'utf8').equals(body))
    return inBase64({ token, path, body, timestamp }, mask, longest);
  return signedText(
    texts.map(([name, text]) => ({ name, text: maskedStart(text, mask, longest) })),
    bytes,
    longest,
  );
}

/** A string to sign whose body is no UTF-8. */
function inBase64({ token, path, body, timestamp }: SignedParts, mask: Mask, longest: number): SignedEvidence {
  const text = (part: string): Buffer => Buffer.from(part, 'utf8');
  return bodyEvidence(Buffer.concat([text(token), text(path), body, text(timestamp)]), mask, longest);
}

function signedDelivery(timestamp: string, { text, encoding, bytes, cut: isCut }: BodyEvidence): SignedEvidence {
  const whole = bytes + timestamp.length + 1;
  if (encoding === 'base64') {
    const before = Buffer.from(`${timestamp}.`);
    const signed = Buffer.concat([before, Buffer.from(text, 'base64')]).toString('base64');
    return { text: signed, ...(isCut ? { cut: true } : {}), encoding, bytes: whole };
  }
  const parts = [
    { name: 'timestamp', text: timestamp },
    { name: 'separator', text: '.' },
    { name: 'body', text },
  ] as const;
  return { ...signedText(parts, whole, Infinity), ...(isCut ? { cut: true } : {}) };
}

/** A part of a string to sign, as it shows. */
interface SignedPart {
  readonly name: PartName;
  readonly text: string;
}

/** The parts as one text. Each was masked by itself, so that nothing that is hidden reaches across two, and none is lost. */
function signedText(parts: readonly SignedPart[], bytes: number, longest: number): SignedEvidence {
  let left = longest;
  const lengths = parts.map(({ name, text }) => {
    const length = Math.min(left, text.length);
    left -= length;
    return { name, length };
  });
  const whole = parts.map(({ text }) => text).join('');
  return { ...cut(whole, longest), encoding: 'utf-8', bytes, parts: lengths };
}

function requestBody({ headers }: SignedRequest, rawBody: Buffer, mask: Mask, longest: number): BodyEvidence {
  const isMultipart = headers.some(([name, value]) => /^content-type$/i.test(name) && /^multipart\//i.test(value));
  const body = bodyEvidence(rawBody, mask, longest);
  if (!isMultipart || body.encoding === 'utf-8') return body;
  return { text: uploadNotShown, encoding: 'utf-8', bytes: body.bytes, cut: true };
}

function bodyEvidence(rawBody: Buffer, mask: Mask, longest: number): BodyEvidence {
  const bytes = rawBody.length;
  const text = rawBody.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(rawBody)) return { ...startOf(text, mask, longest), encoding: 'utf-8', bytes };
  const masked = Buffer.from(maskedStart(rawBody.toString('latin1'), mask, longest), 'latin1');
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

function startOf(text: string, mask: Mask, longest: number): { text: string; cut?: true } {
  return cut(maskedStart(text, mask, longest), longest);
}

function cut(text: string, longest: number): { text: string; cut?: true } {
  return text.length <= longest ? { text } : { text: text.slice(0, longest), cut: true };
}
