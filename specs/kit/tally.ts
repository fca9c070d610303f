import type { ClauseId } from '../../contract/catalogue.ts';
import type { Arrival } from '../../client/receiver-arrival.ts';
import type { Exchange } from '../../client/transport.ts';
import { observationsOf } from '../../judge/judge.ts';
import type { Broken } from '../../judge/predicate.ts';
import type { TrialRecord } from './trial.ts';
import { deliveryRecord, exchangeRecord } from '../../trace/records.ts';

/** What records said of a clause: how many kept it, how many broke it, and the first that broke it in each way. */
export interface Tally {
  held: number;
  broken: number;
  readonly ways: Map<string, BrokenWay>;
}

interface BrokenWay extends Broken {
  readonly exchange?: Exchange;
  readonly arrival?: Arrival;
}

/** Tallies by clause. */
export type Tallies = Map<ClauseId, Tally>;

/** Ways to break a clause that are remembered, each with what shows it. */
export const mostWays = 5;

/** Judges what came by every clause that it bears on. */
export function tallyExchange(tallies: Tallies, exchange: Exchange): void {
  const record = exchangeRecord(exchange);
  if (record) for (const seen of observationsOf(record)) note(tallies, seen.clause, seen.broken, { exchange });
}

/** The same of a delivery. */
export function tallyArrival(tallies: Tallies, arrival: Arrival, headerPrefix: string): void {
  const record = deliveryRecord(arrival, headerPrefix);
  if (record) for (const seen of observationsOf(record)) note(tallies, seen.clause, seen.broken, { arrival });
}

/** The same of deliveries that were promised: what was lost breaks the clause that promises it. */
export function tallyAwaited({ judged, awaited }: Pick<TrialRecord, 'judged' | 'awaited'>): void {
  for (const [clause, { came, lost, exchange }] of awaited) {
    const broken = { expected: 'a delivery, by its first retry at the latest', actual: 'none came' };
    for (let count = 0; count < came; count++) note(judged, clause, undefined, {});
    for (let count = 0; count < lost; count++) note(judged, clause, broken, exchange ? { exchange } : {});
  }
}

function note(
  tallies: Tallies,
  clause: ClauseId,
  broken: Broken | undefined,
  source: Pick<BrokenWay, 'exchange' | 'arrival'>,
): void {
  const tally: Tally = tallies.get(clause) ?? { held: 0, broken: 0, ways: new Map() };
  tallies.set(clause, tally);
  if (!broken) {
    tally.held += 1;
    return;
  }
  tally.broken += 1;
  const name = `${broken.expected} ${broken.actual}`;
  if (tally.ways.size < mostWays && !tally.ways.has(name)) tally.ways.set(name, { ...broken, ...source });
}
