import { catalogue, isJudged, topicOf } from '../../contract/catalogue.ts';
import type { Node } from '../../schemas/finding.ts';
import type { Results } from '../../schemas/results.ts';
import { perConnectionToServer } from '../../targets/address.ts';
import type { WireAsked } from '../arguments.ts';
import { accusedIn, letLoose, type Wish } from '../let-loose.ts';
import { type Breach, atRate, balancings, oneNodeOf, type When } from './breach.ts';
import { breaches, wireOf } from './wire.ts';

/** One run over a wire that breaks. */
interface WireTrial {
  readonly breach: Breach;
  readonly when: When;
  readonly seed: number;
}

/** What came of it. */
interface WireResult extends WireTrial {
  /** What went out wrong, one line each. */
  readonly wrong: readonly string[];
  readonly verdict: Results['verdict'];
  readonly accused: readonly string[];
  /** Whether a clause that the breach breaks is among the accused. */
  readonly isNamed: boolean;
  /** By what its node is told, where it is. */
  readonly nodes: readonly Node[];
}

/** Each breach, whenever it is asked for, with each seed. */
export function trialsFor({ breaches: names, rates, nodes, seeds }: WireAsked): readonly WireTrial[] {
  const whens = [...rates.map(atRate), ...nodes.flatMap((count) => balancings.map((turn) => oneNodeOf(count, turn)))];
  return breaches
    .filter(({ id }) => names.length === 0 || names.includes(id))
    .flatMap((breach) =>
      whens.flatMap((when) => Array.from({ length: seeds }, (_, nth) => ({ breach, when, seed: nth + 1 }))),
    );
}

/** Cases, shrinks and repetitions of a run against a sandbox. */
const asOnSandbox = {
  numRuns: 10,
  mostShrinks: 50,
  repetitions: 3,
  perConnection: perConnectionToServer,
  mostAgain: 300,
};

/** So many simulators at once: each is a server with a database. */
const mostAtOnce = 48;

/**
 * Makes the runs: of the checks of the topics that a breach is met in, or of all; `tell` hears of what there is so far. Throws
 * where the suite itself breaks.
 */
export async function wireResults(
  trials: readonly WireTrial[],
  isWhole: boolean,
  tell: (results: readonly WireResult[]) => void,
): Promise<readonly WireResult[]> {
  const results: WireResult[] = [];
  for (let from = 0; from < trials.length; from += mostAtOnce) {
    results.push(...(await batch(trials.slice(from, from + mostAtOnce), isWhole)));
    tell(results);
  }
  return results;
}

async function batch(trials: readonly WireTrial[], isWhole: boolean): Promise<readonly WireResult[]> {
  const wires = trials.map((trial) => ({ trial, id: idOf(trial), ...wireOf(trial.breach, trial.when, trial.seed) }));
  const wishes = wires.map(({ id, trial, rules }): Wish => {
    return { id, rules, clauses: clausesFor(trial.breach, isWhole), seed: trial.seed, ...asOnSandbox };
  });
  const { results, faults } = await letLoose(wishes);
  if (faults.length > 0) throw new Error(`the suite broke: ${faults.join('; ')}`);
  return wires.flatMap(({ trial, id, sent }) => {
    const result = results.get(id);
    return result ? [wireResult(trial, sent, result)] : [];
  });
}

function idOf({ breach, when, seed }: WireTrial): string {
  return `${breach.id} ${when.name} seed ${seed}`;
}

function wireResult(trial: WireTrial, wrong: readonly string[], results: Results): WireResult {
  const accused = accusedIn(results);
  const { breaks } = trial.breach;
  const nodes = (results.findings ?? []).flatMap(({ node }) => node ?? []);
  const isRight = (id: string): boolean => breaks.some((broken) => broken === id || broken === topicOf(id));
  return { ...trial, wrong: [...wrong], verdict: results.verdict, accused, isNamed: accused.some(isRight), nodes };
}

function clausesFor({ breaks, met = [] }: Breach, isWhole: boolean): string[] {
  const topics = new Set<string>([...breaks.map((broken) => broken.split('.')[0] ?? ''), ...met]);
  return catalogue.flatMap((clause) =>
    isJudged(clause) && (isWhole || topics.has(topicOf(clause.id))) ? clause.id : [],
  );
}

/** Whether something wrong went out and was not reported as what it is. */
export function isMissed({ wrong, verdict, isNamed }: WireResult): boolean {
  return wrong.length > 0 && !(verdict === 'nonconformant' && isNamed);
}

/** The table of breaches and of when they happen, with a line for each run that missed one, and a line that sums it up. */
export function wireLines(results: readonly WireResult[]): readonly string[] {
  const whens = [...new Set(results.map(({ when }) => when.name))];
  const rows = [...Map.groupBy(results, ({ breach }) => breach.id)].map(([id, own]) => [
    id,
    ...whens.map((name) => cell(own.filter(({ when }) => when.name === name))),
  ]);
  const missed = results.filter(isMissed);
  const broken = results.filter(({ wrong }) => wrong.length > 0);
  const answers = broken.reduce((sum, { wrong }) => sum + wrong.length, 0);
  return [
    'Each cell: runs that reported a breach, of those in which something wrong went out (what went out wrong in all of them)',
    ...aligned([['breach', ...whens], ...rows]),
    ...missed.map(missedLine),
    ...nodeLines(broken),
    `${results.length} runs, ${broken.length} with ${answers} wrong answers or deliveries, ${missed.length} unreported`,
  ];
}

function cell(results: readonly WireResult[]): string {
  const broken = results.filter(({ wrong }) => wrong.length > 0);
  const sent = broken.reduce((sum, { wrong }) => sum + wrong.length, 0);
  if (broken.length === 0) return '-';
  return `${broken.filter((result) => !isMissed(result)).length}/${broken.length} (${sent})`;
}

/** Of runs with a bad node, a line each balancer: in how many it was told which one, by what it was told. */
function nodeLines(broken: readonly WireResult[]): readonly string[] {
  const ofNodes = broken.filter(({ when }) => when.isNode);
  return [...Map.groupBy(ofNodes, ({ when }) => when.name)].map(([name, own]) => {
    const told = own.flatMap(({ nodes }) => nodes[0]?.by ?? []);
    const by = [...Map.groupBy(told, (way) => way)].map(([way, all]) => `${way} ${all.length}`);
    return `${name}: node told in ${told.length} of ${own.length} runs${by.length === 0 ? '' : ` (${by.join(', ')})`}`;
  });
}

function missedLine({ breach, when, seed, wrong, verdict, accused }: WireResult): string {
  const others = accused.length === 0 ? 'nobody accused' : `accused: ${accused.join(', ')}`;
  return `missed: ${breach.id}, ${when.name}, seed ${seed}: ${wrong.length} wrong, ${verdict}, ${others}; first: ${wrong[0]}`;
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
