import { completeAt, factsOf } from '../../judge/tally.ts';
import { openJudge } from '../../judge/judge.ts';
import { isOfMessage, recordOfLine, type RecordLine } from '../../trace/lines.ts';
import type { Lesson } from './lessons.ts';

/** What a check sends, and what its records show: each aspect of a clause once. */
interface Showing {
  requests: number;
  /** By clause, on what it was seen: an endpoint or a channel, with a fault. */
  readonly aspects: Map<string, Set<string>>;
}

/** What is known of wrong servers before. */
export interface Known {
  /** By clause, how many of them break it. */
  readonly weights: ReadonlyMap<string, number>;
  /** Which checks saw some of them. */
  readonly lessons?: readonly Lesson[];
}

/** What a wrong server counts for that no check before has seen, beside what clauses count for. */
const ofEachServer = 40;
/** What a clause counts for besides the services that break it: that it is seen at all. */
const ofEach = 5;
/** Share of what is left to learn of a clause that each further aspect of it teaches. */
const learnt = 0.5;

/**
 * The checks of a run, each with what it sent, in the order in which they tell most for what they send: each next one is that which shows most that is new,
 * a request, where a clause counts for as many wrong services as break it, and a server that was seen to be wrong by one check for
 * the first such check alone.
 */
export function tellingOrder(
  lines: readonly RecordLine[],
  { weights, lessons = [] }: Known,
): (readonly [name: string, requests: number])[] {
  const left = showingsIn(lines);
  const seen = new Map<string, Set<string>>();
  const serversBy = serversByCheck(lessons);
  const foundOut = new Set<string>();
  const worth = (name: string, showing: Showing): number => {
    const servers = [...(serversBy.get(name) ?? [])].filter((server) => !foundOut.has(server)).length;
    return (worthOf(showing, seen, weights) + ofEachServer * servers) / Math.max(1, showing.requests);
  };
  const order: (readonly [string, number])[] = [];
  while (left.size > 0) {
    const [best] = [...left]
      .map(([name, showing]) => ({ name, worth: worth(name, showing) }))
      .toSorted((one, other) => other.worth - one.worth || (one.name < other.name ? -1 : 1));
    if (!best) break;
    const { requests = 0, aspects: shown = [] } = left.get(best.name) ?? {};
    order.push([best.name, requests]);
    for (const [clause, aspects] of shown) seen.set(clause, (seen.get(clause) ?? new Set()).union(aspects));
    for (const server of serversBy.get(best.name) ?? []) foundOut.add(server);
    left.delete(best.name);
  }
  return order;
}

/** The servers that each check has seen to be wrong. */
function serversByCheck(lessons: readonly Lesson[]): ReadonlyMap<string, readonly string[]> {
  const pairs = lessons.flatMap(({ server, seenBy }) => seenBy.map((name) => ({ server, name })));
  const groups = Map.groupBy(pairs, ({ name }) => name);
  return new Map([...groups].map(([name, own]) => [name, own.map(({ server }) => server)]));
}

function worthOf(
  { aspects }: Showing,
  seen: ReadonlyMap<string, Set<string>>,
  weights: ReadonlyMap<string, number>,
): number {
  return [...aspects].reduce((sum, [clause, own]) => {
    const known = seen.get(clause) ?? new Set();
    const after = known.union(own).size;
    return sum + (ofEach + (weights.get(clause) ?? 0)) * (learnt ** known.size - learnt ** after);
  }, 0);
}

/** What the checks of a run have shown, by the name under which the table of costs has them. */
function showingsIn(lines: readonly RecordLine[]): Map<string, Showing> {
  const judge = openJudge();
  const showings = new Map<string, Showing>();
  for (const line of lines.toSorted((one, other) => completeAt(one) - completeAt(other))) {
    const record = recordOfLine(line);
    const name = nameIn(line.check);
    if (!record || name === undefined) continue;
    const showing = showings.get(name) ?? { requests: 0, aspects: new Map([[clauseIn(name), new Set([name])]]) };
    showings.set(name, showing);
    if (isOfMessage(line) && line.kind !== 'delivery') showing.requests += 1;
    for (const { clause, record: shown } of judge.see(record)) {
      const { endpoint, channel, fault } = factsOf(shown);
      showing.aspects.set(clause, (showing.aspects.get(clause) ?? new Set()).add(`${endpoint ?? channel} ${fault}`));
    }
  }
  return showings;
}

/** The name of a check without its file; `undefined` for what was sent before the first check. */
function nameIn(check: string): string | undefined {
  return /^specs\/\S+ (.*)$/s.exec(check)?.[1];
}

function clauseIn(name: string): string {
  return name.split(':', 1).join('');
}
