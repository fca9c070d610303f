import { counted, duration, figure, languages, type Language, type Phrase, type Say } from '../language.ts';
import { markup, type Content, type Markup, exactText } from './markup.ts';
import type { Clause } from '../../contract/clause.ts';
import type { Finding } from '../../schemas/finding.ts';
import type { BodyEvidence } from '../../schemas/evidence.ts';
import type { CheckResult, ClauseVerdict } from '../../schemas/results.ts';
import { levelPhrases, verdictLooks } from '../verdicts.ts';

/**
 * A label in both languages, once where both say the same. The page's script shows the chosen one; without script both
 * are there to read.
 */
export function said(english: Content, portuguese: Content): Markup {
  const [en, pt] = [markup`${english}`, markup`${portuguese}`];
  if (en.html === pt.html) return en;
  return markup`<span class="said"><span lang="en">${en}</span><span lang="pt-BR">${pt}</span></span>`;
}

/** A phrase in both languages. */
export function saidPhrase(phrase: Phrase): Markup {
  return said(phrase.en, phrase['pt-BR']);
}

/** What a function says, in both languages. */
export function saidBy(words: (language: Language) => Content): Markup {
  const [english, portuguese] = languages.map(words);
  return said(english, portuguese);
}

/** A count, its digits in groups as each language has them. */
export function saidFigure(count: number): Markup {
  return saidBy((language) => figure(count, language));
}

/** A noun for one and for many in each language: `['case', 'cases']`. */
export type Nouns = Readonly<Record<Language, readonly [one: string, many: string]>>;

/** A count with its noun, in both languages. */
export function saidCount(count: number, nouns: Nouns): Markup {
  return saidBy((language) => counted(count, ...nouns[language], language));
}

/** A span of time in milliseconds, in both languages. */
export function saidDuration(milliseconds: number): Markup {
  return saidBy((language) => duration(milliseconds, language));
}

/** How many of how many, in both languages. */
export function saidPart(part: number, whole: number): Markup {
  return said(`${figure(part)} of ${figure(whole)}`, `${figure(part, 'pt-BR')} de ${figure(whole, 'pt-BR')}`);
}

/** Bytes that a text of the run may take in the page, escaped: what is longer is shown as far as that, and says so. */
export interface TextRoom {
  /** A text in a block of its own: expected, actual, counterexample, error. */
  readonly block: number;
  /** A text within a line: a reason, a hint, the outcomes of repetitions. */
  readonly line: number;
}

/** As much as anybody reads in a line. */
const longestLine = 2_000;

/** The rooms that a page can give to each of its texts, the widest first. */
export const textRooms: readonly TextRoom[] = [50_000, 10_000, 2_500].map(roomOf);

/** The least of them: it still holds an ordinary finding. */
export const leastRoom: TextRoom = roomOf(600);

function roomOf(block: number): TextRoom {
  return { block, line: Math.min(block, longestLine) };
}

/** A text in a block, exact as far as it is shown. */
export function blockOf(text: string, room: TextRoom, kind = ''): Markup {
  const start = startOf(text, room.block);
  return markup`<pre class="${kind}" tabindex="0">${exactText(start)}</pre>${cutNote(start, text)}`;
}

/** A text within a line. */
export function lineOf(text: string, room: TextRoom): Markup {
  const start = startOf(text, room.line);
  return markup`${start}${cutNote(start, text)}`;
}

/** A text of ours within a line, in both languages. */
export function lineSaid(text: string, room: TextRoom, inPortuguese: Say): Markup {
  return said(lineOf(text, room), lineOf(inPortuguese(text), room));
}

function cutNote(start: string, text: string): Markup | undefined {
  if (start.length === text.length) return undefined;
  return markup` <span class="note cut">${saidBy((language) => {
    const [shown, all] = [figure(start.length, language), figure(text.length, language)];
    return language === 'en'
      ? `… the first ${shown} of ${all} characters; the others are in results.json`
      : `… os primeiros ${shown} de ${all} caracteres; os outros estão em results.json`;
  })}</span>`;
}

/** The start of a text that takes no more than so many bytes in the page; the whole text where it is not longer. */
function startOf(text: string, bytes: number): string {
  let [left, end] = [bytes, 0];
  for (const character of text) {
    left -= bytesOf(character);
    if (left < 0) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

/** What no eye can see, beyond ASCII. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u{a0}]/u;

/** Bytes that a character takes in the page: as a reference, as it is, or as a mark of its own, which most runs share. */
function bytesOf(character: string): number {
  if (/[&<>"']/.test(character)) return 5;
  if (/[ -~]/.test(character)) return 1;
  return unseen.test(character) ? longestMark : Buffer.byteLength(character);
}

const longestMark = Buffer.byteLength(exactText('\r').html);

/** A clause verdict in sign, word and colour. */
export function verdictWord(verdict: ClauseVerdict): Markup {
  const look = verdictLooks.find((one) => one.verdict === verdict);
  return markup`<span class="verdict ${verdict}"><span aria-hidden="true">${look?.sign}</span> ${look && saidPhrase(look.words)}</span>`;
}

/** How binding a clause is. */
export function levelWord(level: Clause['level']): Markup {
  return saidPhrase(levelPhrases[level]);
}

/** Link to the row of a clause in the table of all clauses. */
export function clauseLink(id: string): Markup {
  return markup`<a href="#clause-${id}"><code>${id}</code></a>`;
}

/** What the outcomes of a check's repetitions were, where they differed. */
export function flakyNote(check: CheckResult, room: TextRoom, inPortuguese: Say): Markup | undefined {
  if (check.flaky === undefined) return undefined;
  return markup`<p class="note"><strong>${said('Flaky', 'Instável')}:</strong> ${said('repeats of', 'repetições de')} “${statementSaid(check.name, inPortuguese)}” ${said('came to', 'deram em')} ${lineOf(check.flaky.join(', '), room)}.</p>`;
}

/** A statement of the catalogue or the title of a check, in both languages. */
export function statementSaid(english: string, inPortuguese: Say): Markup {
  return said(statementText(english), statementText(inPortuguese(english)));
}

/** The same in one language, its back-quoted words set as code. */
export function statementText(statement: string): Markup {
  const pieces = statement.split(/`([^`]*)`/);
  return markup`${pieces.map((piece, index) => (index % 2 === 1 ? markup`<code>${piece}</code>` : piece))}`;
}

/** Where a finding is in a page: what may stand in an address. */
export function findingPlace({ id }: Pick<Finding, 'id'>): string {
  return `finding-${id.replaceAll(/[^\w.-]+/g, '-')}`;
}

/** A link of something to itself, for who wants to point at it. */
export function selfLink(place: string): Markup {
  return markup` <a class="self" href="#${place}" aria-label="${place}">#</a>`;
}

/** How many bytes a body had, how they are shown where that is not as they are, and how much of them was kept. */
export function sizeText({ bytes, encoding, text, cut }: BodyEvidence): Markup {
  const size = saidCount(bytes, { en: ['byte', 'bytes'], 'pt-BR': ['byte', 'bytes'] });
  const shown = encoding === 'utf-8' ? undefined : said(', not UTF-8, shown in base64', ', não é UTF-8, em base64');
  const rest = cut === undefined ? undefined : keptText(text.length);
  return markup`${size}${shown}${rest}`;
}

function keptText(characters: number): Markup {
  return said(
    `; only the first ${figure(characters)} characters were kept`,
    `; só os primeiros ${figure(characters, 'pt-BR')} caracteres foram guardados`,
  );
}

/** Says of an exact text in which something is spelt out that a copy has the spelling; `undefined` of one that copies exactly. */
export function spellingNote(shown: Markup): Markup | undefined {
  // Text is escaped, so that only a spelling of ours has this tag.
  if (!shown.html.includes('<span class="spelt">')) return undefined;
  const example = markup`<code>\\u{0}</code>`;
  return markup`<p class="note">${said(
    markup`Characters that no eye can see, or that a page can’t hold, are spelt out here, such as ${example}: a copy has the spelling, not the character.`,
    markup`Caracteres que não se veem, ou que a página não pode conter, estão aqui por extenso, como ${example}: a cópia leva a grafia, não o caractere.`,
  )}</p>`;
}
