import type { ClauseId } from '../contract/catalogue.ts';
import type { DeliveryRecord, ExchangeRecord } from '../trace/records.ts';

/** A clause is broken: what it demands of the record, and what the record shows, both in a few words. */
export interface Broken {
  readonly expected: string;
  readonly actual: string;
}

/** What a predicate says of a record; `undefined` where its clause says nothing of such a one. */
export type Judgement = 'holds' | Broken | undefined;

/** Whether a clause holds in a record, decided by the record alone. */
export interface Predicate<R> {
  readonly clause: ClauseId;
  readonly judge: (record: R) => Judgement;
}

export type ExchangePredicate = Predicate<ExchangeRecord>;
export type DeliveryPredicate = Predicate<DeliveryRecord>;

/** `holds` where the condition does, else broken with these words. */
export function judged(holds: boolean, broken: () => Broken): Judgement {
  return holds ? 'holds' : broken();
}

/** A member of a JSON object; `undefined` where there is none. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}

/** A value in a finding, which quotes no more than the start of a long one. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}…`;
}

const longestShown = 120;
