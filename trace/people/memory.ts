import { endpointAt } from '../../contract/endpoints.ts';
import { jsonStrings } from './json.ts';
import type { SignedRequest } from '../../client/sign.ts';
import { readableText, heldBack, type Received } from './body.ts';
import { withoutEntities } from './markup.ts';
import { remembering, type Mask, addValue, maskOfValues, noValues, wordsMask, type Values } from './words-mask.ts';
import { marksUnder, percentDecoded, pieceOfTarget, type Allowance } from './veil.ts';

/** The part of a request that can come back. */
type Sent = Pick<SignedRequest, 'target' | 'rawBody' | 'headers' | 'isLink'>;

const mostSent = { text: 200_000, values: 5_000, characters: 5_000 };

/**
 * The values that the suite sent with a request, as they may come back in an answer: the texts of its body, the pieces of its path and of
 * addresses that it told. What stands in headers is left out: tokens do.
 */
function sentValues({ target, rawBody, headers, isLink }: Sent): string[] {
  // A link is the target's, wherever it leads.
  if (isLink) return [];
  const text = rawBody && !isForm(headers) ? readableText(rawBody)?.text.slice(0, mostSent.text) : undefined;
  const ofBody =
    text === undefined ? [] : [text, ...(text.trimStart().startsWith('<') ? xmlTexts(text) : jsonStrings(text))];
  const values = [target, ...piecesOf(target), ...ofBody, ...ofBody.filter(isLinkText).flatMap(piecesOf)];
  return [...new Set(values)]
    .filter((value) => value.length > 1 && value.length <= mostSent.characters)
    .slice(0, mostSent.values);
}

/**
 * The ids that the suite sent with a request: they may come back in any answer and delivery of the run. Whoever was looked up is
 * none.
 */
function sentIds({ target, rawBody, headers, isLink }: Sent): string[] {
  if (isLink) return [];
  const isLookup = /\/(?:consultas|cadastro)\/c(?:pf|npj)\//.test(target);
  const ofPath = isLookup ? [] : [target, ...piecesOf(target)];
  const text = rawBody && !isForm(headers) ? rawBody.subarray(0, mostSent.text).toString('utf8') : '';
  const ofBody = jsonTexts(text, ['id', 'uri']).flatMap((value) => [
    value,
    ...(isLinkText(value) ? piecesOf(value) : []),
  ]);
  return [...new Set([...ofPath, ...ofBody])].filter((value) => value.length > 1 && value.length <= longestId);
}

const longestId = 300;

/** The id of the company that was registered by that request: it is as good as made by the suite. Section 2.2. */
function madeIds({ method, target }: Pick<SignedRequest, 'method' | 'target'>, { rawBody }: Answer): string[] {
  if (endpointAt(method, target)?.name !== 'empresa-registration') return [];
  return jsonTexts(rawBody.subarray(0, mostSent.text).toString('utf8'), ['empresaId']).filter(isOpaque);
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
  return (target.match(pieceOfTarget) ?? []).flatMap((piece) => [piece, percentDecoded(piece)]);
}

function xmlTexts(text: string): string[] {
  const texts = (text.match(/>[^<>]+</g) ?? []).map((found) => found.slice(1, -1));
  const attributes = (text.match(/="[^"<>]*"/g) ?? []).map((found) => found.slice(2, -1));
  return [...texts, ...attributes].map((found) => withoutEntities(found.trim()));
}

/** What is known of people at somebody's server: plain data, so that it can travel. What is sent and received adds to it. */
export interface People {
  /** Everybody in the profile, in every spelling, each with what stands for it. */
  readonly known: ReadonlyMap<string, string>;
  /** What was received and is not shown. */
  readonly held: Values;
  /** Ids that the suite made or sent, in whatever exchange. */
  readonly sent: Set<string>;
  /** What marks are made under: nobody who does not know it can try a guess. */
  readonly markKey: string;
}

/** So much is remembered of what was sent and received; what came first is forgotten first, all that was held back at once. */
const most = { sent: 50_000, steps: 400_000 };

/** What is known of people before anything was sent. */
export function newPeople(known: ReadonlyMap<string, string>, markKey: string, own: readonly string[] = []): People {
  return { known, held: noValues(), sent: new Set(own), markKey };
}

/** By what evidence is shown; `stands` are the texts that a mask puts in the place of secrets. */
export function allowanceOf({ known, sent, markKey }: People, stands: Iterable<string>): Allowance {
  return {
    known: maskOfKnown(known),
    isOwn: (value) => sent.has(value),
    stands: new Set([...stands, ...known.values(), ...ownStands]),
    mark: marksUnder(markKey),
  };
}

/** What stands for the secrets of an application that is made by a check: the first, and the one that came by each rotation. */
export const secretStands = ['$APP_SECRET', '$NEW_APP_SECRET', '$NEWER_APP_SECRET'] as const;

/** What stands for a secret that came by so many rotations. */
export function secretStand(rotations: number): string {
  return secretStands[rotations] ?? '$NEWER_APP_SECRET';
}

/** What masks put in the place of tokens, whatever the settings are. */
const ownStands = ['$linkToken', '$cookie', '$WEBHOOK_TOKEN', ...secretStands];

const masks = new WeakMap<object, Mask>();
/** A body shows in a request, in its string to sign and in how it was signed, and in the trace besides. */
const mostRemembered = 500;

/** The mask of the same people, made once: each check asks for it. */
function maskOfKnown(known: ReadonlyMap<string, string>): Mask {
  const made = masks.get(known) ?? remembering(wordsMask(known), mostRemembered);
  masks.set(known, made);
  return made;
}

/** Hides in free texts, which quote answers, everybody who is known and what was received that is not shown. */
export function maskOfPeople({ known, held, sent }: People): Mask {
  const hideKnown = maskOfKnown(known);
  const hideHeld = maskOfValues(held, (value) => sent.has(value));
  return (text) => hideHeld(hideKnown(text));
}

/** The same where an answer is shown: what was sent with its request may come back in it. */
export function allowingSent(allowance: Allowance, request: Sent): Allowance {
  const sent = new Set(sentValues(request));
  return { ...allowance, isOwn: (value) => sent.has(value) || allowance.isOwn(value) };
}

/** Remembers the ids that were sent, and that of a company that was registered. */
export function rememberSent({ sent }: People, request: SignedRequest, response?: { readonly rawBody: Buffer }): void {
  const made = response ? madeIds(request, response) : [];
  for (const value of [...sentIds(request), ...made]) sent.add(value);
  for (const value of sent) {
    if (sent.size <= most.sent) break;
    sent.delete(value);
  }
}

/** Remembers what of a message is not shown; the mask hides the secrets that may stand in it. */
export function rememberReceived(people: People, received: Received, mask: Mask, allowance: Allowance): void {
  const { held } = people;
  if (held.next.size > most.steps) {
    held.next.clear();
    held.ends.clear();
    held.added.clear();
  }
  // A retry brings the same again, and so, nearly, does a delivery whose case is made smaller.
  const isNew = (value: string): boolean => !held.added.has(value);
  for (const [value, stand] of heldBack(received, allowance, mask, isNew)) addValue(held, value, stand);
}
