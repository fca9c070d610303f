import type { ClauseId } from '../contract/catalogue.ts';
import { methodAndPath } from '../contract/endpoints.ts';
import { conditionNames, type Shared, type Way, wayText } from '../schemas/finding.ts';
import type { Observations } from '../schemas/results.ts';
import { beforeChecks, completeAt, isOfMessage, recordOfLine, type RecordLine } from '../trace/lines.ts';
import type { TraceRecord } from '../trace/records.ts';
import { commonFacts, type Facts, kindsOfRecords, withSignOfBefore } from './facts.ts';
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
  /** The records that bear on it and keep it, each once. */
  readonly right: number;
  /** What differed between the records that bear on it, and how many values it had. */
  readonly over: readonly Variety[];
  /** What the records have in common that break it; absent where none does. */
  readonly shared?: Shared;
  /** The places of all of them. */
  readonly records?: ReadonlySet<number>;
}

type Variety = NonNullable<Observations['over']>[number];

/** A way in which a clause is broken, with the lines that show it, the oldest first. */
export interface BrokenWay extends Pick<Broken, 'expected' | 'actual' | 'hint'>, Pick<Way, 'endpoint'> {
  readonly lines: readonly RecordLine[];
}

/** Ways to break a clause that are remembered, and as many of those that are accepted; records that are told by their place. */
const mostWays = 50;
const mostRecords = 20;

/** Judges the lines of a trace by every clause that they bear on, in the order in which they were complete. */
export function judgeLines(
  lines: readonly RecordLine[],
  isAccepted: (clause: ClauseId, way: Way) => boolean = () => false,
): ReadonlyMap<ClauseId, Tally> {
  const judge = openJudge();
  const lineOf = new Map<TraceRecord, RecordLine>();
  const repeated = withSignOfBefore(lines);
  const kindOf = kindsOfRecords((record) => {
    const line = lineOf.get(record);
    return line !== undefined && repeated.has(line);
  });
  const tallies = new Map<ClauseId, OpenTally>();
  const note = ({ clause, broken, record }: Observation): void => {
    const tally = tallies.get(clause) ?? newTally();
    tallies.set(clause, tally);
    if (!broken) {
      tally.held += 1;
      if (tally.lastRight !== record) tally.rightRecords += 1;
      tally.lastRight = record;
      tally.right.add(kindOf(record));
      return;
    }
    tally.broken += 1;
    tally.wrong.add(kindOf(record));
    tally.records.add(record);
    if (!broken.restsOnTime) tally.surely += 1;
    const { expected, actual, hint, beside = [] } = broken;
    const way = { ...endpointOf(record), expected, actual };
    const ways = isAccepted(clause, way) ? tally.accepted : tally.ways;
    const name = wayText(way);
    const known = ways.get(name);
    // What came before the checks is told by what a check saw, as soon as one does: that can be repeated.
    if (known ? !isOfPreflight(known.lines.at(-1)) || isOfPreflight(lineOf.get(record)) : ways.size >= mostWays) return;
    const shown = [...beside, record].map((one) => lineOf.get(one)).filter((line) => line !== undefined);
    ways.set(name, { ...way, ...(hint === undefined ? {} : { hint }), lines: shown });
  };
  const broken: Observation[] = [];
  for (const line of lines.toSorted((one, other) => completeAt(one) - completeAt(other))) {
    const record = recordOfLine(line);
    if (!record) continue;
    lineOf.set(record, line);
    kindOf(record);
    for (const observation of judge.see(record, toldOf(line, record))) {
      if (observation.stands) broken.push(observation);
      else note(observation);
    }
  }
  for (const observation of broken) {
    const still = observation.stands?.();
    if (still) note({ ...observation, broken: still });
  }
  judge.end().forEach(note);
  const places = placesOf(lines);
  const placesIn = ({ records }: OpenTally): ReadonlySet<number> => {
    const linesOf = [...records].map((record) => lineOf.get(record));
    return new Set(linesOf.map((line) => line && places.get(line)).filter((place) => place !== undefined));
  };
  const brokenAt = new Map([...tallies].map(([clause, tally]) => [clause, placesIn(tally)]));
  return new Map([...tallies].map(([clause, tally]) => [clause, closed(clause, tally, brokenAt)]));
}

function isOfPreflight(line: RecordLine | undefined): boolean {
  return line?.check === beforeChecks;
}

/** The places of the records that break each clause. */
export type BrokenAt = ReadonlyMap<string, ReadonlySet<number>>;

/** The other clauses that most of these records break as well. */
export function brokenBeside(clause: string, records: ReadonlySet<number>, brokenAt: BrokenAt): string[] {
  const all = [...records];
  const isBeside = (others: ReadonlySet<number>): boolean =>
    all.filter((one) => others.has(one)).length * 2 > all.length;
  return [...brokenAt].filter(([id, others]) => id !== clause && isBeside(others)).map(([id]) => id);
}

interface OpenTally {
  /** Records that keep it, each once: what is said of one comes in a row. */
  rightRecords: number;
  lastRight: TraceRecord | undefined;
  broken: number;
  held: number;
  surely: number;
  readonly ways: Ways;
  readonly accepted: Ways;
  /** What the records that keep it, and those that break it, are like: each kind once. */
  readonly right: Set<Facts>;
  readonly wrong: Set<Facts>;
  readonly records: Set<TraceRecord>;
}

function newTally(): OpenTally {
  const [ways, accepted, right, wrong] = [new Map(), new Map(), new Set<Facts>(), new Set<Facts>()];
  const counts = { held: 0, broken: 0, surely: 0, rightRecords: 0, lastRight: undefined };
  return { ...counts, ways, accepted, right, wrong, records: new Set() };
}

function closed(clause: ClauseId, tally: OpenTally, brokenAt: BrokenAt): Tally {
  const { held, broken, surely, ways, accepted, right, wrong } = tally;
  const seen = { right: tally.rightRecords, over: varieties([...right, ...wrong]) };
  const counts = { held, broken, surely, ...seen, ways: [...ways.values()], accepted: [...accepted.values()] };
  if (broken === 0) return counts;
  const records = brokenAt.get(clause) ?? new Set();
  const facts = commonFacts([...wrong], [...right]);
  const first = [...records].slice(0, mostRecords);
  const beside = brokenBeside(clause, records, brokenAt);
  return { ...counts, records, shared: { records: first, facts, beside, wrong: broken, of: held + broken } };
}

function varieties(kinds: readonly Facts[]): Variety[] {
  const named = conditionNames.map((name) => ({
    name,
    values: new Set(kinds.flatMap((kind) => kind[name] ?? [])).size,
  }));
  return named.filter(({ values }) => values > 1);
}

/** The place of each line in a trace, where they stand in the order in which they went out: 1 is the first. */
export function placesOf(lines: readonly RecordLine[]): ReadonlyMap<RecordLine, number> {
  const inOrder = lines.toSorted((one, other) => one.at - other.at);
  return new Map(inOrder.map((line, at) => [line, at + 1]));
}

/** Ways to break a clause, each once, by what tells it from another. */
type Ways = Map<string, BrokenWay>;

function endpointOf(record: TraceRecord): Pick<Way, 'endpoint'> {
  const called = record.kind === 'exchange' ? (record.endpoint ?? record.retired) : undefined;
  return called ? { endpoint: methodAndPath(called) } : {};
}

/** What was said of a record before its secrets were masked; `undefined` where nothing was. */
export function toldOf(line: RecordLine, record: TraceRecord): readonly Observation[] | undefined {
  const told = isOfMessage(line) ? line.told : undefined;
  return told?.map(({ clause, expected, actual = '' }) =>
    expected === undefined ? { clause, record } : { clause, record, broken: { expected, actual } },
  );
}
