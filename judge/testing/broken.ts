import type { DeliveryRecord, ExchangeRecord } from '../../trace/records.ts';
import { observationsOf } from '../judge.ts';

/** The clauses that a record is seen to break. */
export function brokenBy(record: DeliveryRecord | ExchangeRecord): string[] {
  return observationsOf(record).flatMap(({ clause, broken }) => (broken ? [clause] : []));
}
