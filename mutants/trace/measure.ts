import type { ClauseId } from '../../contract/catalogue.ts';
import { isStanding, judgedInPassing, openJudge, type Observation } from '../../judge/judge.ts';
import { kindsOfThings, openThings } from '../../judge/history.ts';
import { completeAt, isOfMessage, recordOfLine, type RecordLine } from '../../trace/lines.ts';
import type { TraceRecord } from '../../trace/records.ts';
import { freeChanges, wrongChanges, type Change } from './changes.ts';

/** What changes of a trace came to. */
export interface Measured {
  /** How many changed traces were judged. */
  readonly judged: number;
  readonly seconds: number;
  /** Of the wrong changes, how many broke each clause that is judged in passing. */
  readonly breaks: ReadonlyMap<ClauseId, number>;
  /** Wrong changes that broke nothing, by what was changed. */
  readonly unseen: ReadonlyMap<string, number>;
  /** Free changes that broke something: each is a false accusation. */
  readonly accused: readonly string[];
}

/**
 * Changes one thing at a time in a trace of a right target, and judges what it bears on: the changed message and the histories
 * that it belongs to. `most` are judged, spread over the trace.
 */
export function measure(lines: readonly RecordLine[], most: number): Measured {
  const started = performance.now();
  const besideOf = neighbours(lines);
  const breaks = new Map([...judgedInPassing].map((clause) => [clause, 0]));
  const unseen = new Map<string, number>();
  const accused: string[] = [];
  let judged = 0;
  const recordOf = remembered();
  /** What a change breaks: by itself, and in the histories of what it belongs to, of which the others say nothing alone. */
  const brokenBy = (line: RecordLine, { lines: changed }: Change): [ClauseId, string][] => {
    const judge = openJudge();
    const others = besideOf(line).map((one) => ({ at: completeAt(one), record: recordOf(one), alone: nothing }));
    const own = changed.map((one) => ({ at: completeAt(one), record: recordOfLine(one), alone: undefined }));
    const inOrder = [...others, ...own].sort((one, other) => one.at - other.at);
    // What came before the change says what it said without it.
    const first = Math.min(completeAt(line), ...own.map(({ at }) => at));
    const seen = inOrder.flatMap(({ at, record, alone }) => {
      if (!record) return [];
      if (at >= first) return judge.see(record, alone);
      judge.remember(record);
      return [];
    });
    const broken = [...seen, ...judge.end()]
      .filter(isStanding)
      .flatMap(({ clause, broken: found }) => (found ? [[clause, found.actual] as const] : []));
    return [...new Map(broken)];
  };
  const whole = lines.filter((line) => !isOfMessage(line) || !line.told);
  for (const [turn, line] of spread(whole, most).entries()) {
    if (judged >= most) break;
    // Of others beside it, such as another application's, a part of the history is there, which may look wrong by itself.
    const partly = new Set(brokenBy(line, { name: 'unchanged', lines: [line] }).map(([clause]) => clause));
    const newlyBroken = (change: Change): [ClauseId, string][] =>
      brokenBy(line, change).filter(([clause]) => !partly.has(clause));
    for (const change of someOf(wrongChanges(line), turn)) {
      const broken = newlyBroken(change);
      judged += 1;
      for (const [clause] of broken) breaks.set(clause, (breaks.get(clause) ?? 0) + 1);
      const name = `${placeOf(line)}: ${change.name}`;
      if (broken.length === 0) unseen.set(name, (unseen.get(name) ?? 0) + 1);
    }
    for (const change of someOf(freeChanges(line), turn)) {
      judged += 1;
      for (const [clause, actual] of newlyBroken(change))
        accused.push(`${clause} by ${change.name} in ${placeOf(line)}: ${actual}`);
    }
  }
  return { judged, seconds: (performance.now() - started) / 1000, breaks, unseen, accused };
}

/** Changes of one kind that are made of one line: the others are made of other lines. */
const mostOfLine = 4;

function someOf(changes: readonly Change[], turn: number): readonly Change[] {
  const stride = Math.ceil(changes.length / mostOfLine);
  return changes.filter((_, at) => at % stride === turn % stride);
}

const nothing: readonly Observation[] = [];

/** The records of lines, each read once. */
function remembered(): (line: RecordLine) => TraceRecord | undefined {
  const known = new Map<RecordLine, TraceRecord | undefined>();
  return (line) => {
    if (!known.has(line)) known.set(line, recordOfLine(line));
    return known.get(line);
  };
}

/** Lines that belong to a history with a line: what it is judged beside. That of the whole service is left out: it is everything. */
function neighbours(lines: readonly RecordLine[]): (line: RecordLine) => readonly RecordLine[] {
  const thingsIn = openThings();
  const byThing = new Map<string, RecordLine[]>();
  const namesOf = (line: RecordLine): string[] => {
    const record = recordOfLine(line);
    if (!record) return [];
    return kindsOfThings
      .filter((kind) => kind !== 'service')
      .flatMap((kind) => thingsIn(kind, record).map((name) => `${kind} ${name}`));
  };
  const names = new Map(lines.map((line) => [line, namesOf(line)]));
  for (const [line, own] of names) {
    for (const name of own) {
      const same = byThing.get(name) ?? [];
      byThing.set(name, same);
      same.push(line);
    }
  }
  return (line) =>
    [...new Set((names.get(line) ?? []).flatMap((name) => byThing.get(name) ?? []))].filter((other) => other !== line);
}

/** The lines in an order in which any first part of them is spread over all checks, and over the lines of each. */
function spread(lines: readonly RecordLine[], most: number): RecordLine[] {
  const checks = [...Map.groupBy(lines, ({ check }) => check).values()].map(strided);
  const turns = Math.max(...checks.map((same) => same.length), 0);
  const order: RecordLine[] = [];
  for (let turn = 0; turn < turns && order.length < most; turn++) {
    for (const same of checks) order.push(...same.slice(turn, turn + 1));
  }
  return order;
}

/** Steps through a list by a part of its length that divides nothing, so that neighbours are far apart. */
function strided<T>(all: readonly T[]): T[] {
  return all
    .map((one, at) => ({ one, rank: (at * goldenPart) % 1 }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}

const goldenPart = 0.618_033_988_749_895;

function placeOf(line: RecordLine): string {
  if (!isOfMessage(line)) return line.kind;
  const { request, response } = line.evidence;
  const path = request.target
    .split('?', 1)
    .join('')
    .replaceAll(/\/(?=[^/]*\d)[^/]{4,}/g, '/…');
  return line.kind === 'delivery' ? 'a delivery' : `${request.method} ${path} ${response?.status ?? 'unanswered'}`;
}

/** So many kinds of changes that broke nothing are told. */
const mostTold = 40;

function mostOften(unseen: Measured['unseen']): readonly (readonly [name: string, times: number])[] {
  return [...unseen].toSorted(([, one], [, other]) => other - one).slice(0, mostTold);
}

/** What was measured, as a person reads it. */
export function measuredLines({ judged, seconds, breaks, unseen, accused }: Measured): string[] {
  const never = [...breaks].filter(([, times]) => times === 0).map(([clause]) => clause);
  const perMinute = Math.round((judged / seconds) * 60);
  return [
    ...[...new Set(accused)].map((words) => `false accusation: ${words}`),
    ...never.map((clause) => `never broken: ${clause}`),
    ...mostOften(unseen).map(([name, times]) => `broke nothing, ${times} times: ${name}`),
    `${judged} changed traces judged, ${perMinute} a minute; ${breaks.size - never.length} of ${breaks.size} clauses broken by some,`,
    `${unseen.size} kinds of wrong changes broke nothing; ${accused.length} free changes accused`,
  ];
}
