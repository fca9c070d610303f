import { findClause, type ClauseId } from '../../contract/catalogue.ts';
import type { Exchange } from '../../client/transport.ts';
import { inPassing, judgedInPassing } from '../../judge/judge.ts';
import type { CheckOutcome } from '../../schemas/results.ts';
import { wayOf } from '../../schemas/way.ts';
import { calledEndpoint } from '../../contract/called-endpoint.ts';
import { methodAndPath } from '../../contract/endpoints.ts';
import type { Run } from '../../targets/address.ts';
import { lackAt } from '../../targets/target.ts';
import { evidenceIn } from './shown.ts';
import type { Hidden } from './perform.ts';
import { mostWays, type Tally } from './tally.ts';
import { newRecord, type TrialRecord } from './trial.ts';

/** The titles under which failures of a clause may be told besides those of its checks. */
export function titlesInPassing(clause: ClauseId): readonly string[] {
  return judgedInPassing.has(clause) ? [inPassing] : [];
}

/**
 * What was seen in passing of the clauses of a run whose checks can be made there, whatever the check was about: an outcome for each
 * that was seen broken.
 */
export function outcomesInPassing(
  { judged: tallies }: TrialRecord,
  run: Run,
  hidden: Hidden,
  file: string,
): readonly CheckOutcome[] {
  return [...tallies]
    .filter(([clause, { broken }]) => broken > 0 && isWanted(run, clause))
    .map(([clause, tally]) => outcomeOf(clause, tally, hidden, file));
}

/** How often each clause of a run was seen to be kept, and how often to be broken. */
export function seenInPassing({ judged: tallies }: TrialRecord, run: Run): NonNullable<CheckOutcome['seen']> {
  return [...tallies]
    .filter(([clause]) => isWanted(run, clause))
    .map(([clause, { held, broken }]) => ({ clause, held, broken }));
}

function isWanted({ address, clauses, check }: Run, clause: ClauseId): boolean {
  if (!clauses.includes(clause) || (check !== undefined && check !== inPassing)) return false;
  return (findClause(clause)?.needs ?? []).every((need) => lackAt(address, need) === undefined);
}

function outcomeOf(
  clause: ClauseId,
  { held, broken, ways }: Tally,
  { mask, veil }: Hidden,
  file: string,
): CheckOutcome {
  const all = [...ways.values()].map((way) => ({ ...way, expected: mask(way.expected), actual: mask(way.actual) }));
  const { expected = '', actual = '' } = all[0] ?? {};
  const record = {
    ...newRecord(),
    exchanges: all.map(({ exchange }) => exchange).filter((exchange) => exchange !== undefined),
    received: new Set(all.map(({ arrival }) => arrival).filter((arrival) => arrival !== undefined)),
  };
  const endpoint = endpointOf(all[0]?.exchange);
  return {
    clause,
    result: {
      name: inPassing,
      file,
      durationMs: 0,
      cases: held + broken,
      assertions: held + broken,
      state: 'failed',
      inPassing: true,
      error: { title: inPassing, expected, actual },
      ...(endpoint === undefined ? {} : { endpoint }),
      ways: all.map((way) => wayOf({ ...way, endpoint: endpointOf(way.exchange), counterexample: undefined })),
      replay: `npm test`,
      exchanges: evidenceIn(record, veil, shownOfFailure),
    },
  };
}

const shownOfFailure = { exchanges: mostWays, deliveries: mostWays, longestBody: 20_000, inAll: 200_000 };

function endpointOf(exchange: Exchange | undefined): string | undefined {
  const called = exchange && calledEndpoint(exchange.request.method, exchange.request.target);
  return called && methodAndPath(called);
}
