import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { mutantsPath } from '../runner/results/report-folder.ts';
import { suiteFacts } from '../runner/run/run-facts.ts';
import type { Results } from '../schemas/results.ts';
import { readMutantsArguments, type MutantsAsked, type SurveyAsked, type WireAsked } from './arguments.ts';
import { besides, catches, neverFailed, mutantsText, untold } from './record.ts';
import { letLoose } from './let-loose.ts';
import type { Variant } from './variants/variant.ts';
import { readTrace } from '../runner/judging/trace-file.ts';
import { measure, measuredLines } from './trace/measure.ts';
import { wireLines, isMissed, trialsFor, wireResults } from './wire/trials.ts';
import { survey, surveyLines } from './survey.ts';
import { chosenFor, secondCases, seed, surveyWishes } from './wishes.ts';
import { print } from '../runner/command-line/print.ts';

/** The clauses that do not hold for a variant, whatever their level, but for those that it is known not to keep: false accusations. */
function accusations({ clauses }: Results, { unlike = [] }: Variant): string[] {
  return clauses
    .filter(({ id, verdict }) => verdict === 'failed' && !unlike.some((known) => known === id))
    .map(({ id, checks }) => `${id}: ${JSON.stringify(checks.find(({ state }) => state === 'failed')?.error)}`);
}

/** Starts the mutants and variants, lets the checks of their clauses loose on them, and tells what was missed. */
async function judgeMutants(asked: MutantsAsked): Promise<number> {
  const [at, suite] = [new Date().toISOString(), suiteFacts()];
  const { mutants, variants, wishes, isAll, isProof } = chosenFor(asked);
  const { outcomes, results, faults } = await letLoose(wishes, {
    numRuns: secondCases,
    checksOf: (told) => untold(mutants, told),
  });

  const caught = catches(mutants, outcomes);
  const missed = caught.filter(({ caughtBy }) => caughtBy.length === 0);
  const unproven = isProof ? neverFailed(outcomes) : [];
  const accused = variants.flatMap((variant) => {
    const result = results.get(variant.id);
    return result ? accusations(result, variant).map((words) => `${variant.id} ${words}`) : [];
  });
  const problems = [
    ...faults.map((fault) => `the suite broke: ${fault}`),
    ...missed.map(({ mutant, clause }) => `missed: no check of ${clause} fails for the mutant ${mutant}`),
    ...unproven.map((check) => `unproven: no mutant makes this check fail: ${check}`),
    ...accused.map((words) => `false accusation: ${words}`),
  ];
  if (isAll) {
    const record = { at, suite, seed, mutants: mutants.length, variants: variants.length, catches: caught, accused };
    await mkdir(dirname(mutantsPath), { recursive: true });
    await writeFile(mutantsPath, mutantsText(record));
  }
  const others = besides(mutants, outcomes).map(({ mutant, clauses }) => `${mutant} also breaks ${clauses.join(', ')}`);
  const tally = `${mutants.length} mutants, ${caught.length} broken clauses, ${caught.length - missed.length} caught`;
  print(...others, ...problems, `${tally}; ${variants.length} variants, ${accused.length} accused`);
  return problems.length === 0 ? 0 : 1;
}

/** Lets the whole suite loose on each mutant, and tells in how many findings it ends. */
async function judgeSurvey(asked: MutantsAsked, { sample, file }: SurveyAsked): Promise<number> {
  const { mutants } = chosenFor(asked);
  await mkdir(dirname(file), { recursive: true });
  print(...surveyLines(await survey(surveyWishes(mutants, sample), file), mutants));
  return 0;
}

/** Makes the runs over wires that break, and tells which of them did not report it. */
async function judgeWires(asked: WireAsked): Promise<number> {
  const trials = trialsFor(asked);
  const results = await wireResults(trials, asked.isWhole, (done) => {
    process.stderr.write(`${done.length} of ${trials.length} runs, ${done.filter(isMissed).length} unreported\n`);
  });
  print(...wireLines(results));
  return results.some(isMissed) ? 1 : 0;
}

/** Changes of a trace that are judged. */
const mostChanges = 10_000;

/** Judges a trace with one thing changed at a time; every free change that breaks a clause is a false accusation. */
function judgeTrace(path: string): number {
  const measured = measure(readTrace(path).lines, mostChanges);
  print(...measuredLines(measured));
  return measured.accused.length === 0 ? 0 : 1;
}

/** What `npm run mutants` does; gives the exit status: 0 where all holds that it asks, else 1. */
export function run(words: readonly string[]): number | Promise<number> {
  const asked = readMutantsArguments(words);
  if (asked.trace !== undefined) return judgeTrace(asked.trace);
  if (asked.survey) return judgeSurvey(asked, asked.survey);
  return asked.wire ? judgeWires(asked.wire) : judgeMutants(asked);
}

export { usage } from './arguments.ts';
