import type { ClauseId } from '../contract/catalogue.ts';
import { codes } from '../contract/codes.ts';
import { defaultLanguage, languages, type Language } from '../contract/languages.ts';
import { member } from '../schemas/values.ts';
import type { ExchangeRecord } from '../trace/records.ts';
import { codeOf, isFor, isSuccessful } from './answers.ts';
import { judged, shown, type ExchangePredicate } from './predicate.ts';
import { languageOf } from './told-language.ts';

type Header = 'language' | 'accept-language' | undefined;

/** What a request asks for, and by which header; `undefined` where readers may differ. */
function askedIn({ requestHeaders }: ExchangeRecord): { language: Language; header: Header } | undefined {
  const headers = (['language', 'accept-language'] as const).filter((name) => requestHeaders.has(name));
  const [header, ...others] = headers;
  if (header === undefined) return { language: defaultLanguage, header };
  const language = languages.find((one) => one === requestHeaders.get(header));
  return language && others.length === 0 ? { language, header } : undefined;
}

const ofPlatform = new Set(Object.values(codes).map(({ status, code }) => `${status} ${code}`));

function isRefusalOfPlatform(record: ExchangeRecord): boolean {
  return ofPlatform.has(`${record.status} ${codeOf(record)}`);
}

/** Judges the messages of some answers, where it is sure what language they are in. */
function follows(clause: ClauseId, isOne: (record: ExchangeRecord, header: Header) => boolean): ExchangePredicate {
  return {
    clause,
    judge(record) {
      const asked = askedIn(record);
      const message = member(record.json, 'message');
      if (!asked || typeof message !== 'string' || !isOne(record, asked.header)) return undefined;
      const told = languageOf(message);
      // Of Spanish and Portuguese a service may have one text for both, as long as they differ somewhere.
      if (told === undefined || (told === 'pt' && asked.language === 'es')) return undefined;
      return judged(told === asked.language, () => ({
        expected: `a message in ${asked.language}`,
        actual: `one in ${told}: ${shown(message)}`,
      }));
    },
  };
}

const isOfAll = (record: ExchangeRecord): boolean =>
  isRefusalOfPlatform(record) && record.status !== 403 && record.status !== 429;

/** Languages of messages. Sections 2.6 and 9. */
export const language: readonly ExchangePredicate[] = [
  follows('language.language-header', (record, header) => header === 'language' && isOfAll(record)),
  follows('language.accept-language-header', (record, header) => header === 'accept-language' && isOfAll(record)),
  follows('language.portuguese-by-default', (record, header) => header === undefined && isOfAll(record)),
  follows('language.on-403', (record) => record.status === 403 && isRefusalOfPlatform(record)),
  follows('language.on-429', (record) => record.status === 429 && isRefusalOfPlatform(record)),
  follows(
    'language.on-echo',
    (record) => isFor(record, 'echo') && isSuccessful(record) && member(record.json, 'success') === true,
  ),
];
