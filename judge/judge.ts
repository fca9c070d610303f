import type { ClauseId } from '../contract/catalogue.ts';
import type { DeliveryRecord, ExchangeRecord } from '../trace/records.ts';
import { envelope } from './envelope.ts';
import { issuanceCallback } from './issuance-callback.ts';
import type { Broken, DeliveryPredicate, ExchangePredicate } from './predicate.ts';
import { verdictEvent } from './verdict-event.ts';
import { webhookDelivery } from './webhook-delivery.ts';
import { webhookSignature } from './webhook-signature.ts';

const ofExchanges: readonly ExchangePredicate[] = [...envelope];
const ofDeliveries: readonly DeliveryPredicate[] = [
  ...issuanceCallback,
  ...verdictEvent,
  ...webhookDelivery,
  ...webhookSignature,
];

/** The title of what is judged in passing, beside the checks of a clause. */
export const inPassing = 'every answer and delivery that any check received keeps it';

/** What a record says of a clause. */
export interface Observation {
  readonly clause: ClauseId;
  /** Absent where the clause holds. */
  readonly broken?: Broken;
}

/** Clauses that are judged by every record that bears on them. */
export const judgedInPassing: ReadonlySet<ClauseId> = new Set(
  [...ofExchanges, ...ofDeliveries].map(({ clause }) => clause),
);

/** What a record says of the clauses that it bears on. */
export function observationsOf(record: ExchangeRecord | DeliveryRecord): readonly Observation[] {
  return record.kind === 'exchange' ? observed(ofExchanges, record) : observed(ofDeliveries, record);
}

function observed<R>(
  predicates: readonly { clause: ClauseId; judge: (record: R) => 'holds' | Broken | undefined }[],
  record: R,
): Observation[] {
  return predicates.flatMap(({ clause, judge }) => {
    const judgement = judge(record);
    if (judgement === undefined) return [];
    return judgement === 'holds' ? [{ clause }] : [{ clause, broken: judgement }];
  });
}
