import { codes } from '../contract/values.ts';
import type { ExchangeRecord, TraceRecord } from '../trace/records.ts';
import { codeOf, isLetPass, isPlatformCode, isServed, summaryOf } from './answers.ts';
import { put } from './aim.ts';
import { judged, type ExchangePredicate, type HistoryPredicate, type Judgement, predicate } from './predicate.ts';
import { ofReason } from './flaws.ts';

const ofSpentLimit = ofReason('rate-limit.refused');

/** Refusals beyond the rate limit. Section 7.2. */
export const rateLimit: readonly ExchangePredicate[] = [
  put('rate-limit.refused', (record) => {
    const code = codeOf(record);
    // What a limit lets pass too much is another clause's; that there is none at all takes more than one request to tell.
    if (isLetPass(record)) return undefined;
    if (record.status !== 429 || !record.endpoint || !isPlatformCode(code)) return ofSpentLimit(record);
    return judged(code === String(codes.rateLimited.code), () => ({
      expected: `429, code ${codes.rateLimited.code}`,
      actual: `429, code ${code}`,
    }));
  }),
  predicate('rate-limit.within-limit-served', (record) => {
    const { caller, endpoint, status, isOfBurst } = record;
    // Of an application that somebody has set its limit is not known; what a server bears at one moment is nowhere said.
    if (!endpoint || !caller?.isMade || caller.standing.rateLimit || isOfBurst) return undefined;
    return judged(status !== 429 || codeOf(record) !== String(codes.rateLimited.code), () => ({
      expected: 'served: its application has no limit',
      actual: summaryOf(record),
    }));
  }),
];

/** The limit that an application had all the time, on a clock of its own; `undefined` where that is not known. */
function lastingLimit(all: readonly TraceRecord[]): number | undefined {
  const callers = all.flatMap((record) => (record.kind === 'exchange' ? [record.caller] : []));
  const limits = callers.map((caller) => (caller?.hasOwnClock ? caller.standing.rateLimit?.limit : undefined));
  const isChanged = all.some((record) => record.kind === 'steering' && record.method === 'PATCH');
  return isChanged || new Set(limits).size !== 1 ? undefined : limits[0];
}

/** Requests for one endpoint at one instant of a clock that stands still: they are of one group and in one window, whichever these are. */
function atOneInstant(all: readonly TraceRecord[]): readonly (readonly ExchangeRecord[])[] {
  const moves = all.filter((record) => record.kind === 'steering').filter(({ path }) => path.endsWith('/clock'));
  const instantOf = ({ endpoint, sentAtMs, durationMs }: ExchangeRecord): string | undefined => {
    const begun = moves.filter(({ atMs }) => atMs <= sentAtMs + durationMs);
    const isMoving = begun.some((move) => move.atMs + move.durationMs >= sentAtMs);
    return isMoving || !endpoint ? undefined : `${endpoint.name} ${begun.length}`;
  };
  const groups = Map.groupBy(
    all.filter((record) => record.kind === 'exchange'),
    instantOf,
  );
  groups.delete(undefined);
  return [...groups.values()];
}

/** What a limit lets through, by all that an application sent. Section 8. */
export const limits: readonly HistoryPredicate[] = [
  {
    clause: 'rate-limit.within-limit-served',
    of: 'application',
    judgeWhole(all): Judgement {
      const limit = lastingLimit(all);
      if (limit === undefined) return undefined;
      const beyond = atOneInstant(all).filter(({ length }) => length > limit);
      const served = beyond.map((sent) => sent.filter(isServed)).find(({ length }) => length > limit);
      if (!served) return beyond.length > 0 ? 'holds' : undefined;
      return {
        expected: `a limit of ${limit} requests`,
        actual: `${served.length} served without a move of the clock`,
        beside: served,
      };
    },
  },
];
