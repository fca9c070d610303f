import { costBy } from '../../contract/endpoints.ts';
import type { Arrival, Exchange } from '../../trace/exchange.ts';
import type { TraceRecord } from '../../trace/records.ts';
import type { Run } from '../../targets/address.ts';
import type { Target } from '../../targets/target.ts';
import type { NeedName } from '../../contract/clause.ts';
import { sharing } from './exchanges.ts';
import { isWorthReading, placeOf } from './pooled.ts';
import type { TrialRecord } from './trial-record.ts';

/*
 * Where a control API makes an application for each check, many of them would gather the same as applications of their own. Where a
 * pace makes that dear, one of them gathers it, and it counts for the others as if it had come to them.
 */

/** What came to a check while it gathered something. */
export interface Gathered {
  readonly exchanges: readonly Exchange[];
  readonly arrivals: readonly Arrival[];
  readonly records: readonly TraceRecord[];
  readonly secrets: ReadonlyMap<string, string>;
}

/** How a check gathers for others, and reads what others have gathered. */
export interface Gathering {
  /** The run whose checks gather for each other; absent where each gathers for itself. */
  gathersIn(): string | undefined;
  /** Gathers something that others may read, under the name of its costs; whether it tells them as much. */
  gather<T>(
    name: string,
    make: () => Promise<T>,
  ): Promise<{ readonly value: T; readonly gathered: Gathered; readonly isSure: boolean }>;
  /** Reads what another check has gathered. */
  read(name: string, gathered: Gathered): void;
}

/** The run whose checks gather for each other; none where one case is repeated. */
export function gatheringIn(run: Run): string | undefined {
  const { control, maxRps } = run.address;
  return control && maxRps > 0 && run.path === undefined ? placeOf(run) : undefined;
}

/** What is done to an application of a check's own. */
const ofOwnApplication: ReadonlySet<NeedName> = new Set([
  'callbacks',
  'chosen-application',
  'movable-clock',
  'rotation',
  'verification-webhook',
]);

/** Whether a check does nothing to its application that others would notice, and calls as they do where they gather for each other. */
export function callsWithOthers(run: Run, needs: readonly NeedName[]): boolean {
  return gatheringIn(run) !== undefined && !needs.some((need) => ofOwnApplication.has(need));
}

/** How the check of that record gathers. */
export function gatheringOf(target: Target, record: TrialRecord): Gathering {
  return {
    gathersIn: () => record.gathersIn,
    async gather(name, make) {
      const before = record.exchanges.length;
      const known = new Set(record.received);
      const records: TraceRecord[] = [];
      const release = record.recorder.listen((one) => records.push(one));
      try {
        const value = await sharing(target, record, name, make);
        const exchanges = record.exchanges.slice(before);
        const arrivals = [...record.received].filter((arrival) => !known.has(arrival));
        const gathered = { exchanges, arrivals, records, secrets: new Map(target.secrets) };
        return { value, gathered, isSure: exchanges.every(isWorthReading) };
      } finally {
        release();
      }
    },
    read(name, { exchanges, arrivals, records, secrets }) {
      record.shares.set(name, record.shares.get(name) ?? costBy(() => 0));
      for (const [secret, stand] of secrets) target.hide(secret, stand);
      for (const { request } of exchanges) record.tokens.add(request.parts.token);
      record.exchanges.push(...exchanges);
      for (const arrival of arrivals) record.received.add(arrival);
      for (const one of records) record.recorder.recall(one);
    },
  };
}
