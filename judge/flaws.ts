import { isUtf8 } from 'node:buffer';
import type { ClauseId } from '../contract/catalogue.ts';
import { codes, type PlatformCode } from '../contract/codes.ts';
import type { ExchangeRecord } from '../trace/records.ts';
import { codeOf, isPlain, isPlatformCode, isRefusal, isServed, refusalText, summaryOf } from './answers.ts';
import { judged, type Judgement } from './predicate.ts';
import { timestampOf } from './timing.ts';

/** What is surely wrong with a request or with who sent it, and the clause that says what it is refused with. */
export interface SureFault {
  readonly clause: ClauseId;
  readonly refusal: PlatformCode;
}

/** The faults that a request surely has in what it is authenticated by; those of the order in which they are answered. Section 7.2. */
function flawsOf(record: ExchangeRecord): readonly SureFault[] {
  const { signing, target, requestBody } = record;
  if (!signing || signing.repeated.length > 0 || !isPlain(pathOf(target))) return [];
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

/** A fault is not served, and where it is refused by the platform with one of these statuses, it is as the fault is to be. */
export function judgedFault(record: ExchangeRecord, { refusal }: SureFault, statuses: readonly number[]): Judgement {
  const broken = { expected: refusalText(refusal), actual: summaryOf(record) };
  if (isServed(record)) return broken;
  if (!statuses.includes(record.status) || !isPlatformCode(codeOf(record))) return undefined;
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

/** Whether the run's own application sent it. Of one that may not call only somebody's settings tell that its secret is one. */
export function isOfPlainCaller({ caller }: ExchangeRecord): boolean {
  return caller !== undefined && Object.keys(caller.standing).length === 0;
}

/** Whether a request is right in all that authenticates it, and everybody reads it alike. Sections 5.1 and 5.2. */
export function isSurelyRight(record: ExchangeRecord): boolean {
  return isPlain(record.target) && isRightBut(record);
}

/** The same, whatever its query is. */
function isRightBut(record: ExchangeRecord): boolean {
  const { isRightlySigned, target, requestBody, requestHeaders, method } = record;
  if (!isRightlySigned || timestampOf(record) !== 'within' || !isPlain(pathOf(target))) return false;
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
