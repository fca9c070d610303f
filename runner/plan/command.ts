import { isJudged } from '../../contract/catalogue.ts';
import { costBy, costWithout, sumOfCosts, type Cost, costKinds } from '../../contract/endpoints.ts';
import { figure, counted, type Language } from '../../reports/language.ts';
import type { Run, TargetAddress, Deadline } from '../../targets/address.ts';
import { startEmbedded, type StartedTarget } from '../../targets/container.ts';
import { checksOf, type Arguments, selectClauses } from '../command-line/arguments.ts';
import { collectChecks } from '../run/run-specs.ts';
import type { Environment, Settings } from '../settings/settings.ts';
import { ownWish, sandboxAddress } from '../settings/target-address.ts';
import { costTable, wayAt, type CollectedCheck, planOf, type Plan, setUpCost } from './costs.ts';
import { leftText } from '../../reports/summary-words.ts';
import { triesToExclude, type Bound } from '../../judge/rate.ts';
import { sayIn } from '../portuguese/in-portuguese.ts';
import { furtherAt, mostFurther, orderTable, purchase, type Again, type Purchase } from './purchase.ts';
import { visible } from '../../reports/visible.ts';
import { plainRun } from '../../targets/plain-run.ts';

/** What `npm test -- --plan` prints: what the run that these settings ask for would cost its target. Nothing is sent there. */
export async function planLines(asked: Arguments, settings: Settings, environment: Environment): Promise<string[]> {
  const { address, stop } = await plannedTarget(settings, environment);
  await stop();
  const clauses = selectClauses(asked).filter(isJudged);
  const run = plainRun(address, {
    name: 'as set',
    clauses: clauses.map(({ id }) => id),
    seed: 0,
    numRuns: settings.numRuns,
    ...checksOf(asked),
    ...(asked.path === undefined ? {} : { path: asked.path }),
  });
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
    ...wishLines(asked, asSet, checks, settings.numRuns),
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

/** What the run sends less for a budget, and more for a bound. */
function wishLines(
  { budget, bound }: Arguments,
  { run: { name, address }, setUp }: Planned,
  checks: readonly CollectedCheck[],
  numRuns: number,
): string[] {
  const own = checks.filter(({ run }) => run === name);
  const way = wayAt(address);
  const buying = (most: number): Purchase =>
    purchase(own, { table: costTable, way, order: orderTable[way], most: most - setUp.requests, numRuns });
  return [
    ...(budget === undefined ? [] : [`By the budget: ${purchaseLine(own, buying(budget), budget)}`]),
    ...(bound ? [furtherLine(mostFurther(own, furtherAt(address, bound, Infinity)), address.maxRps, 0)] : []),
  ];
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
  return address.maxRps === 0 ? 0 : runMs(cost.requests, address.maxRps, 0, plan.waitSeconds) / 60_000;
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

/** What a run goes by. */
interface Pace {
  /** Most requests a second; 0: no ceiling. */
  readonly maxRps: number;
  /** Milliseconds that the target takes to answer; 0 where that is not known. */
  readonly answerMs: number;
  /** Seconds that checks wait in real time. */
  readonly waitSeconds: number;
}

/** What a run will cost, before its first check: how many requests and how long, and what stays at the target. */
export function announcement(cost: Cost, { maxRps, answerMs, waitSeconds }: Pace, language: Language = 'en'): string[] {
  const say = sayIn(language);
  const whole = rounded(cost);
  const { requests, ...left } = whole;
  const isLeaving = Object.values(left).some((count) => count > 0);
  return [
    say(budgetLine(requests, maxRps, answerMs, waitSeconds)),
    ...(isLeaving
      ? [say(`It leaves at the target about ${leftText(whole, language)}; npm test -- --plan says what saves which.`)]
      : []),
  ];
}

/** What being surer may take besides, in one line. */
export function furtherLine(requests: number, maxRps: number, answerMs: number): string {
  const time = maxRps === 0 ? '' : `, ${figure(announcedMinutes(requests, maxRps, answerMs))} min`;
  return `Until it is as sure as was asked: up to ${counted(Math.round(requests), 'request')} more${time}; --budget caps them.`;
}

/** That checks are made again, and for what, in one line. */
export function againLine({ clauses, requests }: Again, bound: Bound): string {
  const enough = figure(triesToExclude(bound));
  return `Not so sure yet: ${counted(clauses, 'must clause')} on fewer than ${enough} answers; about ${counted(Math.round(requests), 'request')} more.`;
}

/** What a budget of requests buys, in one line. */
export function purchaseLine(
  checks: readonly CollectedCheck[],
  { unbought, numRuns, planned }: Purchase,
  most: number,
): string {
  const possible = checks.filter(({ tries }) => tries).length;
  const [bought, all] = [figure(possible - unbought.length), figure(possible)];
  return `${figure(most)} requests at most: ${bought} of ${all} checks, of ${counted(numRuns, 'case')} each, about ${counted(Math.round(planned), 'request')}.`;
}

const headings = ['topic', ...costKinds];

/** A table of what each topic costs that costs anything, with what is asked before the first check, and a row for all. */
export function topicLines(setUp: Cost, { topics, cost }: Plan): string[] {
  const costly = [...topics].filter(([, one]) => costKinds.some((kind) => Math.round(one[kind]) > 0));
  const parts: (readonly [string, Cost])[] = [['before the first check', setUp], ...costly];
  const all: readonly [string, Cost] = ['all', sumOfCosts([setUp, cost])];
  const rows = [...parts, all].map(([name, one]) => [name, ...costKinds.map((kind) => numberText(one[kind]))]);
  const widths = headings.map((heading, at) => Math.max(heading.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ');
  const rule = '─'.repeat(line(headings).length);
  return [line(headings), ...rows.slice(0, -1).map(line), rule, ...rows.slice(-1).map(line)];
}

function numberText(count: number): string {
  return Math.round(count) === 0 ? '·' : figure(Math.round(count));
}

/** What one change would save, in words, its minutes whole ones; `undefined` where that is nothing. */
export function savingText(cost: Cost, minutes: number): string | undefined {
  const saved = rounded(cost);
  const { requests, ...left } = saved;
  const parts = [
    ...(requests === 0 ? [] : [counted(requests, 'request')]),
    ...(Object.values(left).some((count) => count > 0) ? [leftText(saved, 'en', true)] : []),
    ...(minutes < 1 ? [] : [`${figure(Math.floor(minutes))} min`]),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** Nobody sends a part of a request. */
function rounded(cost: Cost): Cost {
  return costBy((kind) => Math.round(cost[kind]));
}

/** Requests of a run that are asked again to see which of several nodes breaks a rule. */
export const mostAgain = 300;

/** Most requests of a run: room for what a failure costs, which is making it smaller, repeating it, asking its twin, looking for its cause, and at which node it is. */
export function roomFor(planned: number): number {
  return Math.ceil(planned * 1.5) + 400 + mostAgain;
}

/**
 * How long a run will take, in whole minutes: by the ceiling on requests a second, or by what an answer takes if that is longer,
 * and with what is waited for in real time.
 */
export function announcedMinutes(planned: number, maxRps: number, answerMs: number, waitSeconds = 0): number {
  return Math.ceil(runMs(planned, maxRps, answerMs, waitSeconds) / 60_000);
}

function runMs(planned: number, maxRps: number, answerMs: number, waitSeconds = 0): number {
  return planned * Math.max(1000 / maxRps, answerMs) + waitSeconds * 1000;
}

/** What a run will send, in one line; at most so many requests a second, 0 for no ceiling. */
export function budgetLine(planned: number, maxRps: number, answerMs = 0, waitSeconds = 0): string {
  const minutes = figure(announcedMinutes(planned, maxRps, answerMs, waitSeconds));
  const pace = maxRps === 0 ? '' : ` at ${figure(maxRps)} a second, about ${minutes} min`;
  return `About ${counted(planned, 'request')}${pace}; ${figure(roomFor(planned))} at most.`;
}

/** Least minutes that a run may take longer: what a slow service and machine add to a short one is no multiple of it. */
const leastSpareMinutes = 5;

/**
 * When a run that begins now has taken much longer than it should, twice as long if that is long; none where no duration was announced.
 * That goes by the fastest answer of before, since the first ones are slow for reasons of their own; what it should take, by their mean.
 */
export function deadlineOf(
  planned: number,
  maxRps: number,
  { fastestMs, meanMs }: { readonly fastestMs: number; readonly meanMs: number },
  waitSeconds = 0,
): Deadline | undefined {
  if (maxRps === 0) return undefined;
  const minutesBy = (answerMs: number): number => Math.max(1, announcedMinutes(planned, maxRps, answerMs, waitSeconds));
  const minutes = minutesBy(Math.max(fastestMs, meanMs));
  const takenMinutes = minutes + Math.max(minutes, leastSpareMinutes);
  return { announcedMinutes: minutesBy(fastestMs), takenMinutes, atMs: Date.now() + takenMinutes * 60_000 };
}
