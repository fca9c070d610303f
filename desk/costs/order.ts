import { factsOf } from '../../judge/facts.ts';
import { openJudge } from '../../judge/judge.ts';
import { completeAt, isOfMessage, recordOfLine, type RecordLine } from '../../trace/lines.ts';
import type { Lesson } from './lessons.ts';
import { hash } from 'node:crypto';
import { topicOf } from '../../contract/catalogue.ts';
import type { Mutant } from '../../mutants/mutant.ts';

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
const ofEachServer = 80;
/** What a clause counts for besides the services that break it: that it is seen at all. */
const ofEach = 400;
/** Share of what is left to learn of a clause that is left after one more aspect of it. */
const untaught = 0.9;

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
    return sum + (ofEach + (weights.get(clause) ?? 0)) * (untaught ** known.size - untaught ** after);
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

/** Checks in an order, each with the requests of one case. */
export type OrderedChecks = readonly (readonly [name: string, requests: number])[];

/** How many wrong servers are found out, as a share of those that some check sees, once so many requests were sent. */
interface CurvePoint {
  readonly requests: number;
  readonly share: number;
}

/** The curve of an order: a point for each request after which a server is found out. */
export function curveOf(order: OrderedChecks, lessons: readonly Lesson[]): readonly CurvePoint[] {
  const sentUntil = new Map<string, number>();
  let sent = 0;
  for (const [name, requests] of order) {
    sent += requests;
    sentUntil.set(name, sent);
  }
  const firsts = lessons
    .map(({ seenBy }) => Math.min(...seenBy.map((name) => sentUntil.get(name) ?? Infinity)))
    .filter((first) => first < Infinity)
    .toSorted((one, other) => one - other);
  return firsts.map((requests, at) => ({ requests, share: (at + 1) / firsts.length }));
}

/** The share that is found out with so many requests. */
export function shareAt(curve: readonly CurvePoint[], requests: number): number {
  return curve.findLast((point) => point.requests <= requests)?.share ?? 0;
}

/** A curve with its name. */
interface NamedCurve {
  readonly name: string;
  readonly shareAt: (requests: number) => number;
}

const [width, height, left, bottom, top] = [640, 360, 56, 48, 24];
const colours = ['#0b5cad', '#8a5a00'];

/** Curves as an SVG picture, from no request to the most. */
export function pictureOf(curves: readonly NamedCurve[], most: number): string {
  const x = (requests: number): number => left + ((width - left - 16) * requests) / most;
  const y = (share: number): number => top + (height - top - bottom) * (1 - share);
  const text = (atX: number, atY: number, words: string, rest = ''): string =>
    `<text x="${atX.toFixed(1)}" y="${atY.toFixed(1)}" ${rest}>${words}</text>`;
  const lines = curves.map(({ shareAt: at }, nth) => {
    const points = Array.from({ length: 101 }, (_, step) => (step * most) / 100);
    const path = points.map((requests) => `${x(requests).toFixed(1)},${y(at(requests)).toFixed(1)}`).join(' ');
    return `<polyline points="${path}" fill="none" stroke="${colours[nth % 2]}" stroke-width="2"${nth === 0 ? '' : ' stroke-dasharray="6 4"'}/>`;
  });
  const shares = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<line x1="${left}" x2="${width - 16}" y1="${y(share)}" y2="${y(share)}" stroke="#ccc"/>` +
      text(left - 8, y(share) + 4, `${share * 100} %`, 'text-anchor="end"'),
  );
  const requests = Array.from({ length: 6 }, (_, step) => Math.round((step * most) / 5));
  const marks = requests.map((count) => text(x(count), height - bottom + 18, String(count), 'text-anchor="middle"'));
  const names = curves.map(({ name }, nth) =>
    text(width - 24, y(0.12) + nth * 18, name, `text-anchor="end" fill="${colours[nth % 2]}"`),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13" role="img">`,
    `<title>Wrong servers found out, by requests sent</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...shares,
    ...marks,
    text(width / 2, height - 10, 'requests of checks', 'text-anchor="middle"'),
    ...lines,
    ...names,
    '</svg>',
    '',
  ].join('\n');
}

/** Ways to put mutants into two parts, of which one teaches and the other is looked for. */
const splits = {
  'half of the mutants, by lot': ({ id }) => partOf(id),
  'half of the topics': ({ breaks: [clause] }) => partOf(clause ? topicOf(clause) : ''),
} as const satisfies Record<string, (mutant: Mutant) => 0 | 1>;

function partOf(name: string): 0 | 1 {
  return (hash('sha256', name, 'buffer')[0] ?? 0) % 2 === 0 ? 0 : 1;
}

/** What an order was made from. */
export interface Learnt {
  readonly lines: readonly RecordLine[];
  readonly mutants: readonly Mutant[];
  readonly lessons: readonly Lesson[];
}

/** By clause, how many of these mutants break it. */
export function weightsOf(mutants: readonly Mutant[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const clause of mutants.flatMap(({ breaks }) => breaks)) weights.set(clause, (weights.get(clause) ?? 0) + 1);
  return weights;
}

/** The curves of two orders, each made from one part of the mutants and held against the other. */
export function heldOutCurves(
  { lines, mutants, lessons }: Learnt,
  split: keyof typeof splits,
): (readonly CurvePoint[])[] {
  const part = splits[split];
  return ([0, 1] as const).map((own) => {
    const teachers = mutants.filter((mutant) => part(mutant) === own);
    const ids = new Set(teachers.map(({ id }) => id));
    const taught = lessons.filter(({ server }) => ids.has(server));
    const order = tellingOrder(lines, { weights: weightsOf(teachers), lessons: taught });
    return curveOf(
      order,
      lessons.filter(({ server }) => !ids.has(server)),
    );
  });
}

const draws = 40;

/** The curves of the same checks in an order that is drawn by lot. */
export function randomCurves(checks: OrderedChecks, lessons: readonly Lesson[]): (readonly CurvePoint[])[] {
  return Array.from({ length: draws }, (_, draw) =>
    curveOf(
      checks.toSorted(([one], [other]) =>
        hash('sha256', `${draw} ${one}`) < hash('sha256', `${draw} ${other}`) ? -1 : 1,
      ),
      lessons,
    ),
  );
}

/** The mean share of several curves that is found out with so many requests. */
export function meanShareAt(curves: readonly (readonly CurvePoint[])[], requests: number): number {
  return curves.reduce((sum, curve) => sum + shareAt(curve, requests), 0) / curves.length;
}
