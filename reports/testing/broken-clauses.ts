import type { ClauseResult } from '../../schemas/results.ts';
import type { Fact, Shared } from '../../schemas/finding.ts';

/** What a clause is broken by. */
export interface Shown {
  readonly expected?: string;
  readonly actual?: string;
  readonly hint?: string;
  readonly facts?: readonly Fact[];
  readonly shared?: Partial<Shared>;
  readonly verdict?: ClauseResult['verdict'];
  /** A check failed with it; nothing was looked through. */
  readonly isExample?: boolean;
}

/** A clause that does not hold, seen in passing. */
export function broken(id: string, shown: Shown = {}): ClauseResult {
  const { expected = `what ${id} demands`, actual = `what broke ${id}`, hint, facts = [], verdict = 'failed' } = shown;
  const shared = { records: [1], facts: [...facts], beside: [], wrong: 3, of: 3, ...shown.shared };
  const error = { title: id, expected, actual: `${actual}, in all 3 that were seen`, ...(hint ? { hint } : {}) };
  return {
    ...passed(id),
    verdict,
    checks: [
      {
        name: 'in passing',
        file: 'judge',
        state: 'failed',
        durationMs: 0,
        cases: 3,
        assertions: 3,
        ...(shown.isExample ? {} : { inPassing: true }),
        error,
        ways: [{ expected, actual }],
        shared,
      },
    ],
  };
}

/** A clause that holds. */
export function passed(id: string): ClauseResult {
  return { id, section: '4', level: 'must', binds: 'service', statement: id, verdict: 'passed', checks: [] };
}

/** A clause that could not be put to the test, as its set-up was refused. */
export function open(id: string, trouble: 'target' | 'settings', exchangesMade: number): ClauseResult {
  const check = { name: id, file: 'specs/x.spec.ts', durationMs: 0, cases: 0, assertions: 0, exchangesMade, trouble };
  return { ...passed(id), verdict: 'not-exercised', checks: [{ ...check, state: 'not-exercised', reason: 'refused' }] };
}

/** Where it was seen. */
export const at = (endpoint: string): Fact => ({ name: 'endpoint', value: endpoint });
