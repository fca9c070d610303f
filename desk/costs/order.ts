import { completeAt } from '../../judge/tally.ts';
import { factsOf } from '../../judge/facts.ts';
import { openJudge } from '../../judge/judge.ts';
import { isOfMessage, recordOfLine, type RecordLine } from '../../trace/lines.ts';

/** What a check sends, and what its records show: each aspect of a clause once. */
interface Showing {
  requests: number;
  /** By clause, on what it was seen: an endpoint or a channel, with a fault. */
  readonly aspects: Map<string, Set<string>>;
}

/** What a clause counts for besides the services that break it: that it is seen at all. */
const ofEach = 5;
/** Share of what is left to learn of a clause that each further aspect of it teaches. */
const learnt = 0.5;

/**
 * The checks of a run, each with what it sent, in the order in which they tell most for what they send: each next one is that which shows most that is new,
 * a request, where a clause counts for as many wrong services as break it.
 */
export function tellingOrder(
  lines: readonly RecordLine[],
  weights: ReadonlyMap<string, number>,
): (readonly [name: string, requests: number])[] {
  const left = showingsIn(lines);
  const seen = new Map<string, Set<string>>();
  const order: (readonly [string, number])[] = [];
  while (left.size > 0) {
    const [best] = [...left]
      .map(([name, showing]) => ({ name, worth: worthOf(showing, seen, weights) / Math.max(1, showing.requests) }))
      .toSorted((one, other) => other.worth - one.worth || (one.name < other.name ? -1 : 1));
    if (!best) break;
    const { requests = 0, aspects: shown = [] } = left.get(best.name) ?? {};
    order.push([best.name, requests]);
    for (const [clause, aspects] of shown) seen.set(clause, (seen.get(clause) ?? new Set()).union(aspects));
    left.delete(best.name);
  }
  return order;
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
