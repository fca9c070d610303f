import { hash } from 'node:crypto';
import { catalogue, isJudged } from '../contract/catalogue.ts';
import { referenceRules } from '../simulator/rules/rules.ts';
import { mutants as allMutants } from './all.ts';
import type { MutantsAsked } from './arguments.ts';
import type { Wish } from './let-loose.ts';
import type { Mutant } from './mutant.ts';
import { combination, usualCombinations, variants as allVariants } from './variants/all.ts';
import type { Variant } from './variants/variant.ts';

/** What checks are to be let loose on. */
export interface Chosen {
  readonly mutants: readonly Mutant[];
  readonly variants: readonly Variant[];
  readonly wishes: readonly Wish[];
  /** Whether that is everything: then the run leaves a record. */
  readonly isAll: boolean;
  /** Whether every mutant of the clauses that are judged is among them: then a check that fails for none is unproven. */
  readonly isProof: boolean;
}

/** The seed of every run of mutants. */
export const seed = 20_260_904;

/** Cases that tell most mutants, and those of a run, with which all is asked that the few have not told. */
const firstCases = 10;
export const secondCases = 100;

const once = { seed, mostShrinks: 0, repetitions: 0 };
/** As a run is made: failures are repeated, and all that passes by is judged; as many cases as at a sandbox. */
const asRun = { ...once, repetitions: 3, numRuns: 10 };

const judged = catalogue.filter(isJudged).map(({ id }) => id);

/** The mutants and variants that are asked for, each with the clauses to judge of it. */
export function chosenFor(given: Omit<MutantsAsked, 'wire'>): Chosen {
  const { clauses, mutants: names, combinations } = given;
  const isNamed = ({ id }: { readonly id: string }): boolean => names.length === 0 || names.includes(id);
  const asked = (ids: readonly string[]): readonly string[] =>
    clauses.length === 0 ? ids : ids.filter((id) => clauses.includes(id));
  const isMutant = combinations === 0;
  const mutants = allMutants.filter((mutant) => isMutant && isNamed(mutant) && asked(mutant.breaks).length > 0);
  const count = isMutant ? usualCombinations : combinations;
  const combined = Array.from({ length: count }, (_, nth) => combination(nth + 1));
  const variants = isMutant && names.length > 0 ? allVariants.filter(isNamed) : combined;
  return {
    mutants: mutants.map((mutant) => ({ ...mutant, breaks: mutant.breaks.filter((id) => asked([id]).length > 0) })),
    variants,
    wishes: [
      ...mutants.map(({ id, rules, breaks, cases = firstCases }): Wish => {
        return { id, rules, clauses: asked(breaks), numRuns: cases, ...once };
      }),
      ...variants.map(({ id, change }): Wish => {
        return { id, rules: change(referenceRules), clauses: asked(judged), ...asRun };
      }),
    ],
    isAll: clauses.length + names.length + combinations === 0,
    isProof: isMutant && names.length === 0,
  };
}

/** How little a survey tries of the clauses that a mutant is not said to break; of its own every example, and as many cases as a run. */
const few = { numRuns: 1, mostExamples: 2 };
const ownCases = 10;

/** What a survey is made of: all clauses of the mutants that are asked for, or of a sample of these. */
export function surveyWishes(mutants: readonly Mutant[], sample = mutants.length): readonly Wish[] {
  const drawn = mutants.toSorted((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1)).slice(0, sample);
  return drawn.map(({ id, rules, breaks }) => {
    return {
      id,
      rules,
      clauses: judged,
      thorough: { clauses: breaks, numRuns: ownCases },
      ...once,
      ...few,
      repetitions: 1,
    };
  });
}

/** A place among all mutants that has nothing to do with what they are: the same in every survey. */
function rankOf({ id }: Mutant): string {
  return hash('sha256', `${seed} ${id}`);
}
