import { remembering, type Mask } from '../masking.ts';
import type { SignedRequest } from '../../client/sign.ts';
import { heldBack, type Received } from './held-back.ts';
import { madeIds, sentIds, sentValues, type Sent } from './own.ts';
import { marksUnder, type Allowance } from './veil.ts';
import { addValue, maskOfValues, noValues, wordsMask, type Values } from './words-mask.ts';

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

/** What masks put in the place of tokens, whatever the settings are. */
const ownStands = ['$linkToken', '$cookie', '$APP_SECRET', '$NEW_APP_SECRET', '$WEBHOOK_TOKEN'];

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
  }
  for (const [value, stand] of heldBack(received, allowance, mask)) addValue(held, value, stand);
}
