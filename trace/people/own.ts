import { endpointAt } from '../../contract/endpoints.ts';
import { jsonStrings } from './json.ts';
import type { SignedRequest } from '../../client/sign.ts';
import { readableText } from './readable.ts';
import { withoutEntities } from './markup.ts';

/** The part of a request that can come back. */
export type Sent = Pick<SignedRequest, 'target' | 'rawBody' | 'headers' | 'isLink'>;

const most = { text: 200_000, values: 5_000, characters: 5_000 };

/**
 * The values that the suite sent with a request, as they may come back in an answer: the texts of its body, the pieces of its path and of
 * addresses that it told. What stands in headers is left out: tokens do.
 */
export function sentValues({ target, rawBody, headers, isLink }: Sent): string[] {
  // A link is the target's, wherever it leads.
  if (isLink) return [];
  const text = rawBody && !isForm(headers) ? readableText(rawBody)?.text.slice(0, most.text) : undefined;
  const ofBody =
    text === undefined ? [] : [text, ...(text.trimStart().startsWith('<') ? xmlTexts(text) : jsonStrings(text))];
  const values = [target, ...piecesOf(target), ...ofBody, ...ofBody.filter(isLinkText).flatMap(piecesOf)];
  return [...new Set(values)]
    .filter((value) => value.length > 1 && value.length <= most.characters)
    .slice(0, most.values);
}

/**
 * The ids that the suite sent with a request: they may come back in any answer and delivery of the run. Whoever was looked up is
 * none.
 */
export function sentIds({ target, rawBody, headers, isLink }: Sent): string[] {
  if (isLink) return [];
  const isLookup = /\/(?:consultas|cadastro)\/c(?:pf|npj)\//.test(target);
  const ofPath = isLookup ? [] : [target, ...piecesOf(target)];
  const text = rawBody && !isForm(headers) ? rawBody.subarray(0, most.text).toString('utf8') : '';
  const ofBody = jsonTexts(text, ['id', 'uri']).flatMap((value) => [
    value,
    ...(isLinkText(value) ? piecesOf(value) : []),
  ]);
  return [...new Set([...ofPath, ...ofBody])].filter((value) => value.length > 1 && value.length <= longestId);
}

const longestId = 300;

/** The id of the company that was registered by that request: it is as good as made by the suite. Section 2.2. */
export function madeIds({ method, target }: Pick<SignedRequest, 'method' | 'target'>, { rawBody }: Answer): string[] {
  if (endpointAt(method, target)?.name !== 'empresa-registration') return [];
  return jsonTexts(rawBody.subarray(0, most.text).toString('utf8'), ['empresaId']).filter(isOpaque);
}

interface Answer {
  readonly rawBody: Buffer;
}

/** An id without blanks that is no number of anybody. */
function isOpaque(id: string): boolean {
  return /^[\w.~-]{2,64}$/.test(id) && !/^(?:\d{11}|\d{8})$/.test(id);
}

/** The texts of members of these names at the top of a JSON object. */
function jsonTexts(text: string, names: readonly string[]): string[] {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null) return [];
    return Object.entries(body).flatMap(([name, value]: [string, unknown]) =>
      names.includes(name) && typeof value === 'string' ? [value] : [],
    );
  } catch {
    return [];
  }
}

/** A form holds a file and its password, neither of which comes back. */
function isForm(headers: Sent['headers']): boolean {
  return headers.some(([name, value]) => name.toLowerCase() === 'content-type' && /^multipart\//i.test(value));
}

function isLinkText(text: string): boolean {
  return /^https?:\/\/\S{1,500}$/i.test(text);
}

function piecesOf(target: string): string[] {
  return target.split(/[/?#&=]/).flatMap((piece) => [piece, decoded(piece)]);
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}

function xmlTexts(text: string): string[] {
  const texts = (text.match(/>[^<>]+</g) ?? []).map((found) => found.slice(1, -1));
  const attributes = (text.match(/="[^"<>]*"/g) ?? []).map((found) => found.slice(2, -1));
  return [...texts, ...attributes].map((found) => withoutEntities(found.trim()));
}
