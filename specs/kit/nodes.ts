import type { Exchange } from '../../trace/exchange.ts';
import type { Node } from '../../schemas/finding.ts';
import { intervalOf } from '../../judge/rate.ts';

/** The same request asked again and again, in the order in which it went out, and whether each answer breaks the clause. */
export type AskedAgain = readonly { readonly exchange: Exchange; readonly isBroken: boolean }[];

/**
 * Which of several nodes behind one address breaks a clause, by what its answers have in common: a header, a cookie, a clock, an
 * address, a connection; else that it is every nth, or about one in n whatever the connection. `undefined` where what was seen tells
 * nothing of the kind.
 */
export function nodeOf(asked: AskedAgain): Node | undefined {
  const wrong = asked.filter(({ isBroken }) => isBroken).length;
  if (wrong === 0 || wrong === asked.length) return undefined;
  return byMark(asked) ?? byClock(asked) ?? byConnection(asked) ?? byTurn(asked) ?? byShare(asked);
}

/** How improbable it is to be that answers fall into groups by chance. */
const mostByChance = 1e-4;

/** Headers that differ between nodes, where they differ; what tells of the answer rather than of who gave it is left out. */
function byMark(asked: AskedAgain): Node | undefined {
  const names = new Set(asked.flatMap(({ exchange }) => headersOf(exchange).map(([name]) => name.toLowerCase())));
  for (const name of names.difference(aboutTheAnswer)) {
    const valueOf = (exchange: Exchange): string => headerIn(exchange, name);
    const groups = groupsBy(asked, valueOf);
    if (groups.size > mostValues || !isTelling(groups)) continue;
    const bad = [...groups].filter(([, { broken }]) => broken > 0);
    // An answer that is wrong has headers that right ones lack: which those of a node are, only its presence in both tells.
    if (groups.has('')) continue;
    const value = bad.length === 1 ? { value: bad[0]?.[0] ?? '' } : {};
    return { by: name === 'set-cookie' ? 'cookie' : 'header', name, ...value, ...countsOf(groups) };
  }
  const peers = groupsBy(asked, ({ response }) => response?.peer ?? '');
  return isTelling(peers) ? { by: 'address', ...countsOf(peers) } : undefined;
}

function headersOf({ response }: Exchange): readonly (readonly [string, string])[] {
  return response?.headers ?? [];
}

/** What a header holds; of a cookie what it is called and holds, since the rest says for how long, and differs. */
function headerIn(exchange: Exchange, wanted: string): string {
  const value = headersOf(exchange).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
  return wanted === 'set-cookie' ? (value.split(';', 1)[0] ?? '') : value;
}

/** A balancer has few nodes; more values are ids of answers. */
const mostValues = 32;

const aboutTheAnswer: ReadonlySet<string> = new Set([
  'date',
  'content-type',
  'content-length',
  'content-encoding',
  'content-language',
  'content-disposition',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'etag',
  'last-modified',
  'expires',
  'cache-control',
  'retry-after',
  'allow',
  'vary',
  'age',
  'www-authenticate',
]);

function byClock(asked: AskedAgain): Node | undefined {
  const skews = asked.map(({ exchange }) => skewOf(exchange)).toSorted((one, other) => one - other);
  const borders = skews.filter((skew, at) => skew - (skews[at - 1] ?? skew) > apartSeconds);
  if (skews.some(Number.isNaN)) return undefined;
  const groups = groupsBy(asked, (exchange) => String(borders.filter((border) => border <= skewOf(exchange)).length));
  if (!isTelling(groups)) return undefined;
  const bad = asked.find(({ isBroken }) => isBroken);
  return { by: 'clock', value: `${Math.round(bad ? skewOf(bad.exchange) : 0)} s`, ...countsOf(groups) };
}

/** A `Date` holds whole seconds, and an answer takes its time. */
const apartSeconds = 3;

/** Seconds by which the `Date` of an answer is ahead of our clock; NaN where it has none. */
function skewOf({ response, sentAtMs = 0, durationMs }: Exchange): number {
  const date = response?.headers.find(([name]) => name.toLowerCase() === 'date')?.[1];
  return (Date.parse(date ?? '') - sentAtMs - durationMs / 2) / 1000;
}

function byConnection(asked: AskedAgain): Node | undefined {
  const groups = groupsBy(asked, ({ response }) => String(response?.connection));
  return isTelling(groups) ? { by: 'connection', ...countsOf(groups) } : undefined;
}

/** Nodes that take turns at requests, not at connections. */
function byTurn(asked: AskedAgain): Node | undefined {
  const places = new Map(asked.map(({ exchange }, at) => [exchange, at]));
  for (let nodes = 2; nodes <= mostNodes; nodes++) {
    const groups = groupsBy(asked, (exchange) => String((places.get(exchange) ?? 0) % nodes));
    if (isTelling(groups)) return { by: 'turn', ...countsOf(groups) };
  }
  return undefined;
}

const mostNodes = 16;

/** Nodes of which one is drawn for each request: both came over the same connections. */
function byShare(asked: AskedAgain): Node | undefined {
  const [wrong, of] = [asked.filter(({ isBroken }) => isBroken).length, asked.length];
  const nodes = Math.round(of / wrong);
  const [low, high] = intervalOf({ failed: wrong, of });
  const isShare = of >= fewestOfShare && nodes >= 2 && nodes <= mostNodes && low <= 1 / nodes && 1 / nodes <= high;
  return isShare ? { by: 'share', wrong: 1, of: nodes } : undefined;
}

/** Fewer answers don't tell one in four from one in eight. */
const fewestOfShare = 60;

interface Group {
  readonly broken: number;
  readonly size: number;
}

type Groups = ReadonlyMap<string, Group>;

function groupsBy(asked: AskedAgain, valueOf: (exchange: Exchange) => string): Groups {
  const groups = Map.groupBy(asked, ({ exchange }) => valueOf(exchange));
  const counted = [...groups].map(([value, all]): [string, Group] => {
    return [value, { broken: all.filter(({ isBroken }) => isBroken).length, size: all.length }];
  });
  return new Map(counted);
}

/** Whether each group is wrong or right throughout, and that would hardly be so by chance. */
function isTelling(groups: Groups): boolean {
  const all = [...groups.values()];
  const isPure = all.every(({ broken, size }) => broken === 0 || broken === size);
  return all.length > 1 && isPure && chanceOf(all) < mostByChance;
}

/** How probable it is that so many wrong ones, drawn from all, fill groups up and leave the others out. */
function chanceOf(groups: readonly Group[]): number {
  const [of, wrong] = [sum(groups.map(({ size }) => size)), sum(groups.map(({ broken }) => broken))];
  // How many sets of groups hold just so many, by their sum: a few hundred answers are no more than a number holds.
  const ways = new Float64Array(wrong + 1);
  ways[0] = 1;
  for (const { size } of groups)
    for (let at = wrong; at >= size; at--) ways[at] = (ways[at] ?? 0) + (ways[at - size] ?? 0);
  const drawn = Array.from({ length: wrong }, (_, at) => Math.log(of - at) - Math.log(at + 1));
  return Math.exp(Math.log(ways[wrong] ?? 0) - sum(drawn));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function countsOf(groups: Groups): Pick<Node, 'wrong' | 'of'> {
  return { wrong: [...groups.values()].filter(({ broken }) => broken > 0).length, of: groups.size };
}
