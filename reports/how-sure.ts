import type { ClauseResult, Results } from '../schemas/results.ts';
import { figure } from './figures.ts';
import type { Language } from './language.ts';

/** Of how many answers one that breaks a clause would have been seen, 19 times in 20: what the clause has shown excludes a defect that is more frequent. */
export function oneIn({ observations }: Pick<ClauseResult, 'observations'>): number | undefined {
  return observations === undefined || observations.bound95 === 0 ? undefined : Math.floor(1 / observations.bound95);
}

/** How sure a run is of the must clauses that passed. */
interface Sureness {
  /** Half of them are as sure as this, or surer. */
  readonly median: number;
  /** The clause that was seen least, and how often it was. */
  readonly least: { readonly clause: string; readonly seen: number };
}

/** How sure a run is of what it has passed; `undefined` where no must clause passed, or the run is from before this was counted. */
export function howSure({ clauses }: Pick<Results, 'clauses'>): Sureness | undefined {
  const passed = clauses
    .filter(({ level, verdict }) => level === 'must' && verdict === 'passed')
    .flatMap((clause) => {
      const sure = oneIn(clause);
      return sure === undefined ? [] : [{ clause: clause.id, oneIn: sure, seen: clause.observations?.right ?? 0 }];
    })
    .toSorted((one, other) => one.oneIn - other.oneIn || one.seen - other.seen);
  const [least] = passed;
  const median = passed[Math.floor((passed.length - 1) / 2)];
  return least && median ? { median: median.oneIn, least: { clause: least.clause, seen: least.seen } } : undefined;
}

/** The same in a sentence. */
export function howSureSentence({ median, least }: Sureness, language: Language = 'en'): string {
  const [half, seen] = [figure(median, language), figure(least.seen, language)];
  return language === 'en'
    ? `How sure (95 %): for half of the passed must clauses one wrong answer in ${half} would have shown; the least seen, ${least.clause}, rests on ${seen}.`
    : `Quão certo (95 %): para metade das cláusulas obrigatórias que passaram, uma resposta errada em ${half} teria aparecido; a menos vista, ${least.clause}, apoia-se em ${seen}.`;
}
