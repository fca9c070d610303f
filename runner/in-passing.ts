import { calledEndpoint } from '../contract/called-endpoint.ts';
import { findClause, type ClauseId } from '../contract/catalogue.ts';
import { methodAndPath } from '../contract/endpoints.ts';
import { inPassing, judgedInPassing } from '../judge/judge.ts';
import { againstNetwork } from '../judge/sequential-test.ts';
import { isMoreThan, rateText } from '../judge/rate.ts';
import { judgeLines, type BrokenWay, type Tally } from '../judge/tally.ts';
import type { CheckOutcome, ExchangeEvidence } from '../schemas/results.ts';
import { wayOf } from '../schemas/way.ts';
import type { Run } from '../targets/address.ts';
import { lackAt } from '../targets/target.ts';
import { isOfMessage, type RecordLine } from '../trace/lines.ts';

/**
 * The clauses of a run that are judged by all that passes by: those that are asked for and whose checks can be made, so that what
 * a run exercises does not depend on what other checks happen to ask.
 */
export function clausesInPassing({ address, clauses, check }: Run): ClauseId[] {
  if (check !== undefined && check !== inPassing) return [];
  return [...judgedInPassing].filter(
    (clause) =>
      clauses.includes(clause) &&
      (findClause(clause)?.needs ?? []).every((need) => lackAt(address, need) === undefined),
  );
}

/**
 * The outcomes of a run with what the lines of its trace say of these clauses: an outcome more for each that was seen broken, and
 * with the first which were seen to hold.
 */
export function withPassing(
  outcomes: readonly CheckOutcome[],
  lines: readonly RecordLine[],
  clauses: readonly string[],
  seed: number,
): readonly CheckOutcome[] {
  const tallies = [...judgeLines(lines)].filter(([clause]) => clauses.includes(clause));
  const broken = tallies
    .filter(([, tally]) => isTheTargets(tally))
    .map(([clause, tally]) => outcomeOf(clause, tally, seed));
  const held = tallies.filter(([, tally]) => tally.held > 0).map(([clause]) => clause);
  return [...outcomes, ...broken].map((outcome, at) => (at === 0 ? { ...outcome, held } : outcome));
}

/** Whether what was broken can't be the way's: what came is the target's, and of what did not come more is missing than a network loses. */
function isTheTargets({ held, broken, surely }: Tally): boolean {
  return surely > 0 || (broken > 0 && isMoreThan({ failed: broken, of: held + broken }, againstNetwork.honest));
}

function outcomeOf(clause: ClauseId, { held, broken, ways }: Tally, seed: number): CheckOutcome {
  const { expected = '', actual = '', hint } = ways[0] ?? {};
  const endpoint = ways[0] && endpointOf(ways[0]);
  const rate = rateText({ failed: broken, of: held + broken }, 'that were seen');
  return {
    clause,
    result: {
      name: inPassing,
      file: 'judge',
      durationMs: 0,
      cases: held + broken,
      assertions: held + broken,
      state: 'failed',
      inPassing: true,
      error: {
        title: inPassing,
        expected,
        actual: `${actual}, ${rate}`,
        ...(hint === undefined ? {} : { hint }),
      },
      ...(endpoint === undefined ? {} : { endpoint }),
      ways: ways.map((way) => wayOf({ ...way, endpoint: endpointOf(way), counterexample: undefined })),
      replay: `npm test -- --seed ${seed}`,
      exchanges: ways.flatMap(({ lines }) => lines.flatMap(evidenceIn)),
    },
  };
}

function evidenceIn(line: RecordLine): ExchangeEvidence[] {
  return isOfMessage(line) ? [line.evidence] : [];
}

function endpointOf({ lines }: BrokenWay): string | undefined {
  const last = lines.at(-1);
  if (last?.kind !== 'exchange') return undefined;
  const called = calledEndpoint(last.evidence.request.method, last.evidence.request.target);
  return called && methodAndPath(called);
}
