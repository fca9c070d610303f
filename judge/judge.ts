import type { ClauseId } from '../contract/catalogue.ts';
import type { DeliveryRecord, ExchangeRecord } from '../trace/records.ts';
import { certificadoAssociation } from './certificado-association.ts';
import { echo } from './echo.ts';
import { empresaRegistration } from './empresa-registration.ts';
import { envelope } from './envelope.ts';
import { errors } from './errors.ts';
import { chaveLookup, cnpjLookup, cpfLookup } from './lookups.ts';
import { issuanceCallback } from './issuance-callback.ts';
import { nfeCancellation } from './nfe-cancellation.ts';
import { nfeIssuance } from './nfe-issuance.ts';
import { nfeQuery } from './nfe-query.ts';
import { nfeVerification } from './nfe-verification.ts';
import type { Broken, DeliveryPredicate, ExchangePredicate } from './predicate.ts';
import { rateLimit } from './rate-limit.ts';
import { retirement } from './retirement.ts';
import { verdictEvent } from './verdict-event.ts';
import { webhookDelivery } from './webhook-delivery.ts';
import { webhookSignature } from './webhook-signature.ts';
import { webhookUrl } from './webhook-url.ts';

const ofExchanges: readonly ExchangePredicate[] = [
  ...envelope,
  ...errors,
  ...retirement,
  ...rateLimit,
  ...echo,
  ...empresaRegistration,
  ...certificadoAssociation,
  ...webhookUrl,
  ...nfeIssuance,
  ...nfeQuery,
  ...nfeCancellation,
  ...nfeVerification,
  ...chaveLookup,
  ...cnpjLookup,
  ...cpfLookup,
];
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
