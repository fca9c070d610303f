import { mutantsRecord, type MutantsRecord } from './mutants-record.ts';
import { validator } from './validate.ts';

/** What keeps a value from being a record of the mutants of this format, one sentence a fault. */
export const faultsOfMutantsRecord = validator(mutantsRecord);

/** Whether a value is a record of the mutants of this format. */
export function isMutantsRecord(value: unknown): value is MutantsRecord {
  return faultsOfMutantsRecord(value).length === 0;
}
