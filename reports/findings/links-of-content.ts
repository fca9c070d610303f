import { topicOf } from '../../contract/catalogue.ts';
import { type Break, factOf, isAbsence, isAnswer } from './breaks.ts';
import { isAlike, isSame, type Link, sharing } from './link.ts';

/** Both show the same text in quotes, of words rather than numbers. */
export const sameQuoted = sharing(({ actual }) => {
  const quoted = /"[^"]+"/.exec(actual)?.[0];
  return quoted !== undefined && /[a-z]{3}/i.test(quoted) ? quoted : undefined;
});

/** The same was due: at one endpoint, or, where that is more than a status, in one topic. */
const sameDue: Link = (one, other) => {
  if (one.expected !== other.expected) return false;
  if (isSame(one, other, 'endpoint')) return true;
  const isOfTopic = topicOf(one.clause.id) === topicOf(other.clause.id) && !isAnswer(one.expected);
  return isOfTopic && isAlike(factOf(one, 'channel'), factOf(other, 'channel'));
};

/** The same field holds the same that it is not to hold. */
const sameField = sharing(({ actual }) => /^(?:\/|[^ ]*\/)?(\w+ is (?:missing|[^ ,]+))/.exec(actual)?.[1]);

/** The same field, or the body, is of one form where another is due, whatever it holds. */
const sameForm = sharing(({ expected, actual }) => {
  const [, field, start = ''] = /^(?:\/|[^ ]*\/)?(\w+|the body) is (a(?=n array)|["[{\dtfn-])/.exec(actual) ?? [];
  const due = (/\bis to be (?:an? )?(\w+)/.exec(actual) ?? /\bis (?:to be )?an? (\w+)/.exec(expected))?.[1];
  const form = /\d|-/.test(start) ? '0' : start.replace('a', '[');
  return field === undefined || due === undefined ? undefined : `${field} ${form} ${due.replace('text', 'string')}`;
});

/** The same field holds another word than each of those that are due. */
const otherWordsInOneField = sharing(({ expected, actual }) => {
  const [due, came] = [expected, actual].map((text) => /^(\w+) is "[A-Za-z]+"$/.exec(text)?.[1]);
  return due === came ? due : undefined;
});

/** Of what is in the wrong language, the one was due in the language of the other. */
const sameLanguageDue = sharing(({ clause: { id }, expected }) => {
  const isOfLanguage = topicOf(id) === 'language' || id.endsWith('.message-language');
  return isOfLanguage ? /\b(?:message in|texts of) ([a-z]{2})\b/.exec(expected)?.[1] : undefined;
});

/** The same came, word by word, be it of a document; in one topic, unless it is markup that nobody is due. */
const sameText: Link = (one, other) => {
  if (one.actual !== other.actual || isAnswer(one.actual) || isAbsence(one.actual)) return false;
  const isOfTopic = topicOf(one.clause.id) === topicOf(other.clause.id);
  return one.actual.startsWith('<') || (isOfTopic && one.actual.split(' ').length >= wordsOfASentence);
};

const wordsOfASentence = 4;

/** A message names another replacement of a retired path than its own. */
const otherReplacement = sharing(({ expected }) =>
  expected.startsWith('a message that names ') ? 'replacement' : undefined,
);

/** The text that came for the one is among those that a check has compared for the other. */
const sameAmongTexts: Link = (one, other) => isAmongTexts(one, other) || isAmongTexts(other, one);

function isAmongTexts(one: Break, { actual }: Break): boolean {
  const texts = one.actual.split(' | ');
  const isAmong = (text: string): boolean => text.split(' ').length >= wordsOfASentence && actual.includes(`"${text}"`);
  return texts.length > 1 && texts.some(isAmong);
}

/** What a verification says of a document that it is not to say. */
const sameVerdict: Link = (one, other) => {
  const verdict = verdictIn(one);
  return (
    verdict !== undefined && verdict === verdictIn(other) && isAlike(factOf(one, 'endpoint'), factOf(other, 'endpoint'))
  );
};

function verdictIn({ expected, actual }: Break): string | undefined {
  const verdict = /\b(?:VALIDATED|REJECTED|VALIDATION_ERROR)\b/.exec(actual)?.[0];
  return verdict !== undefined && !expected.includes(verdict) ? verdict : undefined;
}

/** What makes two clauses one cause by what a field, a text or a verdict holds where it came, and what it was to hold. */
export const linksOfContent: readonly Link[] = [
  sameDue,
  sameField,
  sameForm,
  otherWordsInOneField,
  sameLanguageDue,
  sameText,
  otherReplacement,
  sameAmongTexts,
  sameVerdict,
];
