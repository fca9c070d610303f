import type { ClauseId } from '../contract/catalogue.ts';
import { codes, type PlatformCode } from '../contract/codes.ts';
import type { Standing } from '../contract/standing.ts';
import type { ExchangeRecord } from '../trace/records.ts';
import { isRefusal, segmentsOf, summaryOf } from './answers.ts';
import { isOfPlainCaller, isSurelyRight, judgedFault, type SureFault } from './flaws.ts';
import type { Judgement } from './predicate.ts';

/** Why a request for a standard endpoint is refused, by what its caller is like; in the order of their codes. Section 7.2. */
function reasonsOf(record: ExchangeRecord): readonly SureFault[] {
  const { state, integratorState, rateLimit, subscriptions = 'all' } = record.caller?.standing ?? {};
  const found: readonly (SureFault | false)[] = [
    state !== undefined && state !== 'active' && ofState[state],
    integratorState === 'disabled' && {
      clause: 'application.integrator-disabled-refused',
      refusal: codes.integratorDisabled,
    },
    subscriptions !== 'all' &&
      !subscriptions.some((scope) => matches(scope, record)) && {
        clause: subscriptions.length === 0 ? 'subscription.missing-refused' : 'subscription.own-scope-missing',
        refusal: codes.notSubscribed,
      },
    rateLimit?.limit === 0 && { clause: 'rate-limit.refused', refusal: codes.rateLimited },
  ];
  return found.filter((reason) => reason !== false);
}

const ofState: Readonly<Record<Exclude<Standing['state'], 'active' | undefined>, SureFault>> = {
  disabled: { clause: 'application.disabled-refused', refusal: codes.applicationDisabled },
  pending: { clause: 'application.pending-refused', refusal: codes.applicationNotEffective },
  rejected: { clause: 'application.rejected-refused', refusal: codes.applicationNotEffective },
};

/** Whether a scope grants the path of a request: `{xx}` stands for any segment. Section 4. */
function matches(scope: string, record: ExchangeRecord): boolean {
  const wanted = scope.split('/').slice(1);
  const sent = segmentsOf(record).map((segment) => segment.toLowerCase());
  return wanted.length === sent.length && wanted.every((part, at) => part === '{xx}' || part === sent[at]);
}

/** Whether a right request is refused with that status by what its caller is like: a limit is spent at some time. */
export function isRefusedSo(record: ExchangeRecord, status: number): boolean {
  const isLimited = status === 429 && record.caller?.standing.rateLimit !== undefined;
  return (
    record.endpoint !== undefined && (isLimited || reasonsOf(record).some(({ refusal }) => refusal.status === status))
  );
}

/** Judges the answer to a right request of an application that may not call for the reason of that clause. */
export function ofReason(clause: ClauseId): (record: ExchangeRecord) => Judgement {
  return (record) => {
    if (!record.endpoint || !record.caller || !isSurelyRight(record)) return undefined;
    const [reason, ...others] = reasonsOf(record);
    if (reason?.clause !== clause) return undefined;
    // An application that somebody has set may lack a subscription besides.
    const isInDoubt =
      others.length > 0 || (isRefusal(record, codes.notSubscribed) && reason.refusal !== codes.notSubscribed);
    return judgedFault(record, reason, isInDoubt ? [] : [reason.refusal.status]);
  };
}

/** The same, and that an application that may call is not refused so. */
export function onlyFor(clause: ClauseId, refusal: PlatformCode): (record: ExchangeRecord) => Judgement {
  const ofClause = ofReason(clause);
  return (record) => (isRefusal(record, refusal) && isOfPlainCaller(record) ? refusedThough(record) : ofClause(record));
}

/** A right request of an application that may call was refused as if it might not. */
function refusedThough(record: ExchangeRecord): Judgement {
  const { endpoint, caller } = record;
  if (!endpoint || !caller || !isSurelyRight(record) || reasonsOf(record).length > 0) return undefined;
  return { expected: 'accepted by the gateway: the application may call', actual: summaryOf(record) };
}

/** Judges that the scope of an endpoint grants it. */
export function granted(record: ExchangeRecord): Judgement {
  const { subscriptions = 'all' } = record.caller?.standing ?? {};
  const own = record.endpoint?.path.replaceAll(/\{\w+\}/g, '{xx}').toLowerCase() ?? '';
  const isGranted = subscriptions === 'all' || subscriptions.includes(own);
  return isGranted && isRefusal(record, codes.notSubscribed) ? refusedThough(record) : undefined;
}
