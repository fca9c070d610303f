import type { VerdictFields } from '../../schemas/verdict.ts';
import type { ClauseId } from '../../contract/catalogue.ts';
import { costWithout, sumOfCosts, type Cost } from '../../contract/endpoints.ts';
import type { Draft } from '../../contract/request.ts';
import type { Arrival, Exchange } from '../../trace/exchange.ts';
import type { Target } from '../../targets/target.ts';
import type { ObservedLadder, ObservedOrder, ObservedShape } from '../../schemas/observed.ts';
import type { Mask } from '../../trace/people/words-mask.ts';
import type { Way } from '../../schemas/finding.ts';
import type { Missed } from './awaiting.ts';
import type { Deviation } from './deviation.ts';
import type { CommonCallers, Pool } from './pooled.ts';
import { unwritten, type Recorder } from './recorder.ts';

/** A case that failed. */
interface FailingCase {
  readonly exchanges: readonly Exchange[];
  /** What did not come in time. */
  readonly missed: Missed;
  /** Whether it is the target's failure, whoever stands between. */
  readonly isSure: boolean;
}

/** Failures after which a check goes on, and what it has met of them. */
export interface Noting {
  /** Whether the check goes on after a failure in that way. */
  readonly goesOnAfter: (way: Way) => boolean;
  readonly mask: () => Mask;
  /** Each way once, by what tells it from another. */
  readonly met: Map<string, Way>;
  /** The first of them that is the target's, whoever stands between. */
  sure?: { readonly error: Deviation; readonly exchanges: TrialRecord['exchanges'] };
}

/** What a trial has done so far. */
export interface TrialRecord {
  /** Whether the check has failed before. */
  readonly isRepetition: boolean;
  /** Whether other checks may be under way beside it. */
  readonly isAbreast?: boolean;
  assertions: number;
  /** Which fault was answered before which, each pair once under its two names. */
  order: Map<string, ObservedOrder>;
  /** When deliveries that were not acknowledged were tried again. */
  ladders: ObservedLadder[];
  /** Takes down what is gathered, and tells what the judge says of it. */
  readonly recorder: Recorder;
  /** The clause that the check is made for, once that is known. */
  clause?: ClauseId;
  /** What the answers of the whole check looked like. */
  shapes: readonly ObservedShape[];
  /** Fields in `data` of the verification events that it gathered. */
  verdictFields: VerdictFields;
  /** Trouble on the way that was not the target's answer. */
  hiccups: string[];
  /** Every token that was sent: one that a flaw changed may be nearly the secret. */
  readonly tokens: Set<string>;
  /** The deliveries that came. */
  received: Set<Arrival>;
  /** What it used of what all checks share, and what the making of that cost where it made it. */
  readonly shares: Map<string, Cost>;
  /** Whose answers it reads, until one of its cases fails: what is repeated is asked anew. */
  pool?: Pool | undefined;
  /** The applications as which it calls with others, until one of its cases fails. */
  common?: CommonCallers | undefined;
  /** Those for which time may pass, whatever the check needs besides, where checks gather for each other; until one of its cases fails. */
  standing?: CommonCallers | undefined;
  /** The run for whose checks it gathers, until one of its cases fails. */
  gathersIn?: string | undefined;
  /** Whether one was lost in the current attempt. */
  hasLost: boolean;
  /** What did not come in time in the current case. */
  missed: Missed;
  /** How often something was left behind at the target. */
  leftBehind: number;
  /** How many exchanges were made in all. */
  exchangesMade: number;
  /** The generated cases that were tried, each by a digest of what it is. */
  readonly distinct: Set<string>;
  /** The exchanges of the current case. */
  exchanges: Exchange[];
  /** What the first answer of the current case came to that nobody can read. */
  unread?: string;
  /** The case that failed last: fast-check reports that one. */
  failing?: FailingCase;
  /** Endpoints on which a case or an item ended well: those of its last request. */
  readonly kept: Set<string>;
  /** Set where items were gone through, several of them. */
  hasItems?: true;
  /** Items of the current attempt that proved nothing. */
  itemsLeftOut: number;
  /** Set while a check goes on after failures. */
  noting?: Noting;
  /** Makes the draft of an exchange anew, with the time of now. */
  readonly drafts: WeakMap<Exchange, () => Draft>;
}

/** The case of a record that failed last. */
export function failingCase({ failing, exchanges, missed }: TrialRecord): Pick<FailingCase, 'exchanges' | 'missed'> {
  return failing ?? { exchanges, missed };
}

/** Forgets what belongs to one attempt at a check. */
export function startAnew(record: TrialRecord): void {
  record.exchanges = [];
  record.missed = new Map();
  record.hasLost = false;
  record.itemsLeftOut = 0;
  delete record.failing;
  delete record.noting;
}

/** A record of nothing yet, of a check that is made or of one that is repeated. */
export function newRecord(isRepetition = false, recorder: Recorder = unwritten()): TrialRecord {
  return {
    isRepetition,
    recorder,
    assertions: 0,
    order: new Map(),
    ladders: [],
    hasLost: false,
    shapes: [],
    verdictFields: {},
    hiccups: [],
    tokens: new Set(),
    received: new Set(),
    shares: new Map(),
    missed: new Map(),
    leftBehind: 0,
    exchangesMade: 0,
    distinct: new Set(),
    exchanges: [],
    kept: new Set(),
    itemsLeftOut: 0,
    drafts: new WeakMap(),
  };
}

/** A record of nothing yet, of the same check once more: what it gathers is taken down in the same place. */
export function recordBeside({ recorder, clause }: TrialRecord, isRepetition = false): TrialRecord {
  return { ...newRecord(isRepetition, recorder), ...(clause === undefined ? {} : { clause }) };
}

/** What a check has sent and left behind, without what it made for all checks. */
export function ownCost(target: Target, { shares }: TrialRecord): Cost {
  return costWithout(target.spent(), sumOfCosts([...shares.values()]));
}
