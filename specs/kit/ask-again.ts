import { setTimeout as sleep } from 'node:timers/promises';
import type { ClauseId } from '../../contract/catalogue.ts';
import { endpointAt } from '../../contract/endpoints.ts';
import type { Draft } from '../../contract/request.ts';
import type { Node } from '../../schemas/finding.ts';
import { isKept } from '../../targets/traffic/interlock.ts';
import type { Run, TargetAddress } from '../../targets/address.ts';
import { openTarget, type Target } from '../../targets/target.ts';
import { headersReceived } from '../../trace/evidence.ts';
import type { Veil } from '../../trace/people/veil.ts';
import { nodeOf, type AskedAgain } from './nodes.ts';
import type { Suspect } from './recorder.ts';
import type { TrialRecord } from './trial-record.ts';

/** A clause that some node of several breaks, and by what it is told from the others. */
export interface NodeOfClause {
  readonly clause: ClauseId;
  readonly node: Node;
}

/** How often one request is asked again at most; how often before it counts as broken each time, over several connections. */
const [most, mostIfConstant, connections] = [150, 16, 3];
/** Requests of a run that are spent on what nobody has seen right in its check. */
const mostUnkept = 60;
const mostPauseMs = 4;
/** After so many each the answers are looked at. */
const lookEvery = 4;
/** So many are enough to tell a share. */
const enough = 120;

/**
 * Asks the request again whose answer broke a clause in a check, until it is known at which of several nodes it is so. `undefined` where
 * it is so each time, where nothing tells, and where asking again would leave something behind. Nothing hangs on it, so whatever stops
 * it, such as the network or a budget, is passed over.
 */
export async function askedAgain(run: Run, target: Target, record: TrialRecord): Promise<NodeOfClause | undefined> {
  const suspect = record.recorder.suspect();
  const draft = suspect && record.drafts.get(suspect.exchange);
  if (!draft || !mayBeAsked(suspect, draft(), target.address) || !isWorthIt(suspect, target, record)) return undefined;
  const asked = [{ exchange: suspect.exchange, isBroken: true }];
  // Over connections of its own, which change: those of a check may all lead to one node.
  const listener = { exchange: target.learning.exchange, delivery: () => undefined, steering: () => undefined };
  const again = openTarget(run.address, run.traffic, listener);
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

/** What is broken wherever it is seen is so at every node: a few requests show that, and no more are spent on it. */
function isWorthIt({ clause }: Suspect, { ledger }: Target, { recorder }: TrialRecord): boolean {
  return recorder.hasKept(clause) || ledger.takenAgain() < mostUnkept;
}

/** Whether it is broken each time, wherever it went. */
function isConstant(asked: AskedAgain): boolean {
  if (asked.some(({ isBroken }) => !isBroken)) return false;
  const over = new Set(asked.map(({ exchange }) => exchange.response?.connection));
  return (asked.length > mostIfConstant / 2 && over.size >= connections) || asked.length > mostIfConstant;
}
