import { calledEndpoint, methodAndPath } from '../../contract/endpoints.ts';
import type { Exchange } from '../../trace/exchange.ts';
import type { Mask } from '../../trace/people/words-mask.ts';
import { wayOf, wayText, type Way } from '../../schemas/finding.ts';
import { basisOf } from './awaiting.ts';
import { Deviation } from './deviation.ts';
import type { TrialRecord } from './trial-record.ts';

/** So many ways are kept: the first ones. */
const mostWays = 50;

/** Whether an error is a failure after which the check goes on: then it is noted. */
export function isNoted(record: TrialRecord, error: unknown, counterexample?: () => string): boolean {
  const { noting } = record;
  if (!noting || !(error instanceof Deviation)) return false;
  const way = wayFound(error, record.exchanges, noting.mask(), counterexample?.());
  if (!noting.goesOnAfter(way)) return false;
  if (basisOf(error, record) === 'answers') noting.sure ??= { error, exchanges: [...record.exchanges] };
  const key = wayText(way);
  if (noting.met.size < mostWays && !noting.met.has(key)) noting.met.set(key, way);
  return true;
}

/** A failure as it is told: where it was met, what was expected and what came, all masked. */
export function wayFound(error: Deviation, exchanges: readonly Exchange[], mask: Mask, counterexample?: string): Way {
  return wayOf({
    endpoint: lastEndpoint(exchanges),
    expected: mask(error.expected),
    actual: mask(error.actual),
    counterexample: counterexample === undefined ? undefined : mask(counterexample),
  });
}

/** Notes that the rule of the check was kept where its last request went. */
export function sawKept(record: TrialRecord): void {
  const endpoint = lastEndpoint(record.exchanges);
  if (endpoint !== undefined) record.kept.add(endpoint);
}

function lastEndpoint(exchanges: readonly Exchange[]): string | undefined {
  const request = exchanges.at(-1)?.request;
  const called = request && calledEndpoint(request.method, request.target);
  return called && methodAndPath(called);
}
