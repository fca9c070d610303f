import type { ClauseId } from '../contract/catalogue.ts';
import { promisesOfDelivery } from '../contract/clause.ts';
import { type TraceRecord, cachedAnswer, isCached } from '../trace/records.ts';
import { application, precedence, requiredHeaders, signature, subscription, timestamp, token } from './gateway.ts';
import { authority } from './authority.ts';
import { attemptsByClock, attemptsInRealTime } from './attempts.ts';
import { certificadoAssociation, empresaRegistration, registrationsAgain } from './registrations.ts';
import { echo, identities } from './echo.ts';
import { encoding, encodingOfDeliveries, envelope, errors } from './envelope.ts';
import { events, rotation, times } from './events.ts';
import { chaveLookup, cnpjLookup, cpfLookup, lookupsAgain, nfeVerification } from './lookups.ts';
import { isFound, openThings, spanOf, type Thing } from './history.ts';
import { invoices } from './invoices.ts';
import { issuanceCallback } from './issuance-callback.ts';
import { language, wordings } from './language.ts';
import { links } from './links.ts';
import { nfeCancellation, nfeIssuance, nfeQuery } from './nfe.ts';
import { outcomes } from './outcomes.ts';
import {
  judged,
  type Broken,
  type DeliveryPredicate,
  type ExchangePredicate,
  type HistoryPredicate,
  type Judgement,
  type Predicate,
  restsOnWay,
} from './predicate.ts';
import { limits, rateLimit } from './rate-limit.ts';
import { retirement } from './retirement.ts';
import { hiccups } from './hiccups.ts';
import { verdictEvent } from './verdict-event.ts';
import {
  addressTests,
  secretsInDeliveries,
  webhookDelivery,
  webhookSignature,
  webhookUrl,
  webhookUrlOfDeliveries,
} from './webhooks.ts';

const ofExchanges: readonly ExchangePredicate[] = [
  ...requiredHeaders,
  ...timestamp,
  ...token,
  ...signature,
  ...application,
  ...subscription,
  ...precedence,
  ...envelope,
  ...encoding,
  ...errors,
  ...language,
  ...retirement,
  ...rateLimit,
  ...echo,
  ...empresaRegistration,
  ...certificadoAssociation,
  ...webhookUrl,
  ...nfeIssuance,
  ...nfeQuery,
  ...nfeCancellation,
  ...nfeVerification,
  ...chaveLookup,
  ...cnpjLookup,
  ...cpfLookup,
];
const ofDeliveries: readonly DeliveryPredicate[] = [
  ...issuanceCallback,
  ...verdictEvent,
  ...webhookDelivery,
  ...secretsInDeliveries,
  ...webhookSignature,
  ...webhookUrlOfDeliveries,
  ...encodingOfDeliveries,
];

const ofHistories: readonly HistoryPredicate[] = [
  ...identities,
  ...registrationsAgain,
  ...lookupsAgain,
  ...invoices,
  ...links,
  ...authority,
  ...outcomes,
  ...times,
  ...events,
  ...attemptsByClock,
  ...attemptsInRealTime,
  ...rotation,
  ...limits,
  ...addressTests,
  ...wordings,
  ...hiccups,
];

/** The title of what is judged in passing, beside the checks of a clause. */
export const inPassing = 'every answer and delivery that any check received keeps it';

/** What a record, or the history that it ends, says of a clause. */
export interface Observation {
  readonly clause: ClauseId;
  /** Absent where the clause holds. */
  readonly broken?: Broken;
  readonly record: TraceRecord;
  /**
   * How it is broken still, asked once all that was under way then is complete: what began before the record ended and
   * ended after it may have been done first, and is shown beside it. Absent where nothing else bears on it.
   */
  readonly stands?: () => Broken | undefined;
}

/** Whether an observation is to be counted, once all that was under way with it is complete. */
export function isStanding({ stands }: Observation): boolean {
  return stands === undefined || stands() !== undefined;
}

/** Clauses that are judged by every record that bears on them. */
export const judgedInPassing: ReadonlySet<ClauseId> = new Set([
  ...[...ofExchanges, ...ofDeliveries, ...ofHistories].map(({ clause }) => clause),
  ...promisesOfDelivery,
]);

/** A third of the predicates speak of what was aimed at their clause alone: nobody else's request asks them. */
const aimedOnly = Map.groupBy(ofExchanges, ({ clause, isOfAimOnly }) => (isOfAimOnly ? clause : undefined));
const passing = aimedOnly.get(undefined) ?? [];
aimedOnly.delete(undefined);

/** What a record says of the clauses that it bears on, taken alone. */
export function observationsOf(record: TraceRecord): readonly Observation[] {
  if (record.kind === 'exchange')
    return [...saidBy(aimedOnly.get(record.aim?.clause) ?? [], record), ...saidBy(passing, record)];
  if (record.kind === 'awaited')
    return seen(
      record.clause,
      record,
      judged(record.hasCome, () => lost),
    );
  return record.kind === 'delivery' ? saidBy(ofDeliveries, record) : [];
}

/** What predicates say of a record. Most say nothing, and nothing is made for them. */
function saidBy<R extends TraceRecord>(predicates: readonly Predicate<R>[], record: R): Observation[] {
  const said: Observation[] = [];
  for (const { clause, judge } of predicates) {
    const judgement = judge(record);
    if (judgement !== undefined) said.push(...seen(clause, record, judgement));
  }
  return said;
}

const lost = { expected: 'a delivery, by its first retry at the latest', actual: 'none came' };

/** Judges records one after another, as they happened. */
export interface Judge {
  /** What a record says, alone and with those that came before it; what it says alone may be known already. */
  see(record: TraceRecord, alone?: readonly Observation[]): readonly Observation[];
  /** Takes down what came before, of which nobody asks what it says. */
  remember(record: TraceRecord): void;
  /** What all of them say together, once nothing follows. */
  end(): readonly Observation[];
}

/** A judge that has seen nothing yet. */
export function openJudge(): Judge {
  const histories = new Map(followed.map((kind) => [kind, new Map<string, TraceRecord[]>()]));
  const thingsIn = openThings();
  const historiesOf = (record: TraceRecord): readonly (readonly [kind: Thing, earlier: TraceRecord[]])[] =>
    [...histories].flatMap(([kind, things]) =>
      thingsIn(kind, record).map((name) => {
        const earlier = things.get(name) ?? [];
        things.set(name, earlier);
        return [kind, earlier] as const;
      }),
    );
  const judgedLast = (record: TraceRecord): Observation[] => {
    const remembered = keptOf(record);
    const said: Observation[] = [];
    for (const [kind, earlier] of historiesOf(record)) {
      for (const { clause, judge } of predicatesOf.get(kind) ?? [])
        said.push(...saidLast(clause, judge, record, earlier));
      earlier.push(remembered);
    }
    return said;
  };
  return {
    see: (record, alone = observationsOf(record)) => [...alone, ...judgedLast(record)],
    remember(record) {
      for (const [, earlier] of historiesOf(record)) earlier.push(keptOf(record));
    },
    end: () =>
      ofHistories.flatMap(({ clause, of, judgeWhole, judgeEach }) =>
        [...(histories.get(of)?.values() ?? [])].flatMap((all) => {
          const last = all.at(-1);
          if (judgeWhole && last) return seen(clause, last, onWay(clause, judgeWhole(all)));
          const judgeOne = judgeEach?.(all);
          return judgeOne ? all.flatMap((one) => seen(clause, one, judgeOne(one))) : [];
        }),
      ),
  };
}

/** What a predicate says of a record by those of before. Most say nothing, and nothing is made for them. */
function saidLast(
  clause: ClauseId,
  judge: HistoryPredicate['judge'],
  record: TraceRecord,
  earlier: readonly TraceRecord[],
): readonly Observation[] {
  const judgement = judge?.(record, earlier);
  if (judge === undefined || judgement === undefined) return nothing;
  return seen(clause, record, onWay(clause, judgement)).map((observation) =>
    observation.broken ? { ...observation, stands: standing(observation.broken, judge, record, earlier) } : observation,
  );
}

const nothing: readonly Observation[] = [];

/**
 * Tells later how a history breaks its clause if all that overlaps with its last record came first. A delivery
 * that comes while a clock is moved comes by that: only with requests of ours it has no order.
 */
function standing(
  broken: Broken,
  judge: NonNullable<HistoryPredicate['judge']>,
  record: TraceRecord,
  history: readonly TraceRecord[],
): () => Broken | undefined {
  const count = history.length;
  const { toMs } = spanOf(record);
  return () => {
    const overlapping = history
      .slice(count + 1)
      .filter((other) => begunMs(other) <= toMs && (record.kind === 'exchange' || other.kind === 'exchange'));
    if (overlapping.length === 0) return broken;
    const judgement = judge(record, [...history.slice(0, count), ...overlapping]);
    if (judgement === undefined || judgement === 'holds') return undefined;
    return { ...broken, ...(judgement.beside ? { beside: judgement.beside } : {}) };
  };
}

/** Milliseconds within which a request whose answer was lost is sent again. */
const sentAgainMs = 120_000;

/** From when on a record may have been under way: the first try of what was sent again is not recorded. */
function begunMs(record: TraceRecord): number {
  const isAgain = record.kind === 'exchange' && record.isResent === true;
  return spanOf(record).fromMs - (isAgain ? sentAgainMs : 0);
}

/** The predicates over the histories of each kind of thing. */
const predicatesOf = Map.groupBy(ofHistories, ({ of }) => of);

/** The things whose history somebody judges. */
const followed = [...predicatesOf.keys()];

/** What a history says, marked where it may be the way's. */
function onWay(clause: ClauseId, judgement: Judgement): Judgement {
  if (judgement === undefined || judgement === 'holds' || !restsOnWay.has(clause)) return judgement;
  return { ...judgement, restsOnTime: true };
}

/** Bytes of an answer that a history remembers: those that tell of an invoice or an event are mostly much smaller. */
const mostRemembered = 64 * 1024;

/** What a history keeps of a record: of an answer that is large, all but its body; of an invoice that was found its short members too. */
export function keptOf(record: TraceRecord): TraceRecord {
  const isLarge = record.kind === 'exchange' && record.body.length > mostRemembered;
  if (!isLarge) return record;
  return { ...record, body: Buffer.alloc(0), json: isFound(record) ? shortIn(record.json) : undefined };
}

/** Longest text that a history remembers of a large answer: a link may be so long, a document is longer. */
const longestText = 8 * 1024;

/** A value without its lists and its long texts: a service may put a whole document into the invoice. */
function shortIn(value: unknown): unknown {
  if (typeof value === 'string') return value.length <= longestText ? value : undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return undefined;
  const members = Object.entries(value).map(([name, own]: [string, unknown]) => [name, shortIn(own)] as const);
  return Object.fromEntries(members.filter(([, own]) => own !== undefined));
}

function seen(clause: ClauseId, record: TraceRecord, judgement: Judgement): Observation[] {
  if (judgement === undefined) return [];
  return [judgement === 'holds' ? { clause, record } : { clause, record, broken: withCache(judgement, record) }];
}

/** What is wrong with an answer that a cache had kept, or for one, is the cache's, whatever else it looks like. */
function withCache(broken: Broken, record: TraceRecord): Broken {
  const all = [record, ...(broken.beside ?? [])];
  const isKept = all.some((one) => (one.kind === 'exchange' || one.kind === 'link') && isCached(one.headers));
  return isKept ? { ...broken, hint: cachedAnswer } : broken;
}
