import type { ClauseId } from '../contract/catalogue.ts';
import { codes, defaultLanguage, languages, type Language } from '../contract/values.ts';
import { member } from '../schemas/values.ts';
import { standing } from '../trace/people/words-mask.ts';
import type { ExchangeRecord, TraceRecord } from '../trace/records.ts';
import { codeOf, isFor, isSuccessful } from './answers.ts';
import { judged, shown, type Broken, type ExchangePredicate, type HistoryPredicate, predicate } from './predicate.ts';

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
function follows({ clause, isOne }: Following): ExchangePredicate {
  return predicate(clause, (record) => {
    const asked = askedIn(record);
    const message = messageIn(record);
    if (!asked || message === undefined || !isOne(record, asked.header)) return undefined;
    const told = saidIn(message, asked.language);
    // Of Spanish and Portuguese a service may have one text for both, as long as they differ somewhere.
    if (told === undefined || (told === 'pt' && asked.language === 'es')) return undefined;
    return judged(told === asked.language, () => otherwise(asked.language, told, message));
  });
}

/** A message without what stands for something hidden in it: the words of that are nobody's. */
function messageIn({ json }: ExchangeRecord): string | undefined {
  const message = member(json, 'message');
  return typeof message === 'string' ? message.replaceAll(standing, ' ') : undefined;
}

/** The language of a message that was due in another one, as far as anybody is sure. */
function saidIn(message: string, due: Language): string | undefined {
  return due === 'zh' && isWithoutChinese(message) ? 'another language' : languageOf(message);
}

function otherwise(due: Language, told: string, message: string): Broken {
  return { expected: `a message in ${due}`, actual: `one in ${told}: ${shown(message)}` };
}

const isOfAll = (record: ExchangeRecord): boolean =>
  isRefusalOfPlatform(record) && record.status !== 403 && record.status !== 429;

/** The answers whose language a clause speaks of. */
interface Following {
  readonly clause: ClauseId;
  readonly isOne: (record: ExchangeRecord, header: Header) => boolean;
}

const following: readonly Following[] = [
  { clause: 'language.language-header', isOne: (record, header) => header === 'language' && isOfAll(record) },
  {
    clause: 'language.accept-language-header',
    isOne: (record, header) => header === 'accept-language' && isOfAll(record),
  },
  { clause: 'language.portuguese-by-default', isOne: (record, header) => header === undefined && isOfAll(record) },
  { clause: 'language.on-403', isOne: (record) => record.status === 403 && isRefusalOfPlatform(record) },
  { clause: 'language.on-429', isOne: (record) => record.status === 429 && isRefusalOfPlatform(record) },
];

/** Languages of messages. Sections 2.6 and 9. */
export const language: readonly ExchangePredicate[] = [
  ...following.map(follows),
  follows({
    clause: 'language.on-echo',
    isOne: (record) => isFor(record, 'echo') && isSuccessful(record) && member(record.json, 'success') === true,
  }),
];

/** Whether a text of which nobody is sure is the one that others got who asked in another language, for the same reason. Sections 2.6 and 9. */
export const wordings: readonly HistoryPredicate[] = following.map(({ clause, isOne }) => ({
  clause,
  of: 'refusal',
  judgeEach(all) {
    const known = knownTexts(all);
    return (record) => {
      const asked = record.kind === 'exchange' ? askedIn(record) : undefined;
      if (record.kind !== 'exchange' || !asked || !isOne(record, asked.header)) return undefined;
      const [due, came] = [known.get(asked.language), textIn(record)];
      const other = languages.find((one) => known.get(one) === came);
      if (due === undefined || due === came || other === undefined) return undefined;
      return saidIn(came, asked.language) === undefined ? otherwise(asked.language, other, came) : undefined;
    };
  },
}));

/** By language, the text that most get who ask for it, if several do. */
function knownTexts(all: readonly TraceRecord[]): ReadonlyMap<Language, string> {
  const asking = all.flatMap((record) => {
    const asked = record.kind === 'exchange' ? askedIn(record) : undefined;
    return record.kind === 'exchange' && asked?.header ? [{ language: asked.language, text: textIn(record) }] : [];
  });
  const texts = [...Map.groupBy(asking, (one) => one.language)].flatMap(([asked, some]): [Language, string][] => {
    const [most] = [...Map.groupBy(some, ({ text }) => text)].toSorted(
      ([, one], [, other]) => other.length - one.length,
    );
    return most && most[0] !== '' && most[1].length >= 2 && most[1].length * 2 > some.length ? [[asked, most[0]]] : [];
  });
  return new Map(texts);
}

/** What messages were read as: each is compared with many. */
const texts = new WeakMap<ExchangeRecord, string>();

/** What a message says, without what differs from answer to answer: the words in it. */
function textIn(record: ExchangeRecord): string {
  const known = texts.get(record);
  if (known !== undefined) return known;
  const parts = messageIn(record)?.slice(0, longestRead).split(/\s+/u) ?? [];
  const text = parts.flatMap(wordIn).join(' ');
  texts.set(record, text);
  return text;
}

/** The words of one language alone that messages of a service are made of; what may be a name in them is left out. */
const own: Readonly<Record<Exclude<Language, 'zh'>, RegExp>> = {
  en: /^(?:the|is|are|was|were|has|have|been|not|this|that|please|of|and|too|many|with|your|you|must|cannot|missing|invalid|success|successful|successfully|disabled|expired|unauthorized|forbidden|retired|instead|later|again|exceeded|does|doesn|wrong|there|its)$/,
  pt: /^(?:não|uma|são|foi|foram|ou|um|em|do|dos|ao|aos|os|seu|sua|seus|pelo|pela|você|muitas|mais|tente|demais|sucesso|aplicativo|assinatura|desativad[oa]|descontinuad[oa]|incorreto|incorreta|é|\p{L}{1,30}ç(?:ão|ões)|\p{L}{0,30}[ãõçâêôà]\p{L}{0,30})$/u,
  es: /^(?:el|la|es|los|una|ha|fue|del|su|sus|con|más|sin|éxito|límite|solicitud|solicitudes|cabecera|encabezado|cuenta|utilice|inténtelo|intente|desactivad[oa]|deshabilitad[oa]|suscrit[oa]|\p{L}{1,30}(?:ción|sión|ciones)|\p{L}{0,30}ñ\p{L}{0,30})$/u,
};

/** The language that a message surely is in: of what reads like several, or like none, nobody is sure. Section 9. */
export function languageOf(message: string): Language | undefined {
  const text = withoutCodes(message.slice(0, longestRead).normalize('NFC')).toLowerCase().replaceAll(quoted, ' ');
  const words = [...new Set((text.match(/\S+/gu) ?? []).flatMap(wordIn))];
  const found = tongues.filter((language) => isTelling(words.filter((word) => own[language].test(word)).length, words));
  const isHan = (text.match(/\p{Script=Han}/gu) ?? []).length >= 2;
  if (isHan) return hasOtherWords(text) ? undefined : 'zh';
  const [language, ...others] = found;
  const isPlain = !/[à-ÿ]/.test(text);
  return others.length === 0 && (language !== 'en' || isPlain) ? language : undefined;
}

/** Whether a text of words has no character of Chinese, "OK" apart, which is said so in every language. */
function isWithoutChinese(message: string): boolean {
  return !/\p{Script=Han}/u.test(message) && /\p{L}{3}/u.test(message);
}

const tongues = ['en', 'pt', 'es'] as const;

/** Characters that are looked at: what tells a language stands at the start. */
const longestRead = 1_000;

/** The same without abbreviations such as OS or DO, which are words of no language: what is in capitals where not all is. */
function withoutCodes(text: string): string {
  return /\p{Ll}/u.test(text) ? text.replaceAll(/(?<!\p{L})\p{Lu}{2,4}(?!\p{L})/gu, ' ') : text;
}

/** Names of applications, traces and the like, and what is said besides in brackets. */
const quoted = /\([^()]{0,80}\)|"[^"]{0,80}"|“[^”]{0,80}”|«[^»]{0,80}»|「[^」]{0,80}」|【[^】]{0,80}】|`[^`]{0,80}`/g;

/** Whether a text with Chinese characters has words besides, of which these may be an id, and not only names that stay as they are. */
function hasOtherWords(text: string): boolean {
  const parts = (text.match(/\S+/gu) ?? []).filter((part) => !/[\d/{}_=]/.test(part));
  const found = parts.flatMap((part) => part.match(/[\p{Script=Latin}\p{M}-]{2,}/gu) ?? []);
  return found.some(
    (word) => !/^(?:token|sign|timestamp|api|app|url|json|post|get|delete|xml|nf-e|cnpj|cpf)$/.test(word),
  );
}

/** The word in a part of a text between spaces; none in a path, a time or an id. */
function wordIn(part: string): string[] {
  const word = part.replaceAll(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '');
  return /^\p{L}+$/u.test(word) ? [word] : [];
}

/** Two different words tell, and one of a text that is hardly longer. */
function isTelling(count: number, words: readonly string[]): boolean {
  return count >= 2 || (count === 1 && words.length <= 2);
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Words that an English sentence about a verification has, and no Portuguese or Spanish one. */
const english = words(`
  the is was not of by and or it does has have had were are been be this that with which from for to on at an authority
  authorized authorised authorization cancelled canceled certificate content could denied digest document error expired
  failed found invalid invoice match mismatch missing number rejected reached record required service signature signed
  status tax timeout unavailable unknown unreachable valid verification voided wrong key access`);

/** Words of Portuguese and Spanish sentences about one, without what English shares and names hold. */
const foreign = words(`
  de da dos das foi com para pela pelo uma ao nao não fue una autoridade assinatura autorizada cancelada certificado chave
  documento denegada firma inválida invalida nota rejeitada rejeitado rejeição rejeicao rechazada rechazado confere
  encontrada encontrado`);

/**
 * Whether a text surely is no English: it has a word of another language, or a letter that English lacks, and none of English.
 * What quotes a Portuguese message of the authority in an English sentence is English.
 */
export function isForeign(text: string): boolean {
  const found =
    text
      .toLowerCase()
      .replaceAll(quoted, ' ')
      .match(/\p{L}+/gu) ?? [];
  const isOther = found.some((word) => foreign.has(word) || /[^a-z]/.test(word));
  return isOther && !found.some((word) => english.has(word));
}
