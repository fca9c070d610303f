import type { ClauseId } from '../contract/catalogue.ts';
import { codes, limits, type PlatformCode, languages } from '../contract/values.ts';
import { type Endpoint, type RetiredEndpoint, endpoint } from '../contract/endpoints.ts';
import type { Standing } from '../contract/request.ts';
import { member } from '../schemas/values.ts';
import type { ExchangeRecord } from '../trace/records.ts';
import { put, putToTheTest } from './aim.ts';
import {
  codeOf,
  isOfService,
  isPlain,
  isPlainButQuery,
  isPlatformCode,
  isRefusal,
  isSuccessful,
  refusalText,
  segmentsOf,
  summaryOf,
} from './answers.ts';
import { isSurelyRight, ofFlaw } from './flaws.ts';
import { languageOf } from './language.ts';
import { judged, shown, type ExchangePredicate, type Judgement, predicate } from './predicate.ts';

const gone = String(codes.retired.code);
const notImplemented = '10009011';

/** The retired endpoint that was asked for, with numbers in the places of numbers; `undefined` for none. */
function askedFor(record: ExchangeRecord): RetiredEndpoint | undefined {
  const { retired } = record;
  if (!retired || !isPlainButQuery(record.target)) return undefined;
  const sent = segmentsOf(record);
  const wanted = retired.path.split('/').slice(1);
  return wanted.every((part, at) => !part.startsWith('{') || /^\d+$/.test(sent[at] ?? '')) ? retired : undefined;
}

/** Callers who would be refused on a standard endpoint, by the clause that says that they are not here. */
const refusedElsewhere: readonly {
  readonly clause: ClauseId;
  readonly refusal: PlatformCode;
  readonly isOf: (standing: Standing) => boolean;
}[] = [
  {
    clause: 'retirement.before-subscription',
    refusal: codes.notSubscribed,
    isOf: ({ subscriptions }) => subscriptions?.length === 0,
  },
  {
    clause: 'retirement.before-disabled-application',
    refusal: codes.applicationDisabled,
    isOf: ({ state }) => state === 'disabled',
  },
  {
    clause: 'retirement.before-pending-application',
    refusal: codes.applicationNotEffective,
    isOf: ({ state }) => state === 'pending',
  },
  {
    clause: 'retirement.before-rejected-application',
    refusal: codes.applicationNotEffective,
    isOf: ({ state }) => state === 'rejected',
  },
  {
    clause: 'retirement.before-disabled-integrator',
    refusal: codes.integratorDisabled,
    isOf: ({ integratorState }) => integratorState === 'disabled',
  },
  {
    clause: 'retirement.not-rate-limited',
    refusal: codes.rateLimited,
    isOf: ({ rateLimit }) => rateLimit?.limit === 0,
  },
];

/** Answers to right requests that are no 410. What stands before the service may refuse for reasons of its own. */
function isStillThere(record: ExchangeRecord): boolean {
  const { status, isRightlySigned, requestBody, json } = record;
  if (!isRightlySigned) return false;
  const code = codeOf(record);
  if (isSuccessful(record)) return !isPlatformCode(code) || code === gone;
  if (status >= 300 && status <= 399) return true;
  if (status === 400 && requestBody.length > limits.otherBodyBytes) return false;
  if ([400, 404, 405, 500].includes(status)) return isOfService(json);
  return isRefusal(record, codes.applicationNotEffective) && record.caller?.standing.state === undefined;
}

function isGone(record: ExchangeRecord): Judgement {
  if (!askedFor(record)) return undefined;
  const { status } = record;
  const code = codeOf(record);
  const actual = code === '' ? String(status) : `${status}, code ${code}`;
  const broken = { expected: `410, code ${gone}`, actual };
  if (status !== 410) return isStillThere(record) ? broken : undefined;
  // An envelope without a code, and the code that is returned no more, are clauses of their own.
  return code === '' || code === notImplemented ? undefined : judged(code === gone, () => broken);
}

/** Judges the message of a 410, by the language that it was asked for in: `undefined` for none, `''` for one that is not known. */
function ofMessage(
  clause: ExchangePredicate['clause'],
  isAsked: (language: string | undefined, header: string | undefined) => boolean,
  judge: (message: string, retired: RetiredEndpoint) => Judgement,
): ExchangePredicate {
  return predicate(clause, (record) => {
    const { retired } = record;
    const message = member(record.json, 'message');
    // Whoever answers so knows the path for a retired one, whatever stands in the places of numbers.
    if (!retired || !isPlainButQuery(record.target) || record.status !== 410 || codeOf(record) !== gone)
      return undefined;
    if (typeof message !== 'string' || message.trim() === '') return undefined;
    return isAsked(...askedIn(record)) ? judge(message, retired) : undefined;
  });
}

function askedIn({ requestHeaders }: ExchangeRecord): [language: string | undefined, header: string | undefined] {
  const asked = ['language', 'accept-language'].filter((name) => requestHeaders.has(name));
  const [header] = asked;
  if (header === undefined) return [undefined, undefined];
  const value = requestHeaders.get(header);
  return [asked.length === 1 && languages.some((one) => one === value) ? value : '', header];
}

function hasReplacement(message: string, retired: RetiredEndpoint): Judgement {
  return judged(namesReplacement(message, retired), () => ({
    expected: `a message that names ${replacementOf(retired)}`,
    actual: shown(message),
  }));
}

const englishText = /^This API has been retired, please use (.+) instead$/;

function isEnglishText(message: string, retired: RetiredEndpoint): Judgement {
  return judged(namesReplacement(englishText.exec(message)?.[1] ?? '', retired), () => ({
    expected: `This API has been retired, please use ${replacementOf(retired)} instead`,
    actual: shown(message),
  }));
}

/** Retired endpoints. Sections 4.3, 7.2 and 9. */
export const retirement: readonly ExchangePredicate[] = [
  put('retirement.gone', isGone),
  predicate('retirement.not-implemented-code-gone', (record) => {
    const code = codeOf(record);
    if (!askedFor(record) || code === '') return undefined;
    return judged(code !== notImplemented, () => ({
      expected: `a code other than ${notImplemented}`,
      actual: `${record.status}, code ${code}`,
    }));
  }),
  ...refusedElsewhere.map(({ clause, refusal, isOf }) =>
    put(clause, (record) => {
      if (!askedFor(record) || !record.isRightlySigned) return undefined;
      const standing = record.caller?.standing ?? {};
      if (isRefusal(record, codes.retired) && isOf(standing)) return 'holds';
      // What two conditions share tells nothing where neither is known.
      const isOwn = refusal !== codes.applicationNotEffective || isOf(standing);
      if (!isOwn || !isRefusal(record, refusal)) return undefined;
      return { expected: refusalText(codes.retired), actual: summaryOf(record) };
    }),
  ),
  put('retirement.after-authentication', ofFlaw('retirement.after-authentication')),
  ...putToTheTest(['retirement.any-variables', 'retirement.no-grace-period', 'retirement.lookups-signed-anew']),
  ofMessage('retirement.replacement-named', (language) => language === undefined, hasReplacement),
  ofMessage('retirement.replacement-in-every-language', (language) => Boolean(language), hasReplacement),
  ofMessage('retirement.english-text', (language, header) => language === 'en' && header === 'language', isEnglishText),
  // Whoever reads the other header alone, and answers in another language for it, breaks what is said of languages.
  ofMessage(
    'retirement.english-text',
    (language, header) => language === 'en' && header === 'accept-language',
    (message, retired) =>
      ['en', undefined].includes(languageOf(message)) ? isEnglishText(message, retired) : undefined,
  ),
  predicate('retirement.standard-endpoints-live', (record) => {
    if (!record.endpoint || !isPlain(record.target)) return undefined;
    const isRetired = record.status === 410 && (codeOf(record) === gone || isSurelyRight(record));
    if (!isRetired && !isSuccessful(record)) return undefined;
    return judged(!isRetired, () => ({ expected: 'any status but 410', actual: summaryOf(record) }));
  }),
];

/** The endpoint that replaces a retired one, as its method and its path. */
function replacementOf({ replacement }: RetiredEndpoint): string {
  const { method, path } = endpoint(replacement);
  return `${method} ${path}`;
}

/**
 * Whether a text names the endpoint that replaces a retired one: its path stands there, variables in any spelling, bounded by
 * what can't belong to a segment and not as the start of a longer path, and no other method right before it.
 */
export function namesReplacement(text: string, { replacement }: RetiredEndpoint): boolean {
  return isPathIn(text, endpoint(replacement));
}

const methodBefore = /\b(GET|POST|PUT|PATCH|DELETE)[^\w/]{1,3}$/;

/**
 * What stands for a path variable: a placeholder in brackets or behind a sign, or a value; not the word that another endpoint
 * has in that place. It is taken whole: what is left of it is not another name.
 */
const variable =
  /(?!xml(?![\w-]))(?:[$#:]?(?:\{{1,3}[^/{}]{1,99}\}{1,3}|<{1,3}[^/<>]{1,99}>{1,3}|\[{1,3}[^/[\]]{1,99}\]{1,3}|\({1,3}[^/()]{1,99}\){1,3}|（[^/（）]{1,99}）|【[^/【】]{1,99}】|「[^/「」]{1,99}」|＜[^/＜＞]{1,99}＞)|[\p{L}\p{N}_.~%*$#:@-]{1,200})/uy;

/** What belongs to the segment that ends there, or to a longer path. */
const continued = /^(?:[\w~%-]|\/[\w~%{<:[$-])/;

function isPathIn(text: string, { method, path }: Endpoint): boolean {
  const segments = path.split('/').slice(1);
  for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', at + 1)) {
    const end = endOfPath(text, at, segments);
    const [, named = method] = methodBefore.exec(text.slice(Math.max(0, at - 10), at)) ?? [];
    if (named === method && end !== undefined && !continued.test(text.slice(end, end + 2))) return true;
  }
  return false;
}

/** Where the path ends that begins there; `undefined` where none does. */
function endOfPath(text: string, start: number, segments: readonly string[]): number | undefined {
  let at = start;
  for (const segment of segments) {
    if (text[at] !== '/') return undefined;
    const length = segment.startsWith('{')
      ? variableAt(text, at + 1)
      : text.startsWith(segment, at + 1) && segment.length;
    if (length === undefined || length === false) return undefined;
    at += 1 + length;
  }
  return at;
}

/** How long what stands for a variable there is. */
function variableAt(text: string, at: number): number | undefined {
  variable.lastIndex = at;
  return variable.exec(text)?.[0].length;
}
