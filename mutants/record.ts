import { type MutantsRecord, faultsOfMutantsRecord, isMutantsRecord } from '../schemas/stored.ts';
import type { Catch } from './judge.ts';

/** What a run of the mutants came to. */
export interface MutantsRun extends Pick<MutantsRecord, 'at' | 'suite' | 'seed' | 'mutants' | 'variants'> {
  readonly catches: readonly Catch[];
  /** One line a false accusation. */
  readonly accused: readonly string[];
}

/** The text of `mutants.json`. Throws where it would not fit its schema. */
export function mutantsText({ catches, accused, ...run }: MutantsRun): string {
  const record = { format: 'nfe-conformance/mutants@1', ...run, accused: accused.length, catches };
  if (isMutantsRecord(record)) return `${JSON.stringify(record, undefined, 2)}\n`;
  throw new Error(`mutants.json would not fit its schema: ${faultsOfMutantsRecord(record).join('; ')}`);
}
