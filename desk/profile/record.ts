import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mask } from '../../trace/people/words-mask.ts';
import { shortened } from '../../reports/visible.ts';
import type { Results } from '../../schemas/results.ts';
import { jsonBytes } from './candidates.ts';
import type { Gathered } from './search.ts';

/** Name of the record in a folder of a profile. Nothing reads it but people and `check`: what it says is tried again anyway. */
export const recordFile = 'proved.json';

const longestReason = 300;

/** Whose behaviour a record tells of, and who saw it when. */
export interface RecordedBy {
  readonly baseUrl: string;
  readonly suite: NonNullable<Results['suite']>;
  /** ISO-8601. */
  readonly at: string;
}

/** The record of what each file of a profile proved, and of what could not be had, with secrets masked. */
export function recordBytes({ found, lacking }: Gathered, { baseUrl, suite, at }: RecordedBy, mask: Mask): Buffer {
  return jsonBytes({
    format: 'nfe-conformance/proved-profile@1',
    target: baseUrl,
    at,
    suite,
    proved: found.map(({ from, proved, ...rest }) => ({ ...rest, from: mask(from), proved: mask(proved) })),
    missing: lacking.map(({ why, ...rest }) => ({ ...rest, why: shortened(mask(why), longestReason) })),
  });
}

/** When and where the profile in a folder proved itself; `undefined` where nothing says so. */
export function provedWhen(folder: string): { readonly at: string; readonly target: string } | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(join(folder, recordFile), 'utf8'));
    if (typeof record !== 'object' || record === null || !('at' in record) || !('target' in record)) return undefined;
    const { at, target } = record;
    return typeof at === 'string' && typeof target === 'string' ? { at, target } : undefined;
  } catch {
    return undefined;
  }
}
