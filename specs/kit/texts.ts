import fc from 'fast-check';
import type { Exchange } from '../../trace/exchange.ts';
import type { Trial } from './trial.ts';
import { defaultLanguage, languageHeaders, languages, type Language } from '../../contract/values.ts';
import { endpoint } from '../../contract/endpoints.ts';
import { echoCall } from '../../generators/calls.ts';
import { plainFlaws, type Flaw } from '../../generators/flaws.ts';
import type { Call } from '../../contract/request.ts';
import { member } from '../../schemas/values.ts';
import { jsonBody, summary } from './reply.ts';

/** The `message` of an answer; empty where there is none. */
export function messageOf(exchange: Exchange): string {
  const message = member(jsonBody(exchange), 'message');
  return typeof message === 'string' ? message : '';
}

/** What a request may say of the language: nothing, or any of them. */
const saidLanguages: readonly (Language | undefined)[] = [undefined, 'zh', 'es', 'en', 'pt'];

/** Any of these. */
export const anyLanguage = fc.constantFrom(...saidLanguages);

/** Each of them once; none, one that is told from all others, and one that is near, where manners are asked for. */
export const eachLanguage = { examples: saidLanguages, most: saidLanguages.length, mostPolitely: 3 };

/** The call with a header that asks for a language; as it is where none is asked for. */
export function inLanguage(call: Call, header: string, language: Language | undefined): Call {
  if (language === undefined) return call;
  return { ...call, headers: [...(call.headers ?? []), [header, language]] };
}

/** The texts of some answers: what of them is compared, and as they were sent. */
export interface Texts {
  /** What stays the same when the same is asked again, a line an answer. */
  readonly words: string;
  readonly shown: string;
  /** The answers themselves, in short: what is said of another refusal is another text in the same language. */
  readonly answers: readonly string[];
}

/** Whether the texts of some statuses of a target hold what changes with every answer, such as an id of it; known once looked for. */
const isChanging = new Map<string, boolean>();

/**
 * The texts of the answers to the same requests. They are asked for twice where a target's texts change from answer to
 * answer: what a language says is only what stays. Sections 2.6 and 9.
 */
export async function textsOf(t: Trial, ask: () => Promise<readonly Exchange[]>): Promise<Texts> {
  const answers = await ask();
  const first = answers.map(messageOf);
  const kind = [t.target.address.baseUrl, ...new Set(answers.map(({ response }) => response?.status))].join(' ');
  const again = isChanging.get(kind) === false ? first : (await t.anew(ask)).map(messageOf);
  const isOther = first.some((text, at) => wordsIn(text).join(' ') !== wordsIn(again[at] ?? '').join(' '));
  if (isOther || !isChanging.has(kind)) isChanging.set(kind, isOther);
  return {
    words: first.map((text, at) => stableWords(text, again[at] ?? '').join(' ')).join('\n'),
    shown: first.join(' | '),
    answers: answers.map(summary),
  };
}

/** How often texts are asked for that seem to differ: what only one of three nodes says may be said several times in a row. */
const mostRounds = 10;

/** Two texts, and whether they say the same. */
interface Compared {
  readonly isSame: boolean;
  readonly one: Texts;
  readonly other: Texts;
}

/** Compares what stays the same in each of two texts, which are asked for again as long as it is not the same in both. */
async function compared(t: Trial, one: () => Promise<Texts>, other: () => Promise<Texts>): Promise<Compared> {
  const both = { one: await one(), other: await other() };
  let [words, otherWords] = [both.one.words, both.other.words];
  for (let round = 1; round < mostRounds && words !== otherWords; round++) {
    words = stableLines(words, (await t.anew(one)).words);
    otherWords = stableLines(otherWords, (await t.anew(other)).words);
  }
  return { isSame: words === otherWords, ...both };
}

function stableLines(one: string, other: string): string {
  const others = other.split('\n');
  return one
    .split('\n')
    .map((line, at) => stableWords(line, others[at] ?? '').join(' '))
    .join('\n');
}

/** The words that two texts have in common, in their order. */
export function stableWords(one: string, other: string): string[] {
  return commonWords(wordsIn(one), wordsIn(other));
}

/** Longest text that is looked at, in characters: what tells a language stands at its start. */
const longestText = 2_000;

/** The words of a text, a Chinese character being one; what holds a digit is left out, since ids and times do. */
function wordsIn(text: string): string[] {
  const words = text.slice(0, longestText).match(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}_-])+/gu) ?? [];
  return words.filter((word) => !/\d/.test(word));
}

/** The longest common subsequence of two lists of words. */
function commonWords(one: readonly string[], other: readonly string[]): string[] {
  const lengths = Array.from({ length: one.length + 1 }, () => other.concat('').map(() => 0));
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (let row = one.length - 1; row >= 0; row--) {
    for (let column = other.length - 1; column >= 0; column--) {
      const longest =
        one[row] === other[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
      const line = lengths[row];
      if (line) line[column] = longest;
    }
  }
  const common: string[] = [];
  for (let [row, column] = [0, 0]; row < one.length && column < other.length;) {
    const word = one[row] ?? '';
    if (word === other[column]) {
      common.push(word);
      [row, column] = [row + 1, column + 1];
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return common;
}

/** Provokes some answers with a message, each call asked for in a language, or in none. */
export type Provoke = (t: Trial, ask: (call: Call) => Call) => Promise<Exchange[]>;

/**
 * What provokes 401s for a header: of each of the four flaws. Where manners are asked for, first of two, which differ by the header; what
 * else is refused in the run is asked for in changing languages.
 */
export function provoke401s({ target }: Trial, header: string): readonly [Provoke, ...Provoke[]] {
  if (target.address.maxRps === 0) return [provoking(plainFlaws)];
  const first = header === languageHeaders[0] ? 0 : 2;
  return [provoking([...plainFlaws.slice(first, first + 1), ...plainFlaws.slice(-1)]), provoking(plainFlaws)];
}

function provoking(flaws: readonly Flaw[]): Provoke {
  return async (t, ask) => {
    const caller = await t.caller();
    const answers: Exchange[] = [];
    for (const flaw of flaws) answers.push(await t.send(caller, ask(echoCall('language')), flaw.apply));
    return answers;
  };
}

/** Languages are compared by all their texts together: single texts of two languages may be the same. */
export function messageTexts(t: Trial, provoke: Provoke, ask: (call: Call) => Call): Promise<Texts> {
  return textsOf(t, async () => {
    const answers = await provoke(t, ask);
    for (const { response, request } of answers) {
      const isRefusal = response !== undefined && response.status >= 400 && response.status !== 413;
      const isWanted = isRefusal || (request.target === endpoint('echo').path && response?.status === 200);
      t.presumes(isWanted, { expected: 'a message to read the language of', actual: String(response?.status) });
    }
    return answers;
  });
}

/** Fails unless any two languages differ in at least one text; what seems to be the same is asked for in more texts, where there are any. */
export async function differ(t: Trial, header: string, provoke: Provoke, ...more: readonly Provoke[]): Promise<void> {
  const texts = new Map<string, Language>();
  const said = (language: Language, by: Provoke): Promise<Texts> =>
    messageTexts(t, by, (call) => inLanguage(call, header, language));
  const isSameIn = async (one: Language, other: Language): Promise<boolean> => {
    for (const by of more) if ((await said(one, by)).words !== (await said(other, by)).words) return false;
    return true;
  };
  await t.each(languages, async (language) => {
    const { words, shown } = await said(language, provoke);
    const same = texts.get(words);
    texts.set(words, language);
    const isSame = same !== undefined && (await isSameIn(language, same));
    t.holds(!isSame, {
      expected: `texts in ${language} that differ from those in ${same}`,
      actual: shown,
      hint: `the ${header} header is not followed`,
    });
  });
}

/** Fails unless messages read without a language header as they do in Portuguese; `before` is sent before they are asked for. */
export async function isPortuguese(t: Trial, provoke: Provoke, before?: () => Promise<void>): Promise<void> {
  const asked = (): Promise<Texts> => messageTexts(t, provoke, (call) => call);
  const { isSame, one, other } = await compared(
    t,
    () => messageTexts(t, provoke, (call) => inLanguage(call, languageHeaders[0], defaultLanguage)),
    before ? () => t.anew(() => before().then(asked)) : asked,
  );
  const at = isSame ? -1 : one.answers.findIndex((answer, nth) => answer !== other.answers[nth]);
  t.presumes(at < 0, {
    expected: `${one.answers[at]}, as to the same request in pt`,
    actual: String(other.answers[at]),
  });
  t.holds(isSame, { expected: `the texts of pt: ${one.shown}`, actual: other.shown });
}
