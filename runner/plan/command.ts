import { isJudged } from '../../contract/catalogue.ts';
import { costBy, costWithout, sumOfCosts, type Cost } from '../../contract/endpoints.ts';
import { ledgerMemory } from '../../targets/traffic/ledger.ts';
import { figure } from '../../reports/language.ts';
import { visible } from '../../reports/visible.ts';
import type { Run, TargetAddress } from '../../targets/address.ts';
import { startEmbedded, type StartedTarget } from '../../targets/container.ts';
import { checksOf, type Arguments, selectClauses } from '../command-line/arguments.ts';
import { announcedMinutes, announcement, savingText, topicLines } from './lines.ts';
import { collectChecks } from '../run/run-specs.ts';
import type { Environment, Settings } from '../settings/settings.ts';
import { ownWish, sandboxAddress } from '../settings/target-address.ts';
import { costTable, wayAt, type CollectedCheck, planOf, type Plan, setUpCost } from './costs.ts';

/** What `npm test -- --plan` prints: what the run that these settings ask for would cost its target. Nothing is sent there. */
export async function planLines(asked: Arguments, settings: Settings, environment: Environment): Promise<string[]> {
  const { address, stop } = await plannedTarget(settings, environment);
  await stop();
  const clauses = selectClauses(asked).filter(isJudged);
  const run: Run = {
    name: 'as set',
    address,
    clauses: clauses.map(({ id }) => id),
    seed: 0,
    numRuns: settings.numRuns,
    ...checksOf(asked),
    ...(asked.path === undefined ? {} : { path: asked.path }),
    mostShrinks: 0,
    repetitions: 0,
    traffic: { memory: ledgerMemory(), budget: 0 },
    secrets: new Map(),
  };
  const others = alternatives(run);
  const checks = await collectChecks([run, ...others.map((other) => other.run)]);
  const asSet = plannedOf(run, checks);
  const { plan, setUp, cost } = asSet;
  const savings = others.flatMap(({ change, run: other }) => savingLine(change, asSet, plannedOf(other, checks)));
  const where = visible(`${address.baseUrl} (${settings.target})`);
  const guessed = 'Nobody has measured these checks, so what they send is a guess (npm run costs measures them):';
  return [
    `Plan of npm test on ${where}, ${figure(settings.numRuns)} cases a property. Nothing was sent.`,
    '',
    ...topicLines(setUp, plan),
    '',
    ...(settings.target === 'sandbox'
      ? announcement(cost, { maxRps: address.maxRps, answerMs: 0, waitSeconds: plan.waitSeconds })
      : ['All of it goes to a simulator that ends with the run.']),
    ...fewCases(run, checks),
    ...(plan.unmeasured.length === 0 ? [] : [guessed, ...plan.unmeasured.map((name) => `  ${name}`)]),
    '',
    'What would save some of it:',
    ...savings,
    saving('--topic, --clause', 'all that they do not name'),
  ];
}

/** The target of the settings as far as it can be known without asking it; a simulator of our own is asked nothing either. */
function plannedTarget(settings: Settings, environment: Environment): Promise<StartedTarget> {
  if (settings.target !== 'sandbox') return startEmbedded(ownWish(settings));
  return Promise.resolve({ address: sandboxAddress(settings, environment), stop: () => Promise.resolve() });
}

/** A run and what it would cost, what it asks before its first check included. */
interface Planned {
  readonly run: Run;
  readonly plan: Plan;
  readonly setUp: Cost;
  readonly cost: Cost;
}

function plannedOf(run: Run, checks: readonly CollectedCheck[]): Planned {
  const own = checks.filter((check) => check.run === run.name);
  const plan = planOf(own, costTable, wayAt(run.address));
  const setUp = setUpCost(costTable, run.address, run.clauses);
  return { run, plan, setUp, cost: sumOfCosts([setUp, plan.cost]) };
}

/** The properties that try fewer cases than were asked for, since each leaves something behind. */
function fewCases({ name, numRuns }: Run, checks: readonly CollectedCheck[]): string[] {
  const few = checks.filter(({ run, tries }) => run === name && tries?.isCut);
  if (few.length === 0) return [];
  const counts = few.map(({ clause, tries }) => `${clause} ${tries?.cases}`);
  return [`Of ${figure(numRuns)} cases, fewer where each leaves an invoice: ${counts.join(', ')}.`];
}

function savingLine(change: string, asSet: Planned, other: Planned): string[] {
  const saved = costWithout(asSet.cost, other.cost);
  const text = savingText(
    costBy((kind) => Math.max(0, saved[kind])),
    minutesOf(asSet) - minutesOf(other),
  );
  return text === undefined ? [] : [saving(change, text)];
}

function saving(change: string, text: string): string {
  return `  ${change.padEnd(38)}  ${text}`;
}

function minutesOf({ run: { address }, plan, cost }: Planned): number {
  return address.maxRps === 0 ? 0 : announcedMinutes(cost.requests, address.maxRps, 0, plan.waitSeconds);
}

/** Another way to set a run, which may save something. */
interface Alternative {
  /** What would be changed, as one writes it. */
  readonly change: string;
  readonly run: Run;
}

/** The other ways to set a run that anybody has at hand; the name of each run is the change. */
function alternatives(run: Run): readonly Alternative[] {
  const { address } = run;
  const found: (readonly [string, Partial<Run>] | undefined)[] = [
    address.control || address.empresas?.own
      ? undefined
      : ['NFE_EMPRESA_ID set', { address: { ...address, empresas: { own: { empresaId: 'a company of yours' } } } }],
    ['NFE_PROFILE without outra-empresa.json', { address: withoutFile(address, 'outra-empresa.json') }],
    address.webhook.publicUrl === undefined
      ? undefined
      : [
          'NFE_WEBHOOK_PUBLIC_URL unset',
          { address: { ...address, webhook: { ...address.webhook, isReachable: false } } },
        ],
    address.isSlow ? ['NFE_SLOW=false', { address: { ...address, isSlow: false } }] : undefined,
    run.numRuns < 2 ? undefined : halved(run.numRuns),
    address.maxRps === 0
      ? undefined
      : [`NFE_MAX_RPS=${address.maxRps * 2}`, { address: { ...address, maxRps: address.maxRps * 2 } }],
  ];
  return found
    .filter((one) => one !== undefined)
    .map(([change, part]) => ({ change, run: { ...run, ...part, name: change } }));
}

function halved(numRuns: number): readonly [string, Partial<Run>] {
  const half = Math.floor(numRuns / 2);
  return [`NFE_NUM_RUNS=${half}`, { numRuns: half }];
}

function withoutFile(address: TargetAddress, file: string): TargetAddress {
  const files = address.profile.files.filter((name) => name !== file);
  return { ...address, profile: { ...address.profile, files } };
}
