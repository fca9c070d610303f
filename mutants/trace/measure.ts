import type { ClauseId } from '../../contract/catalogue.ts';
import { judgedInPassing } from '../../judge/judge.ts';
import { judgeLines } from '../../judge/tally.ts';
import { kindsOfThings, openThings } from '../../judge/things.ts';
import { isOfMessage, recordOfLine, type RecordLine } from '../../trace/lines.ts';
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
  const brokenBy = (line: RecordLine, { lines: changed }: Change): [ClauseId, string][] =>
    [...judgeLines([...besideOf(line), ...changed])].flatMap(([clause, { ways }]) =>
      ways.slice(0, 1).map(({ actual }): [ClauseId, string] => [clause, actual]),
    );
  for (const line of spread(lines, most)) {
    if (judged >= most) break;
    for (const change of wrongChanges(line)) {
      const broken = brokenBy(line, change);
      judged += 1;
      for (const [clause] of broken) breaks.set(clause, (breaks.get(clause) ?? 0) + 1);
      const name = `${placeOf(line)}: ${change.name}`;
      if (broken.length === 0) unseen.set(name, (unseen.get(name) ?? 0) + 1);
    }
    for (const change of freeChanges(line)) {
      judged += 1;
      for (const [clause, actual] of brokenBy(line, change))
        accused.push(`${clause} by ${change.name} in ${placeOf(line)}: ${actual}`);
    }
  }
  return { judged, seconds: (performance.now() - started) / 1000, breaks, unseen, accused };
}

/** Lines that belong to a history with a line: what it is judged beside. */
function neighbours(lines: readonly RecordLine[]): (line: RecordLine) => readonly RecordLine[] {
  const thingsIn = openThings();
  const byThing = new Map<string, RecordLine[]>();
  const namesOf = (line: RecordLine): string[] => {
    const record = recordOfLine(line);
    if (!record) return [];
    return kindsOfThings.flatMap((kind) => thingsIn(kind, record).map((name) => `${kind} ${name}`));
  };
  for (const line of lines) {
    for (const name of namesOf(line)) byThing.set(name, [...(byThing.get(name) ?? []), line]);
  }
  return (line) =>
    [...new Set(namesOf(line).flatMap((name) => byThing.get(name) ?? []))].filter((other) => other !== line);
}

/** The lines in an order in which any first part of them is spread over all, the rare kinds of messages first. */
function spread(lines: readonly RecordLine[], most: number): RecordLine[] {
  const kinds = Map.groupBy(lines, (line) => `${placeOf(line)} ${line.check}`);
  const turns = Math.max(...[...kinds.values()].map((same) => same.length), 0);
  const order: RecordLine[] = [];
  for (let turn = 0; turn < turns && order.length < most; turn++) {
    for (const same of kinds.values()) order.push(...same.slice(turn, turn + 1));
  }
  return order;
}

function placeOf(line: RecordLine): string {
  if (!isOfMessage(line)) return line.kind;
  const { request, response } = line.evidence;
  const path = request.target
    .split('?', 1)
    .join('')
    .replaceAll(/\/(?=[^/]*\d)[^/]{4,}/g, '/…');
  return line.kind === 'delivery' ? 'a delivery' : `${request.method} ${path} ${response?.status ?? 'unanswered'}`;
}
