import type { ClauseId } from '../contract/catalogue.ts';
import { isOfWay } from '../contract/values.ts';
import type { ExchangeRecord, LostRecord, TraceRecord } from '../trace/records.ts';
import { askedOnce } from './history.ts';
import type { HistoryPredicate } from './predicate.ts';
import { atMost, boundOf } from './rate.ts';

type Asked = ExchangeRecord | LostRecord;

/** Whether what came may be a hiccup of the way: no answer, or one that what stands before a service gives as well. */
function isHiccup(record: Asked): boolean {
  return record.kind === 'lost' || isOfWay(record.status);
}

/** What the way does not tell apart: requests for one path, or for paths of a kind, and those that put one clause to the test. */
const groupings: readonly ((record: Asked) => string | undefined)[] = [
  ({ endpoint, retired }) => (endpoint ?? retired)?.path,
  ({ endpoint, retired }) => (retired ? 'retired' : endpoint && firstWord(endpoint.path)),
  ({ aim }) => aim?.clause,
];

/** What a path begins with behind its version: `consultas` of `/openapi/v3/consultas/cnpj/{cnpj}`. */
function firstWord(path: string): string | undefined {
  return /^\/openapi\/(?:v\d\/)?([^/]+)/.exec(path)?.[1];
}

/** How often an honest way troubles one group so much more than what is asked beside it: a run has some hundred groups. */
const byChance = 1e-6;

/** Whether the request before and the one after, of other groups, got through: then nothing was passing that met all. */
function isSpared(all: readonly Asked[], at: number, isOther: (record: Asked) => boolean): boolean {
  const gotThrough = (step: 1 | -1): boolean => {
    let next = at + step;
    for (let record = all[next]; record; next += step, record = all[next])
      if (isOther(record)) return !isHiccup(record);
    return false;
  };
  return gotThrough(-1) && gotThrough(1);
}

/** How often a group got no answer of the service while others were spared, and how often all others got none. */
interface Count {
  readonly alone: number;
  readonly own: number;
  readonly failed: number;
  readonly others: number;
}

/** Whether the way may be to blame for so much. */
function isOfHonestWay({ alone, own, failed, others }: Count): boolean {
  return alone === 0 || others === 0 || 1 - atMost(alone - 1, own, boundOf({ failed, of: others })) > byChance;
}

/** What of a group is no hiccup of the way but the target's own, each with how often it came. */
function ownFailuresIn(all: readonly Asked[], isOne: (record: Asked) => boolean): readonly (readonly [Asked, Count])[] {
  const isOther = (record: Asked): boolean => !isOne(record);
  const own = all.filter(isOne);
  const others = all.filter(isOther);
  const failed = own.filter(isHiccup);
  const alone = failed.filter((record) => !record.isOfBurst && isSpared(all, all.indexOf(record), isOther));
  const count = {
    alone: alone.length,
    own: own.length,
    failed: others.filter(isHiccup).length,
    others: others.length,
  };
  // What comes in a row may be one thing that passed, and counts as one.
  const first = alone.filter((record) => {
    const before = own[own.indexOf(record) - 1];
    return before === undefined || !isHiccup(before);
  });
  const inRows = { ...count, alone: first.length, own: own.length - failed.length + first.length };
  return isOfHonestWay(inRows) ? [] : alone.map((record) => [record, count]);
}

/** The same of all groups, by the first grouping that tells it. */
function ownFailures(all: readonly Asked[]): ReadonlyMap<TraceRecord, Count> {
  const failed = all.filter(isHiccup);
  const found = groupings.flatMap((groupOf) => {
    const groups = [...new Set(failed.map(groupOf))].filter((group) => group !== undefined);
    return groups.flatMap((group) => ownFailuresIn(all, (record) => groupOf(record) === group));
  });
  return new Map(found.toReversed());
}

function isAsked(record: TraceRecord): record is Asked {
  return record.kind === 'exchange' || record.kind === 'lost';
}

const failuresOf = askedOnce((_, all) => ownFailures(all.filter(isAsked)));

/** Requests for such a path are answered by the service where others are; `expected` is what one is answered with. */
function answersAll(clause: ClauseId, expected: string, isOne: (record: Asked) => boolean): HistoryPredicate {
  return {
    clause,
    of: 'service',
    judgeEach(all) {
      const last = all.at(-1);
      const failures = last && failuresOf(last, all);
      return (record) => {
        const count = failures?.get(record);
        if (!count || !isAsked(record) || !isOne(record)) return undefined;
        const { alone, own, failed, others } = count;
        const came = record.kind === 'lost' ? 'no answer' : String(record.status);
        return {
          expected,
          actual: `${came} in ${alone} of ${own} such requests, and in ${failed} of the ${others} others`,
        };
      };
    },
  };
}

/** That what looks like a hiccup of the way spares nobody: else it is the target's. Sections 4.2 and 7.1. */
export const hiccups: readonly HistoryPredicate[] = [
  answersAll('errors.own-statuses', '200 or 4xx', ({ endpoint }) => endpoint !== undefined),
  answersAll('retirement.gone', '410', ({ retired }) => retired !== undefined),
];
