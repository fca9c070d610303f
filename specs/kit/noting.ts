import { calledEndpoint, methodAndPath } from '../../contract/endpoints.ts';
import type { Exchange } from '../../trace/exchange.ts';
import type { Mask } from '../../trace/people/words-mask.ts';
import { wayOf, wayText, type Way, isCovering } from '../../schemas/finding.ts';
import { basisOf } from './awaiting.ts';
import { Deviation } from './deviation.ts';
import type { TrialRecord, Noting } from './trial-record.ts';
import { type ClauseId, entriesFor } from '../../contract/catalogue.ts';
import type { Run } from '../../targets/address.ts';
import { NotExercised } from '../../targets/not-exercised.ts';

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
  record.recorder.noted();
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

/**
 * The ways of failing that the known deviations accept of a check; `undefined` where they name none of its clause, and where an
 * entry accepts every one, so that there is no other to look for.
 */
export function acceptedWays(
  { clause, title }: { readonly clause: ClauseId; readonly title: string },
  run: Run,
): Noting['goesOnAfter'] | undefined {
  const entries = entriesFor(run.knownDeviations ?? {}, clause).filter(
    ({ check }) => check === undefined || check === title,
  );
  const isWhole = entries.some((entry) => entry.endpoint === undefined && entry.case === undefined);
  if (entries.length === 0 || isWhole) return undefined;
  return (way) => entries.some((entry) => isCovering(entry, title, way));
}

/** Whether an attempt ended well, or for a want: neither is a failure that is not accepted, nor a fault of the suite. */
export function isPassedOver(error: unknown): boolean {
  return error === undefined || error instanceof NotExercised;
}
