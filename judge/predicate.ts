import type { ClauseId } from '../contract/catalogue.ts';
import type { DeliveryRecord, ExchangeRecord, TraceRecord } from '../trace/records.ts';
import type { Thing } from './history.ts';

/** A clause is broken: what it demands of the record, and what the record shows, both in a few words. */
export interface Broken {
  readonly expected: string;
  readonly actual: string;
  /** The likely cause, where one can be told. */
  readonly hint?: string;
  /** It is what did not come, or not in time: the way may be to blame. */
  readonly restsOnTime?: true;
  /** Records of before that show it together with this one. */
  readonly beside?: readonly TraceRecord[];
}

/** What a predicate says of a record; `undefined` where its clause says nothing of such a one. */
export type Judgement = 'holds' | Broken | undefined;

/** Whether a clause holds in a record, decided by the record alone. */
export interface Predicate<R> {
  readonly clause: ClauseId;
  readonly judge: (record: R) => Judgement;
  /** It speaks of nothing but what put its clause to the test. */
  readonly isOfAimOnly?: true;
}

/** A predicate by what it says of a record. */
export function predicate<R>(clause: ClauseId, judge: (record: R) => Judgement): Predicate<R> {
  return { clause, judge };
}

export type ExchangePredicate = Predicate<ExchangeRecord>;
export type DeliveryPredicate = Predicate<DeliveryRecord>;

/** Whether a clause holds in what has happened to one thing: an event, an invoice, a link. */
export interface HistoryPredicate {
  readonly clause: ClauseId;
  /** What it follows. */
  readonly of: Thing;
  /** Judges a record by those of the same thing that came before it, the oldest first. */
  readonly judge?: (latest: TraceRecord, earlier: readonly TraceRecord[]) => Judgement;
  /** Judges the whole of it, once nothing follows: what did not happen. */
  readonly judgeWhole?: (all: readonly TraceRecord[]) => Judgement;
  /** Judges each record by all of them, whatever came first. */
  readonly judgeEach?: (all: readonly TraceRecord[]) => (one: TraceRecord) => Judgement;
}

/** A predicate by what it says of a record after those of the same thing. */
export function ofHistory(
  clause: ClauseId,
  of: Thing,
  judge: (latest: TraceRecord, earlier: readonly TraceRecord[]) => Judgement,
): HistoryPredicate {
  return { clause, of, judge };
}

/** `holds` where the condition does, else broken with these words. */
export function judged(holds: boolean, broken: () => Broken): Judgement {
  return holds ? 'holds' : broken();
}

/** A value in a finding, whole or not at all: a secret that was cut through would be masked no longer. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  if (text.length <= longestShown) return text;
  return typeof value === 'string' ? `a text of ${value.length} characters` : `JSON of ${text.length} characters`;
}

/** Whether a finding shows the value itself, and not how long it is. */
export function isShort(value: unknown): boolean {
  return (JSON.stringify(value) ?? '').length <= longestShown;
}

const longestShown = 120;

/**
 * Clauses whose histories tell of what did not come, or came when it was not to: then a delivery, or our answer to it, may have been
 * lost on the way.
 */
export const restsOnWay: ReadonlySet<ClauseId> = new Set([
  'issuance-callback.called-back-when-authorised',
  'issuance-callback.called-back-when-denied',
  'verdict-event.sent-when-settled',
  'webhook-delivery.acknowledged-by-any-2xx',
  'webhook-delivery.all-targets',
  'webhook-delivery.broken-connection-retried',
  'webhook-delivery.five-retries',
  'webhook-delivery.issuance-retried',
  'webhook-delivery.other-status-retried',
  'webhook-delivery.redirect-not-followed',
  'webhook-delivery.retries-stop-when-acknowledged',
  'webhook-delivery.retry-delays',
]);
