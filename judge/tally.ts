import type { ClauseId } from '../contract/catalogue.ts';
import { methodAndPath } from '../contract/endpoints.ts';
import { wayText, type Way } from '../schemas/way.ts';
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
  /** The ways that nobody accepts; those that are accepted are apart, so that they take nobody's place. */
  readonly ways: readonly BrokenWay[];
  readonly accepted: readonly BrokenWay[];
}

/** A way in which a clause is broken, with the lines that show it, the oldest first. */
export interface BrokenWay extends Pick<Broken, 'expected' | 'actual' | 'hint'>, Pick<Way, 'endpoint'> {
  readonly lines: readonly RecordLine[];
}

/** Ways to break a clause that are remembered, and as many of those that are accepted. */
const mostWays = 50;

/** Judges the lines of a trace by every clause that they bear on, in the order in which they were complete. */
export function judgeLines(
  lines: readonly RecordLine[],
  isAccepted: (clause: ClauseId, way: Way) => boolean = () => false,
): ReadonlyMap<ClauseId, Tally> {
  const judge = openJudge();
  const lineOf = new Map<TraceRecord, RecordLine>();
  const tallies = new Map<ClauseId, { held: number; broken: number; surely: number; ways: Ways; accepted: Ways }>();
  const note = ({ clause, broken, record }: Observation): void => {
    const tally = tallies.get(clause) ?? { held: 0, broken: 0, surely: 0, ways: new Map(), accepted: new Map() };
    tallies.set(clause, tally);
    if (!broken) {
      tally.held += 1;
      return;
    }
    tally.broken += 1;
    if (!broken.restsOnTime) tally.surely += 1;
    const { expected, actual, hint, beside = [] } = broken;
    const way = { ...endpointOf(record), expected, actual };
    const ways = isAccepted(clause, way) ? tally.accepted : tally.ways;
    const name = wayText(way);
    if (ways.size >= mostWays || ways.has(name)) return;
    const shown = [...beside, record].map((one) => lineOf.get(one)).filter((line) => line !== undefined);
    ways.set(name, { ...way, ...(hint === undefined ? {} : { hint }), lines: shown });
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
    [...tallies].map(([clause, { ways, accepted, ...counts }]) => [
      clause,
      { ...counts, ways: [...ways.values()], accepted: [...accepted.values()] },
    ]),
  );
}

/** Ways to break a clause, each once, by what tells it from another. */
type Ways = Map<string, BrokenWay>;

function endpointOf(record: TraceRecord): Pick<Way, 'endpoint'> {
  const called = record.kind === 'exchange' ? (record.endpoint ?? record.retired) : undefined;
  return called ? { endpoint: methodAndPath(called) } : {};
}

function toldIn(line: RecordLine): readonly Told[] | undefined {
  return isOfMessage(line) ? line.told : undefined;
}

/** When what a line tells was complete: its place in the order of things. Epoch milliseconds. */
export function completeAt(line: RecordLine): number {
  if (isOfMessage(line)) return line.at + line.evidence.durationMs;
  return line.kind === 'steering' ? line.at + line.ms : line.at;
}
