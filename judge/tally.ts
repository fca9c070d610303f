import type { ClauseId } from '../contract/catalogue.ts';
import { isOfMessage, recordOfLine, type RecordLine, type Told } from '../trace/lines.ts';
import type { TraceRecord } from '../trace/records.ts';
import { openJudge, type Observation } from './judge.ts';
import type { Broken } from './predicate.ts';

/** What the records of a trace said of a clause: how many kept it, how many broke it, and the first that broke it in each way. */
export interface Tally {
  readonly held: number;
  readonly broken: number;
  /** Those of the broken that rest on what came: no way is to blame for them. */
  readonly surely: number;
  readonly ways: readonly BrokenWay[];
}

/** A way in which a clause is broken, with the lines that show it, the oldest first. */
export interface BrokenWay extends Pick<Broken, 'expected' | 'actual' | 'hint'> {
  readonly lines: readonly RecordLine[];
}

/** Ways to break a clause that are remembered. */
export const mostWays = 5;

/** Judges the lines of a trace by every clause that they bear on, in the order in which they were complete. */
export function judgeLines(lines: readonly RecordLine[]): ReadonlyMap<ClauseId, Tally> {
  const judge = openJudge();
  const lineOf = new Map<TraceRecord, RecordLine>();
  const tallies = new Map<ClauseId, { held: number; broken: number; surely: number; ways: Map<string, BrokenWay> }>();
  const note = ({ clause, broken, record }: Observation): void => {
    const tally = tallies.get(clause) ?? { held: 0, broken: 0, surely: 0, ways: new Map<string, BrokenWay>() };
    tallies.set(clause, tally);
    if (!broken) {
      tally.held += 1;
      return;
    }
    tally.broken += 1;
    if (!broken.restsOnTime) tally.surely += 1;
    const { expected, actual, hint, beside = [] } = broken;
    const name = `${expected} ${actual}`;
    if (tally.ways.size >= mostWays || tally.ways.has(name)) return;
    const shown = [...beside, record].map((one) => lineOf.get(one)).filter((line) => line !== undefined);
    tally.ways.set(name, { expected, actual, ...(hint === undefined ? {} : { hint }), lines: shown });
  };
  for (const line of lines.toSorted((one, other) => completeAt(one) - completeAt(other))) {
    const record = recordOfLine(line);
    if (!record) continue;
    lineOf.set(record, line);
    const told = toldIn(line)?.map(({ clause, expected, actual = '' }) =>
      expected === undefined ? { clause, record } : { clause, record, broken: { expected, actual } },
    );
    judge.see(record, told).forEach(note);
  }
  judge.end().forEach(note);
  return new Map(
    [...tallies].map(([clause, { ways, ...counts }]) => [clause, { ...counts, ways: [...ways.values()] }]),
  );
}

function toldIn(line: RecordLine): readonly Told[] | undefined {
  return isOfMessage(line) ? line.told : undefined;
}

/** When what a line tells was complete: its place in the order of things. Epoch milliseconds. */
export function completeAt(line: RecordLine): number {
  if (isOfMessage(line)) return line.at + line.evidence.durationMs;
  return line.kind === 'steering' ? line.at + line.ms : line.at;
}
