import type { Language, Say } from '../../reports/language.ts';
import clauses from './clauses.pt-BR.json' with { type: 'json' };
import portuguese from './pt-BR.json' with { type: 'json' };

/** What may stand where a text varies. Only what stands in a `{*}` is put into Portuguese itself: all else is somebody's data. */
const holes: ReadonlyMap<string, TemplatePiece> = new Map([
  ['{}', { whole: /^/, each: /[\s\S]/ }],
  ['{*}', { whole: /^/, each: /[\s\S]/ }],
  ['{n}', { whole: /^\d[\d.,]*$/, each: /[\d.,]/ }],
  ['{w}', { whole: /^\S+$/, each: /\S/ }],
  ['{N}', { whole: /^[A-Z][A-Z_]+$/, each: /[A-Z_]/ }],
  ['{ip}', { whole: /^[\da-f.:]+(?:, [\da-f.:]+)*$/, each: /[\da-f.:, ]/ }],
]);

/** What texts are joined with. */
const joints = ['; ', ': ', ', or '] as const;

/** One English text. */
interface Template {
  /** What stands in the holes of a text; `undefined` where it is another text. */
  readonly valuesIn: (text: string) => readonly string[] | undefined;
  /** Of each hole, whether what stands there is put into Portuguese. */
  readonly isText: readonly boolean[];
  /** Characters that have to be there: the more, the surer. */
  readonly literals: number;
  readonly portuguese: string;
}

/** What is longer holds something of somebody else's, and stays as it is. */
const longestText = 700;
/** What the suite's own words come before: a body of somebody else's is not taken apart. */
const startOfData = /[{"<]/;

/** English texts and what each is in Portuguese, by what they are about. */
type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

const entriesOf = (texts: Texts): (readonly [string, string])[] =>
  Object.values(texts).flatMap((ofOne) => Object.entries(ofOne));

const hole = /(\{(?:\*|n|w|N|ip)?\})/;

/**
 * The texts in which nothing varies: those of `clauses.pt-BR.json`, which are the statements of the clauses, the titles of the checks
 * and the readings, and those of `pt-BR.json` without a hole.
 */
const wholeTexts: ReadonlyMap<string, string> = new Map([
  ...entriesOf(portuguese).filter(([english]) => !hole.test(english)),
  ...entriesOf(clauses),
]);

/**
 * The other texts of `pt-BR.json`. What varies in the English stands there as one of `holes`; in the Portuguese `{}` is the next of
 * them, and `{1}` the second one, where the order is another.
 */
const templates: readonly Template[] = entriesOf(portuguese)
  .filter(([english]) => hole.test(english))
  .map(([english, said]) => templateOf(english, said))
  .toSorted((one, other) => other.literals - one.literals);

function templateOf(english: string, portuguese: string): Template {
  const pieces = english.split(hole);
  const between = pieces.filter((piece) => holes.has(piece));
  const literals = pieces.filter((piece) => !holes.has(piece)).join('').length;
  const isText = between.map((piece) => piece === '{*}');
  return { valuesIn: filler(pieces.map((piece) => holes.get(piece) ?? piece)), isText, literals, portuguese };
}

/** How things are said in a language. */
export function sayIn(language: Language): Say {
  return language === 'en' ? (english) => english : inPortuguese;
}

/** A text that the suite has put together, in Portuguese. What no text is like stays as it is: it came from somewhere else. */
export function inPortuguese(english: string): string {
  if (english.length > longestText) return english;
  if (english.search(startOfData) === 0) return withFrequency(english) ?? english;
  return known(english) ?? joined(english);
}

/** How often it was seen, behind what somebody else has said. */
const frequency = /, in (?:all [\d,]+|[\d,]+ of [\d,]+) (?:that were seen|tries)(?::.{1,80})?$/;

function withFrequency(english: string): string | undefined {
  const at = english.search(frequency);
  // A name in place of what was said, which may be like any text of ours.
  const said = at > 0 ? known(`it${english.slice(at)}`) : undefined;
  return said && english.slice(0, at) + said.slice('it'.length);
}

/** The Portuguese of a text of the tables; `undefined` for one that is in none. */
function known(english: string): string | undefined {
  const whole = wholeTexts.get(english);
  if (whole !== undefined) return whole;
  for (const { valuesIn, isText, portuguese } of templates) {
    const values = valuesIn(english);
    if (values === undefined) continue;
    const said = values.map((value, at) => (isText[at] ? inPortuguese(value) : inPortugueseDigits(value)));
    return filled(portuguese, said);
  }
  return undefined;
}

/** Places in which a text is taken apart at most: no text of ours has more. */
const mostSplits = 12;

/** A text that may be several: it is taken apart where a part of it is known, else wherever it can be. */
function joined(english: string): string {
  const [, before = '', within] = /^([^(]*) \(([^()]*)\)$/.exec(english) ?? [];
  if (within !== undefined) return `${inPortuguese(before)} (${inPortuguese(within)})`;
  const splits = joints.flatMap((joint) => splitsAt(english, joint)).slice(0, mostSplits);
  for (const { left, joint, right } of splits) {
    const [saidLeft, saidRight] = [known(left), known(right)];
    if (saidLeft !== undefined) return saidLeft + joint + inPortuguese(right);
    if (saidRight !== undefined) return inPortuguese(left) + joint + saidRight;
  }
  const first = splits[0];
  if (!first || splits.length === mostSplits) return english;
  const [left, right] = [inPortuguese(first.left), inPortuguese(first.right)];
  return left === first.left && right === first.right ? english : left + first.joint + right;
}

interface Split {
  readonly left: string;
  /** In Portuguese. */
  readonly joint: string;
  readonly right: string;
}

function splitsAt(text: string, joint: (typeof joints)[number]): Split[] {
  const pieces = text.split(joint);
  const splits = pieces.slice(1).map((_, at) => ({
    left: pieces.slice(0, at + 1).join(joint),
    joint: joint === ', or ' ? ', ou ' : joint,
    right: pieces.slice(at + 1).join(joint),
  }));
  return splits.filter(({ left }) => !startOfData.test(left));
}

/** A number of an English text with its digits in groups as Portuguese has them; anything else as it is. */
function inPortugueseDigits(value: string): string {
  return /^\d{1,3}(?:,\d{3})+$/.test(value) ? value.replaceAll(',', '.') : value;
}

function filled(portuguese: string, values: readonly string[]): string {
  let next = 0;
  return portuguese.replaceAll(/\{(\d*)\}/g, (_, which: string) => {
    const value = values[which === '' ? next : Number(which)] ?? '';
    next += 1;
    return value;
  });
}

/** What may stand in a hole of a template; of several that fit, it is the shortest. */
interface Hole {
  /** What stands there is like this. */
  readonly whole: RegExp;
  /** So is each of its characters, so that a hole is looked for no further than one that isn't. */
  readonly each: RegExp;
}

/** A part of a template: characters that stand there as they are, or a hole. */
type TemplatePiece = string | Hole;

/**
 * Reads what stands in the holes of a template; `undefined` for a text that is none of the template. What has failed at a place
 * isn't tried there again, so that the time grows with the square of the text at most, however many holes there are.
 */
function filler(pieces: readonly TemplatePiece[]): (text: string) => readonly string[] | undefined {
  const literals = pieces.filter((piece) => typeof piece === 'string');
  return (text) => {
    if (!literals.every((literal) => text.includes(literal))) return undefined;
    return valuesFrom({ text, pieces, failed: new Set() }, 0, 0);
  };
}

interface Search {
  readonly text: string;
  readonly pieces: readonly TemplatePiece[];
  /** Places where the rest of the pieces was looked for in vain. */
  readonly failed: Set<number>;
}

function valuesFrom(search: Search, at: number, start: number): readonly string[] | undefined {
  const { text, pieces, failed } = search;
  const piece = pieces[at];
  if (piece === undefined) return start === text.length ? [] : undefined;
  if (typeof piece === 'string') {
    return text.startsWith(piece, start) ? valuesFrom(search, at + 1, start + piece.length) : undefined;
  }
  const place = at * (text.length + 1) + start;
  if (failed.has(place)) return undefined;
  const values = holeFrom(search, piece, at, start);
  if (values === undefined) failed.add(place);
  return values;
}

function holeFrom(search: Search, { whole, each }: Hole, at: number, start: number): readonly string[] | undefined {
  const { text } = search;
  for (let end = start; end <= text.length; end += 1) {
    const rest = valuesFrom(search, at + 1, end);
    const value = text.slice(start, end);
    if (rest !== undefined && whole.test(value)) return [value, ...rest];
    if (!each.test(text.charAt(end))) return undefined;
  }
  return undefined;
}
