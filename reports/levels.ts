import { isWithin } from '../contract/catalogue.ts';
import { type Clause, type AssuranceLevel, assuranceLevels } from '../contract/clause.ts';
import type { ClauseResult, Results } from '../schemas/results.ts';
import { mustClauses, isExercised } from './verdicts.ts';
import { counted, figure, type Language } from './language.ts';

/** How far a run reached. */
export type Reach = NonNullable<Results['level']>;

/** What a run was asked for. */
interface Asked {
  readonly clauses: readonly Clause[];
  /** The part of the suite, when that is not everything. */
  readonly filter?: string;
}

/**
 * How far a run reached, level by level, each with all below it; the highest of which every must clause was exercised and
 * holds is complete. Nothing of a run of a part, or of one without any must clause: they say nothing of levels.
 */
export function levelOf({ clauses, filter }: Asked, judged: readonly ClauseResult[]): Pick<Results, 'level'> {
  const must = mustClauses(judged);
  if (filter !== undefined || must.length === 0) return {};
  const levels = assuranceLevels.map((name) => {
    const within = new Set(clauses.filter((clause) => isWithin(clause, name)).map(({ id }) => id));
    const own = must.filter(({ id }) => within.has(id));
    const exercised = own.filter(({ verdict }) => isExercised(verdict)).length;
    const isComplete = own.length > 0 && own.every(({ verdict }) => verdict === 'passed');
    return { name, exercised, of: own.length, isComplete };
  });
  const complete = levels.findLast(({ isComplete }) => isComplete)?.name ?? null;
  return { level: { complete, reached: levels.map(({ name, exercised, of }) => ({ name, exercised, of })) } };
}

type Step = Reach['reached'][number];

/** The pieces of the sentence that says how far a run reached, where all of a level was exercised and where not. */
const english = {
  complete: ({ name, of }: Step): string =>
    of === 1
      ? `Level ${name} complete: the one must clause that it can exercise holds`
      : `Level ${name} complete: all ${counted(of, 'must clause')} that it can exercise hold`,
  none: 'No level complete',
  exercised: ({ name, exercised, of }: Step): string =>
    `level ${name}: ${figure(exercised)} of ${figure(of)} exercised`,
  notAllHold: ({ name, of }: Step): string => `level ${name}: all ${figure(of)} exercised, not all hold`,
};

type LevelWords = typeof english;

const number = (count: number): string => figure(count, 'pt-BR');

const portuguese: LevelWords = {
  complete: ({ name, of }) =>
    of === 1
      ? `Nível ${name} completo: a única cláusula obrigatória que ele pode exercitar é cumprida`
      : `Nível ${name} completo: todas as ${number(of)} cláusulas obrigatórias que ele pode exercitar são cumpridas`,
  none: 'Nenhum nível completo',
  exercised: ({ name, exercised, of }) =>
    `nível ${name}: ${number(exercised)} de ${number(of)} ${exercised === 1 ? 'exercitada' : 'exercitadas'}`,
  notAllHold: ({ name, of }) => `nível ${name}: todas as ${number(of)} exercitadas, nem todas cumpridas`,
};

const levelWords: Readonly<Record<Language, LevelWords>> = { en: english, 'pt-BR': portuguese };

/** Which level a run has completed and how far the next one is, in one sentence. */
export function levelSentence({ complete, reached }: Reach, language: Language = 'en'): string {
  const words = levelWords[language];
  const done = reached.find(({ name }) => name === complete);
  const next = reached[done === undefined ? 0 : reached.indexOf(done) + 1];
  const parts = [done === undefined ? words.none : words.complete(done), ...(next ? [distance(next, words)] : [])];
  return `${parts.join('; ')}.`;
}

/** How far a level is from being complete: "level credentials: 140 of 150 exercised". */
export function levelDistance({ reached }: Reach, level: AssuranceLevel): string {
  const step = reached.find(({ name }) => name === level);
  return step === undefined ? `level ${level}` : distance(step, english);
}

/** The same in a few words, where there is room for no more. */
export function levelBrief(reach: Reach): string {
  return reach.complete === null ? levelDistance(reach, 'secret') : `level ${reach.complete} complete`;
}

function distance(step: Step, words: LevelWords): string {
  return step.exercised < step.of ? words.exercised(step) : words.notAllHold(step);
}
