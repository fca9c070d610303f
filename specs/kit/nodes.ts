import type { Exchange } from '../../trace/exchange.ts';
import type { Node } from '../../schemas/finding.ts';
import { intervalOf } from '../../judge/rate.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import limited, { type LimitFunction } from 'p-limit';
import { isDeepStrictEqual } from 'node:util';
import type { ClauseId } from '../../contract/catalogue.ts';
import { endpointAt } from '../../contract/endpoints.ts';
import type { Draft } from '../../contract/request.ts';
import { isKept } from '../../targets/traffic/interlock.ts';
import type { Run, TargetAddress } from '../../targets/address.ts';
import { openTarget, type Target } from '../../targets/target.ts';
import { headersReceived } from '../../trace/evidence.ts';
import type { Veil } from '../../trace/people/veil.ts';
import type { Suspect } from './recorder.ts';
import type { TrialRecord } from './trial-record.ts';

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
    if (repeatsTheAnswer.test(name)) continue;
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

/** Headers that say once more what the answer is, such as `x-error-code` and `content-digest`: a wrong one has another value for that alone. */
const repeatsTheAnswer =
  /(?:^|-)(?:code|digest|error|errors|errortype|hash|length|md5|message|outcome|reason|result|size|status)(?:-|$)/;

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
  return isTelling(groups) && !isOfAMoment(groups) ? { by: 'connection', ...countsOf(groups) } : undefined;
}

/**
 * Whether connections that were used one after another are wrong for a while, and right before and after: it may be the moment that is
 * wrong, whoever answered. Of connections that lead to nodes wrong and right ones come by turns, or as they are drawn.
 */
function isOfAMoment(groups: Groups): boolean {
  const all = [...groups.values()].map(({ broken }) => broken > 0);
  const rarer = all.filter(Boolean).length * 2 <= all.length;
  const count = all.filter((isBroken) => isBroken === rarer).length;
  const stretches = all.filter((isBroken, at) => isBroken === rarer && all[at - 1] !== rarer).length;
  return stretches < Math.max(2, count / 4);
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

/** A clause that some node of several breaks, and by what it is told from the others. */
interface NodeOfClause {
  readonly clause: ClauseId;
  readonly node: Node;
}

type AskingRun = Pick<Run, 'address' | 'traffic' | 'mostAgain'>;
type AskingTarget = Pick<Target, 'address' | 'ledger' | 'learning'>;
interface AskedRecord extends Pick<TrialRecord, 'drafts'> {
  readonly recorder: Pick<TrialRecord['recorder'], 'suspect' | 'hasKept' | 'isBreaking' | 'exchange'>;
}

/** How often one request is asked again at most; how often before it counts as broken each time, over several connections. */
const [most, mostIfConstant, connections] = [150, 16, 3];
/** Requests of a run that are spent on what nobody has seen right in its check. */
const mostUnkept = 60;
const mostPauseMs = 4;
const perConnectionAgain = 4;
/** After so many each the answers are looked at. */
const lookEvery = 4;
/** So many are enough to tell a share. */
const enough = 120;

/**
 * Asks the request again whose answer broke a clause in a check, until it is known at which of several nodes it is so. `undefined` where
 * it is so each time, where nothing tells, and where asking again would leave something behind. Nothing hangs on it, so whatever stops
 * it, such as the network or a budget, is passed over.
 */
export async function askedAgain(
  run: AskingRun,
  target: AskingTarget,
  record: AskedRecord,
): Promise<NodeOfClause | undefined> {
  if (!record.recorder.suspect()) return undefined;
  const { memory } = run.traffic;
  const inTurn = turns.get(memory) ?? limited(1);
  turns.set(memory, inTurn);
  return inTurn(() => askAgain(run, target, record));
}

/** Checks of a run ask again one after another: of requests that all of them shared, none would have enough to tell a share. */
const turns = new WeakMap<SharedArrayBuffer, LimitFunction>();

async function askAgain(run: AskingRun, target: AskingTarget, record: AskedRecord): Promise<NodeOfClause | undefined> {
  const suspect = record.recorder.suspect();
  const draft = suspect && record.drafts.get(suspect.exchange);
  if (!draft || !mayBeAsked(suspect, draft(), target.address) || !isWorthIt(suspect, target, record)) return undefined;
  if (!isCalledAsThen(suspect, draft())) return undefined;
  const asked = [{ exchange: suspect.exchange, isBroken: true }];
  // Over connections of its own, which change, and of which each is to say more than once which node it leads to.
  const address =
    run.address.perConnection === undefined ? run.address : { ...run.address, perConnection: perConnectionAgain };
  const listener = { exchange: target.learning.exchange, delivery: () => undefined, steering: () => undefined };
  const again = openTarget(address, run.traffic, listener);
  try {
    while (asked.length <= most && target.ledger.takeAgain(run.mostAgain ?? 0)) {
      // Two checks that ask in step would each meet one of two nodes that take turns.
      await sleep(Math.random() * mostPauseMs);
      const exchange = await again.send(draft());
      if (!exchange.response || exchange.response.status === 429) break;
      record.recorder.exchange(exchange, suspect.aim);
      asked.push({ exchange, isBroken: record.recorder.isBreaking(exchange, suspect.clause) });
      if (isConstant(asked)) return undefined;
      if (asked.length % lookEvery > 0) continue;
      const node = nodeOf(asked);
      if (node && (node.by !== 'share' || asked.length >= enough)) return { clause: suspect.clause, node };
    }
  } catch {
    // What stopped it is told by the checks that it stops as well.
  } finally {
    await again.close();
  }
  const node = nodeOf(asked);
  return node && { clause: suspect.clause, node };
}

/** A node as a report names it: what its header holds is hidden where no report shows it. */
export function shownNode({ value, ...node }: Node, veil: Veil): Node {
  if (value === undefined || node.name === undefined) return { ...node, ...(value === undefined ? {} : { value }) };
  const [[, shown] = ['', '']] = headersReceived([[node.name, value]], veil);
  return { ...node, value: shown };
}

/**
 * Whether a request may be sent once more, alone: it went wrong so, and it leaves nothing, or what it leaves is with an application of
 * the check's own, which it is to be refused. What is accepted on a path that nobody should serve may have left anything. Sections 4, 7.2.
 */
export function mayBeAsked(
  { aim, exchange }: Pick<Suspect, 'aim' | 'exchange'>,
  { call }: Pick<Draft, 'call'>,
  address: Pick<TargetAddress, 'control'>,
): boolean {
  if (exchange.isOfBurst) return false;
  const called = endpointAt(call.method, call.path);
  const { status = 0 } = exchange.response ?? {};
  const isFlawed = aim !== undefined && aim.faults !== 'accepted' && aim.faults.length > 0;
  const mayLeave = called ? called.leaves !== undefined : call.method !== 'GET' && status >= 200 && status <= 299;
  return !mayLeave || (isFlawed && !isKept(address));
}

/** Whether its caller still is what it was: one that was made another since is rightly answered otherwise. */
export function isCalledAsThen({ exchange }: Pick<Suspect, 'exchange'>, { origin }: Pick<Draft, 'origin'>): boolean {
  return isDeepStrictEqual(exchange.request.origin?.caller, origin?.caller);
}

/** What is broken wherever it is seen is so at every node: a few requests show that, and no more are spent on it. */
function isWorthIt({ clause }: Suspect, { ledger }: AskingTarget, { recorder }: AskedRecord): boolean {
  return recorder.hasKept(clause) || ledger.takenAgain() < mostUnkept;
}

/** Whether it is broken each time, wherever it went. */
function isConstant(asked: AskedAgain): boolean {
  if (asked.some(({ isBroken }) => !isBroken)) return false;
  const over = new Set(asked.map(({ exchange }) => exchange.response?.connection));
  return (asked.length > mostIfConstant / 2 && over.size >= connections) || asked.length > mostIfConstant;
}
