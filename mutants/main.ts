import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ledgerMemory } from '../client/ledger.ts';
import { catalogue, isJudged } from '../contract/catalogue.ts';
import { leftBehind } from '../contract/cost.ts';
import { judge } from '../reports/judge.ts';
import { mutantsPath } from '../runner/mutants-file.ts';
import { suiteFacts } from '../runner/suite.ts';
import { profileAt } from '../runner/target-address.ts';
import { runSpecs } from '../runner/run-specs.ts';
import type { CheckOutcome } from '../schemas/results.ts';
import type { Run } from '../targets/address.ts';
import { startEmbedded } from '../targets/embedded.ts';
import type { Rules } from '../simulator/rules.ts';
import { mutants } from './all.ts';
import { catches, neverFailed } from './judge.ts';
import { mutantsText } from './record.ts';
import { variants } from './variants.ts';

const usage = `npm run mutants

Lets the checks loose on simulators that are wrong on purpose: each has to be caught by a check of the clause that it breaks,
and every check has to fail for one of them. Legal variants may be accused of nothing. Leaves a record that reports tell of.
Ends with 0 where all of that holds, else with 1. Takes some minutes.

  --help   print this`;

const seed = 20_260_904;
const judged = catalogue.filter(isJudged);

interface Started {
  readonly run: Run;
  readonly stop: () => Promise<void>;
}

async function start(name: string, rules: Rules, clauses: readonly string[], numRuns: number): Promise<Started> {
  const { address, stop } = await startEmbedded({ rules, profile: profileAt('profiles/default') });
  const traffic = { memory: ledgerMemory(), budget: 0 };
  const secrets = new Map<string, string>();
  const run = { name, address, clauses, seed, numRuns, mostShrinks: 0, repetitions: 0, traffic, secrets };
  return { run, stop };
}

/** The must clauses that fail for a variant: false accusations. */
function accusations(outcomes: readonly CheckOutcome[]): string[] {
  const target = { kind: 'embedded', baseUrl: 'variant', control: true, profile: '' };
  const facts = {
    target,
    suite: { version: '' },
    clock: { movable: true },
    startedAt: '',
    durationMs: 0,
    seed,
    numRuns: 0,
    requests: 0,
    productionIssuances: 0,
    mayIssueForReal: true,
    sideEffects: leftBehind(() => 0),
    strict: false,
    knownDeviations: {},
  };
  return judge(facts, judged, outcomes)
    .clauses.filter(({ verdict }) => verdict === 'failed')
    .map(({ id, checks }) => `${id}: ${JSON.stringify(checks.find(({ state }) => state === 'failed')?.error)}`);
}

/** Starts every mutant and variant, lets the checks of their clauses loose on them, and tells what was missed. */
async function main(): Promise<number> {
  const [at, suite] = [new Date().toISOString(), suiteFacts()];
  const started = await Promise.all([
    ...mutants.map(({ id, rules, breaks }) => start(id, rules, breaks, 100)),
    ...variants.map(({ id, rules }) =>
      start(
        id,
        rules,
        judged.map((clause) => clause.id),
        20,
      ),
    ),
  ]);
  const { outcomes, faults } = await runSpecs(started.map(({ run }) => run));
  await Promise.all(started.map(({ stop }) => stop()));

  const caught = catches(mutants, outcomes);
  const missed = caught.filter(({ caughtBy }) => caughtBy.length === 0);
  const unproven = neverFailed(outcomes);
  const accused = variants.flatMap(({ id }) => accusations(outcomes.get(id) ?? []).map((words) => `${id} ${words}`));
  const problems = [
    ...faults.map((fault) => `the suite broke: ${fault}`),
    ...missed.map(({ mutant, clause }) => `missed: no check of ${clause} fails for the mutant ${mutant}`),
    ...unproven.map((check) => `unproven: no mutant makes this check fail: ${check}`),
    ...accused.map((words) => `false accusation: ${words}`),
  ];
  const record = { at, suite, seed, mutants: mutants.length, variants: variants.length, catches: caught, accused };
  await mkdir(dirname(mutantsPath), { recursive: true });
  await writeFile(mutantsPath, mutantsText(record));
  const tally = `${mutants.length} mutants, ${caught.length} broken clauses, ${caught.length - missed.length} caught`;
  process.stdout.write(
    [...problems, `${tally}; ${variants.length} variants, ${accused.length} accused`, ''].join('\n'),
  );
  return problems.length === 0 ? 0 : 1;
}

if (process.argv[2] === '--help') process.stdout.write(`${usage}\n`);
else process.exitCode = await main();
