import { limits, codes, type PlatformCode } from '../contract/values.ts';
import type { ExchangeRecord } from '../trace/records.ts';
import { isUtf8 } from 'node:buffer';
import type { ClauseId } from '../contract/catalogue.ts';
import { codeOf, isPlain, isPlatformCode, isRefusal, isServed, refusalText, summaryOf, segmentsOf } from './answers.ts';
import { judged, type Judgement } from './predicate.ts';
import type { Standing } from '../contract/request.ts';

/** Seconds by which a clock that runs is not known: it is measured in whole ones. */
const unknownSeconds = 3;

/** Where a timestamp lies on the clock of its caller, whenever on its way the request was looked at; `undefined` where it is no number. */
export function timestampOf({
  signing,
  caller,
  durationMs,
}: ExchangeRecord): 'within' | 'near the edge' | 'behind' | 'ahead' | undefined {
  const { aheadSeconds: first } = signing ?? {};
  if (first === undefined) return undefined;
  const [margin, under] = caller?.hasOwnClock ? [0, 0] : [unknownSeconds, durationMs / 1000];
  const last = first - under;
  const most = limits.timestampToleranceSeconds;
  if (first + margin < -most) return 'behind';
  if (last - margin > most) return 'ahead';
  return last - margin >= -most && first + margin <= most ? 'within' : 'near the edge';
}

/** What is surely wrong with a request or with who sent it, and the clause that says what it is refused with. */
interface SureFault {
  readonly clause: ClauseId;
  readonly refusal: PlatformCode;
}

/** The faults that a request surely has in what it is authenticated by; those of the order in which they are answered. Section 7.2. */
function flawsOf(record: ExchangeRecord): readonly SureFault[] {
  const { signing, target, requestBody } = record;
  if (!signing || signing.repeated.length > 0 || signing.isBeyondAscii || !isPlain(pathOf(target))) return [];
  const { missing, isOwnToken, isFormerToken, isSignOfSent } = signing;
  const timestamp = timestampOf(record);
  const isFarOff = Math.abs(signing.aheadSeconds ?? 0) - record.durationMs / 1000 > surelyFarSeconds;
  const found: readonly (SureFault | false)[] = [
    missing.length > 0 && { clause: missingClause(record), refusal: codes.headersMissing },
    isFarOff && timestamp === 'behind' && { clause: 'timestamp.past-refused', refusal: codes.timestampInvalid },
    isFarOff && timestamp === 'ahead' && { clause: 'timestamp.future-refused', refusal: codes.timestampInvalid },
    !missing.includes('token') &&
      !isOwnToken && {
        clause: isFormerToken ? 'token.rotated-refused' : 'token.unknown-refused',
        refusal: codes.tokenInvalid,
      },
    missing.length === 0 &&
      !isSignOfSent &&
      isUtf8(requestBody) && { clause: 'signature.mismatch-refused', refusal: codes.signMismatch },
  ];
  const flaws = found.filter((flaw) => flaw !== false);
  return record.retired ? flaws.map((flaw) => ({ ...flaw, clause: 'retirement.after-authentication' })) : flaws;
}

/** Whoever has not measured a clock is still not that far off: an echo of his was accepted. */
const surelyFarSeconds = 620;

function missingClause({ signing, target }: ExchangeRecord): ClauseId {
  const [first, ...others] = signing?.missing ?? [];
  if (first !== undefined && new URLSearchParams(target.split('?')[1]).has(first)) {
    return 'required-headers.headers-only';
  }
  return others.length > 0 || first === undefined
    ? 'required-headers.several-missing'
    : `required-headers.${first}-missing`;
}

function pathOf(target: string): string {
  return target.split('?', 1).join('');
}

/** Judges the answer to a request that has a flaw of that clause: it is not served, and where it is the only one its code fits. */
export function ofFlaw(clause: ClauseId): (record: ExchangeRecord) => Judgement {
  return (record) => {
    const [flaw, ...others] = flawsOf(record);
    if (flaw?.clause !== clause) return undefined;
    const isOnly = others.length === 0 && isOnlyFlaw(record);
    return judgedFault(record, flaw, isOnly ? [401, 403] : []);
  };
}

/** A fault is not served, its code has its status, and where the platform refuses it with one of these statuses, that is the code. */
function judgedFault(record: ExchangeRecord, { refusal }: SureFault, statuses: readonly number[]): Judgement {
  const broken = { expected: refusalText(refusal), actual: summaryOf(record) };
  if (isServed(record)) return broken;
  const isOfCode = codeOf(record) === String(refusal.code);
  const isRefused = statuses.includes(record.status) && isPlatformCode(codeOf(record));
  if (!isOfCode && !isRefused) return undefined;
  return judged(isRefusal(record, refusal), () => broken);
}

/** Whether nothing else is wrong with a request that has one flaw: neither in its timestamp nor in who sends it. */
function isOnlyFlaw(record: ExchangeRecord): boolean {
  const { signing, caller } = record;
  if (!signing || !isPlain(record.target) || !isOfPlainCaller(record)) return false;
  const isTimed =
    signing.missing.includes('timestamp') || ['within', 'behind', 'ahead'].includes(timestampOf(record) ?? '');
  // Whose token is not known has the clock of the system.
  const isClockKnown = signing.isOwnToken || !caller?.hasOwnClock;
  return isTimed && isClockKnown;
}

/** Whether the run's own application sent it. Of one that may not call only settings tell that its secret is one. Section 5.3. */
export function isOfPlainCaller({ caller }: ExchangeRecord): boolean {
  return caller !== undefined && Object.keys(caller.standing).length === 0;
}

/** Whether a request is right in all that authenticates it, and everybody reads it alike. Sections 5.1 and 5.2. */
export function isSurelyRight(record: ExchangeRecord): boolean {
  return isPlain(record.target) && isRightBut(record);
}

/**
 * The same of one that the gateway let pass, wherever within the tolerance its timestamp lies, or near the edge of it: whatever came
 * but a 401 has found it within.
 */
export function isRightAsPassed(record: ExchangeRecord): boolean {
  const { signing, status, target } = record;
  if (isSurelyRight(record)) return true;
  const isSigned =
    signing?.isOwnToken && signing.isSignOfSent && signing.missing.length + signing.repeated.length === 0;
  const isTimed = timestampOf(record) === 'within' || timestampOf(record) === 'near the edge';
  return status !== 401 && isSigned === true && isTimed && isPlain(target) && isReadAlike(record);
}

/** The same, whatever its query is. */
function isRightBut(record: ExchangeRecord): boolean {
  const { isRightlySigned, target } = record;
  return isRightlySigned && timestampOf(record) === 'within' && isPlain(pathOf(target)) && isReadAlike(record);
}

/** Whether everybody reads the body of a request alike. */
function isReadAlike({ requestBody, requestHeaders, method }: ExchangeRecord): boolean {
  if (requestBody.length > 0 && (method === 'GET' || method === 'DELETE')) return false;
  const isWrittenSo = /charset=(?!"?utf-8)/i.test(requestHeaders.get('content-type') ?? '');
  return (
    isUtf8(requestBody) && !isWrittenSo && !requestHeaders.has('content-encoding') && !declaresEncoding(requestBody)
  );
}

/** Whether a document says that it is written in something else than UTF-8. */
function declaresEncoding(body: Buffer): boolean {
  return /^\s*<\?xml[^>]*encoding\s*=\s*["'](?!utf-8["'])/i.test(body.subarray(0, 300).toString('utf8'));
}

/** Judges a right request of the run's own application, where it was refused with a 401 of one of these codes. */
export function ofRightRequest(isCode: (code: string) => boolean): (record: ExchangeRecord) => Judgement {
  return (record) => (isSurelyRight(record) ? authenticated(record, isCode) : undefined);
}

/** The same of one that has a query. */
export function ofQueriedRequest(record: ExchangeRecord): Judgement {
  if (!record.target.includes('?') || !isRightBut(record)) return undefined;
  return authenticated(record, (code) => code === String(codes.signMismatch.code));
}

function authenticated(record: ExchangeRecord, isCode: (code: string) => boolean): Judgement {
  if (!isOfPlainCaller(record)) return undefined;
  if (isServed(record)) return 'holds';
  const isKnown = (record.endpoint ?? record.retired) !== undefined;
  const code = codeOf(record);
  if (record.status !== 401 || !isKnown || !isPlatformCode(code) || !isCode(code)) return undefined;
  return { expected: 'accepted: all three headers are right', actual: summaryOf(record) };
}

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
