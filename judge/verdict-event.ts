import type { ClauseId } from '../contract/catalogue.ts';
import {
  descriptionFields,
  nullableVerdictFields,
  explainedVerdict,
  validatedVerdict,
  verdict,
  verdictEvent as eventSchema,
} from '../schemas/verdict.ts';
import { member } from '../schemas/values.ts';
import { fieldsOf, presenceOf } from '../schemas/messages.ts';
import { fits, validator } from '../schemas/validate.ts';
import { brandHeader, type DeliveryRecord } from '../trace/records.ts';
import { asObject, broughtBy, encodedOnce, verdictIn, verdictType } from './delivery.ts';
import { isForeign } from './language.ts';
import { judged, shown, type DeliveryPredicate, predicate } from './predicate.ts';

type Id = Extract<ClauseId, `verdict-event.${string}`>;

/** The body of an event that brings a verdict; `undefined` where it is no object, which the clause of the envelope judges. */
function eventIn(record: DeliveryRecord): object | undefined {
  return broughtBy(record) === 'verdict' ? asObject(record.json) : undefined;
}

/** Judges a member of the part of an event that `within` gives, where it is there. */
function ofMember(
  clause: Id,
  within: (record: DeliveryRecord) => object | undefined,
  name: string,
  expected: string,
  faultsOf: (value: unknown) => readonly string[],
): DeliveryPredicate {
  return predicate(clause, (record) => {
    const whole = within(record);
    if (!whole || member(whole, name) === undefined) return undefined;
    const faults = faultsOf(whole);
    return judged(faults.length === 0, () => ({ expected: `${name} is ${expected}`, actual: faults.join('; ') }));
  });
}

const ofEvent = (clause: Id, name: keyof typeof eventSchema.properties, expected: string): DeliveryPredicate =>
  ofMember(clause, eventIn, name, expected, validator(fieldsOf(eventSchema, name)));

const ofVerdict = (clause: Id, name: keyof typeof verdict.properties, expected: string): DeliveryPredicate =>
  ofMember(clause, verdictIn, name, expected, validator(fieldsOf(verdict, name)));

/** Judges that a verdict of that kind says why. */
function reason(clause: Id, state: 'REJECTED' | 'VALIDATION_ERROR'): DeliveryPredicate {
  return predicate(clause, (record) => {
    const found = verdictIn(record);
    if (!found || member(found, 'validationStatus') !== state) return undefined;
    return judged(hasReason(found), () => ({
      expected: `a reason in a ${state} verdict, a text`,
      actual: `reason is ${shown(member(found, 'reason'))}`,
    }));
  });
}

const hasReason = fits({ ...fieldsOf(explainedVerdict, 'reason'), required: ['reason'] });
const isWithoutReason = fits(fieldsOf(validatedVerdict, 'reason'));
const names = eventSchema.required;
const faultsOfPresence = validator(presenceOf(verdict));
const faultsOfChave = validator(fieldsOf(verdict, 'chaveAcesso'));

/** The event that reports a verdict. Sections 2.4 and 6.6. */
export const verdictEvent: readonly DeliveryPredicate[] = [
  predicate('verdict-event.envelope', (record) => {
    if (broughtBy(record) !== 'verdict') return undefined;
    const missing = names.filter((name) => member(record.json, name) === undefined);
    const data = member(record.json, 'data');
    return judged(missing.length === 0 && asObject(data) !== undefined, () => ({
      expected: `${names.join(', ')}; data an object`,
      actual: missing.length > 0 ? `no ${missing.join(', ')}` : `data is ${shown(data)}`,
    }));
  }),
  ofEvent('verdict-event.version', 'version', 'the string 1.0'),
  ofEvent('verdict-event.occurred-at', 'occurred_at', 'a time in ISO 8601, UTC'),
  predicate('verdict-event.event-id', (record) => {
    const brought = broughtBy(record);
    const eventId = brought === 'verdict' || brought === 'test' ? member(record.json, 'event_id') : undefined;
    const header = brandHeader(record, 'Event-Id');
    // What is missing in either place is another clause's.
    if (eventId === undefined || header === undefined || header.trim() === '') return undefined;
    return judged(eventId === header, () => ({
      expected: `the event id of the header, ${shown(header)}`,
      actual: `event_id is ${shown(eventId)}`,
    }));
  }),
  predicate('verdict-event.event-type', (record) => {
    // An address for verdicts is subscribed to these alone; one that somebody else saved may be registered for callbacks as well.
    if (record.address?.channel === 'verification' && record.address.hasOwnClock && broughtBy(record) === 'callback')
      return { expected: `${verdictType} at the address for verdicts`, actual: 'the callback of an issuance' };
    const event = eventIn(record);
    const header = brandHeader(record, 'Event')?.trim();
    const found = [member(event, 'event_type'), header === '' ? undefined : header].filter(
      (type) => type !== undefined,
    );
    if (!event || found.length === 0) return undefined;
    return judged(
      found.every((type) => type === verdictType),
      () => ({ expected: `${verdictType} in body and header`, actual: found.map(shown).join(' and ') }),
    );
  }),
  predicate('verdict-event.fields', (record) => {
    const found = verdictIn(record);
    const faults = found && faultsOfPresence(found);
    return (
      faults &&
      judged(faults.length === 0, () => ({ expected: verdict.required.join(', '), actual: faults.join('; ') }))
    );
  }),
  predicate('verdict-event.chave-acesso', (record) => {
    const found = verdictIn(record);
    const chave = member(found, 'chaveAcesso');
    if (!found || chave === undefined || isPerhapsWithoutChave(found)) return undefined;
    const faults = faultsOfChave(found);
    return judged(faults.length === 0, () => ({ expected: 'chaveAcesso is 44 digits', actual: faults.join('; ') }));
  }),
  ofVerdict('verdict-event.validation-status', 'validationStatus', 'one of the three states'),
  ofVerdict('verdict-event.status', 'status', 'one of the six fiscal states'),
  encodedOnce('verdict-event.return-verbatim', verdictIn, 'xMotivo'),
  ofVerdict('verdict-event.c-stat', 'cStat', 'a string or null'),
  ofVerdict('verdict-event.x-motivo', 'xMotivo', 'a string or null'),
  ofVerdict('verdict-event.protocolo', 'protocolo', 'null or has the strings numero and digestValue'),
  ofVerdict('verdict-event.data-autorizacao', 'dataAutorizacao', 'null or a time in ISO 8601, UTC'),
  predicate('verdict-event.null-not-left-out', (record) => {
    const found = verdictIn(record);
    const missing = nullableVerdictFields.filter((name) => member(found, name) === undefined);
    return (
      found &&
      judged(missing.length === 0, () => ({
        expected: 'null where there is no value',
        actual: missing.map((name) => `${name} is missing`).join('; '),
      }))
    );
  }),
  ofVerdict('verdict-event.eventos', 'eventos', 'an array'),
  ofVerdict('verdict-event.verified-at', 'verifiedAt', 'a time in ISO 8601, UTC'),
  predicate('verdict-event.no-reason-when-validated', (record) => {
    const found = verdictIn(record);
    if (member(found, 'validationStatus') !== 'VALIDATED') return undefined;
    return judged(isWithoutReason(found), () => ({
      expected: 'no reason in a VALIDATED verdict',
      actual: `reason is ${shown(member(found, 'reason'))}`,
    }));
  }),
  predicate('verdict-event.not-on-issuance-channel', (record) => {
    if (!record.address || broughtBy(record) !== 'verdict') return undefined;
    return judged(record.address.channel === 'verification', () => ({
      expected: 'verdicts at addresses for verification events alone',
      actual: 'a verdict at an address for callbacks',
    }));
  }),
  reason('verdict-event.reason-when-rejected', 'REJECTED'),
  reason('verdict-event.reason-when-unreachable', 'VALIDATION_ERROR'),
  predicate('verdict-event.reason-in-english', (record) => {
    const text = member(verdictIn(record), 'reason');
    if (typeof text !== 'string' || text.trim() === '') return undefined;
    return judged(!isForeign(text), () => ({ expected: 'an English text', actual: `reason is ${shown(text)}` }));
  }),
  predicate('verdict-event.no-description-fields', (record) => {
    if (broughtBy(record) !== 'verdict') return undefined;
    const pointers = descriptionFields(record.json);
    return judged(pointers.length === 0, () => ({ expected: 'no such field', actual: pointers.join(', ') }));
  }),
];

/**
 * A document without a chave may be verified as well, and what an event would say of it the contract leaves open: an empty
 * one is wrong only where the document was found valid, or the authority has returned something on it.
 */
function isPerhapsWithoutChave(found: object): boolean {
  const isEmpty = (member(found, 'chaveAcesso') ?? '') === '';
  return isEmpty && member(found, 'validationStatus') !== 'VALIDATED' && (member(found, 'cStat') ?? null) === null;
}
