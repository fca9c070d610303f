import type { ClauseId } from '../contract/catalogue.ts';
import { nfeOutcomes, verdictStates } from '../contract/values.ts';
import { member, isObject } from '../schemas/values.ts';
import { nfeResultFields } from '../schemas/invoice.ts';
import { brandHeader, type DeliveryRecord } from '../trace/records.ts';
import { isEncodedTwice } from './answers.ts';
import { type DeliveryPredicate, predicate, shown } from './predicate.ts';

/** What a delivery surely brings; `undefined` where that is not sure, since it may be somebody else's. Sections 2.3, 6.5, 6.6. */
export type Brought = 'callback' | 'wrapped callback' | 'verdict' | 'test' | undefined;

/** What a delivery brings, told by what its body holds and by the event type in body and header. */
export function broughtBy(record: DeliveryRecord): Brought {
  const { json } = record;
  const inBody = member(json, 'event_type');
  const types = new Set([inBody, brandHeader(record, 'Event')]);
  // What is a verdict by its body is one, though its header calls it a test.
  if (inBody === verdictType && isVerdict(member(json, 'data'))) return 'verdict';
  if (types.has('webhook.verify')) return 'test';
  // Names of a callback's fields may be added to a verdict.
  if (types.has(verdictType) && isVerdict(member(json, 'data'))) return 'verdict';
  if (isResult(json)) return 'callback';
  if (isResult(member(json, 'data')) || (Array.isArray(json) && isResult(json[0]))) return 'wrapped callback';
  if (json === undefined) return undefined;
  return types.has(verdictType) || isVerdict(member(json, 'data')) ? 'verdict' : undefined;
}

/** The one event type of verdicts. Section 6.6. */
export const verdictType = 'invoice.verify.completed';

/** The body of a callback; `undefined` where the delivery is none, or wraps it. */
export function callbackIn(record: DeliveryRecord): object | undefined {
  return broughtBy(record) === 'callback' ? asObject(record.json) : undefined;
}

/** The verdict in an event; `undefined` where the delivery is none, or has no object there. */
export function verdictIn(record: DeliveryRecord): object | undefined {
  return broughtBy(record) === 'verdict' ? asObject(member(record.json, 'data')) : undefined;
}

/** A JSON object that is no array. */
export function asObject(value: unknown): object | undefined {
  return isObject(value) ? value : undefined;
}

/** So many of the fourteen names of a callback's fields nothing else has. */
const enoughFields = 4;

function isResult(value: unknown): boolean {
  return nfeResultFields.filter((name) => member(value, name) !== undefined).length >= enoughFields;
}

function isVerdict(value: unknown): boolean {
  const state = member(value, 'validationStatus');
  return verdictStates.some((each) => each === state) && typeof member(value, 'chaveAcesso') === 'string';
}

/** How the invoice ended that a callback tells of, by its word for that; `undefined` where it has another or none. */
export function statedOutcome(callback: object): (typeof nfeOutcomes)[number] | undefined {
  const status = member(callback, 'nfeStatus');
  return nfeOutcomes.find((outcome) => outcome === status);
}

/** That a text of a delivery was encoded as UTF-8 once; nothing of one that was. */
export function encodedOnce(
  clause: ClauseId,
  within: (record: DeliveryRecord) => object | undefined,
  name: string,
): DeliveryPredicate {
  return predicate(clause, (record) => {
    const text = member(within(record), name);
    if (typeof text !== 'string' || !isEncodedTwice(text)) return undefined;
    return { expected: `${name} encoded as UTF-8 once`, actual: `${name} is ${shown(text)}` };
  });
}
