import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { catalogue, isJudged, isWithin } from '../contract/catalogue.ts';
import type { Cost } from '../contract/endpoints.ts';
import { parseArgs } from 'node:util';
import { mutants } from '../mutants/all.ts';
import { parsedOrRefused } from '../runner/command-line/argument-error.ts';
import { readTrace } from '../runner/judging/trace-file.ts';
import { orderTable, type Order } from '../runner/plan/purchase.ts';
import {
  pictureOf,
  type OrderedChecks,
  heldOutCurves,
  meanShareAt,
  randomCurves,
  weightsOf,
  type Learnt,
  tellingOrder,
} from './costs/order.ts';
import { learn, lessonsIn, type Lesson } from './costs/lessons.ts';
import { fitted, measure, slowChecks, type Measuring, type Seen } from './costs/measure.ts';
import { type CostTable, type MeasuredCheck, type CallingWay, questionsIn } from '../runner/plan/costs.ts';

/** What `--help` prints. */
export const usage = `npm run costs -- [--learn FILE] [--order TRACE]

Measures what every check sends and leaves behind, at the simulator reached as a sandbox: by one application with all
credentials and a receiver, and by a control API. Writes runner/plan/costs.json, which the plan of a run is made from.
Takes some minutes.

  --order TRACE  measure nothing, and write runner/plan/order.json, the order in which a budget buys checks: those first that
                 show most for what they sent in this trace.ndjson.gz, of a run with NFE_NUM_RUNS=1 and --budget 100000
                 (repeatable: one with a control API, and one without)
  --learn FILE   let each check make one case on each mutant that a secret alone may find, and write into FILE which of them see it;
                 goes on where it was cut off. Takes half an hour
  --lessons FILE beside --order: checks that saw mutants that no check before saw come first. Prints how many of the mutants that
                 were not learnt from are found out, and draws docs/first-look.svg
  --help         print this`;

const usageLine = usage.split('\n', 1).join('');

function parse(words: readonly string[]) {
  const file = { type: 'string' } as const;
  return parseArgs({ args: [...words], options: { order: { ...file, multiple: true }, learn: file, lessons: file } })
    .values;
}

const path = fileURLToPath(new URL('../runner/plan/costs.json', import.meta.url));
const picturePath = fileURLToPath(new URL('../docs/first-look.svg', import.meta.url));
const orderPath = fileURLToPath(new URL('../runner/plan/order.json', import.meta.url));

const clauses = catalogue.filter(isJudged).map(({ id }) => id);
const few = 3;
const many = 60;
const firstSeed = 20_260_904;
/** Seeds by which checks are seen whose cases stay few: what one seed draws says little of the next. */
const furtherSeeds = [1, 2, 3, 4, 5];

/** What the checks of one way cost. */
interface Measured {
  readonly questions: number;
  readonly shares: Seen['shares'];
  readonly rows: Map<string, MeasuredCheck>;
}

/** Measures the checks of one way. */
async function measured(way: CallingWay): Promise<Measured> {
  const seen = async (some: Partial<Measuring>): Promise<Seen> => {
    const asked = { way, numRuns: few, isPolite: true, seed: firstSeed, clauses, ...some };
    const found = await measure(asked);
    process.stdout.write(`${way}: ${found.checks.size} checks by ${asked.numRuns} cases, seed ${asked.seed}\n`);
    return found;
  };
  const a = await seen({});
  const b = await seen({ numRuns: many });
  const impolite = await seen({ isPolite: false });
  const [moreOfA, moreOfB]: [Seen[], Seen[]] = [[], []];
  const kept = keptFew(b);
  for (const seed of kept.length === 0 ? [] : furtherSeeds) {
    moreOfA.push(await seen({ seed, clauses: kept }));
    moreOfB.push(await seen({ seed, clauses: kept, numRuns: many }));
  }
  const rows = [...a.checks.keys()].map((key): [string, MeasuredCheck] => {
    const of = (all: readonly Seen[]) => all.flatMap(({ checks }) => checks.get(key) ?? []);
    const [extra] = of([impolite]);
    return [
      key,
      fitted({ few: of([a, ...moreOfA]), many: of([b, ...moreOfB]), ...(extra ? { impolite: extra } : {}) }),
    ];
  });
  return { questions: questionsIn(a.setUp), shares: a.shares, rows: new Map(rows) };
}

/** The clauses of which a check had many cases to try and tried few, since each leaves something behind. */
function keptFew({ checks }: Seen): string[] {
  const capped = [...checks.values()].filter((check) => check.examples + check.generated < many && check.generated > 1);
  return [...new Set(capped.map(({ clause }) => clause))];
}

/** A check that waits for real minutes: what it sends where it need not, but for the company and the address of its own. */
function withoutSetUp(row: MeasuredCheck): MeasuredCheck {
  const { companies = [], certificates = [], addresses = [], requests = [], ...rest } = row;
  const setUp = [companies, certificates, addresses];
  return {
    ...rest,
    requests: requests.map((count, at) => setUp.reduce((left, kind) => left - (kind[at] ?? 0), count)),
  };
}

/** Measures what every check costs, in both ways, and writes the table; gives the exit status. */
export async function run(words: readonly string[]): Promise<number> {
  const { order = [], learn: into, lessons } = parsedOrRefused(() => parse(words), `usage: ${usageLine}`);
  if (into !== undefined) return learnInto(into);
  if (order.length > 0) return writeOrder(order, lessons === undefined ? [] : lessonsIn(lessons));
  const one = await measured('oneApplication');
  const own = await measured('ownApplications');
  for (const key of await slowChecks(clauses)) {
    const row = own.rows.get(key);
    if (row) one.rows.set(key, withoutSetUp(row));
  }
  const keys = [...new Set([...one.rows.keys(), ...own.rows.keys()])].sort();
  const checks = keys.map((key): readonly [string, CostTable['checks'][string]] => {
    const [oneApplication, ownApplications] = [one.rows.get(key), own.rows.get(key)];
    return [key, { ...(oneApplication ? { oneApplication } : {}), ...(ownApplications ? { ownApplications } : {}) }];
  });
  const shares = [...one.shares].map(([name, cost]) => [name, withoutZeros(cost)] as const);
  const questions = { oneApplication: one.questions, ownApplications: own.questions };
  writeFileSync(path, tableText({ questions, shares: objectOf(shares), checks: objectOf(checks) }));
  process.stdout.write(`${keys.length} checks measured\n`);
  return 0;
}

/** Writes the order in which a budget buys checks, for each way that a trace shows. A clause counts for as many mutants as break it. */
function writeOrder(traces: readonly string[], lessons: readonly Lesson[]): number {
  const weights = weightsOf(mutants);
  const orders = traces.map((path): [CallingWay, Order] => {
    const { head, lines } = readTrace(path);
    const way = head.facts.target.control ? 'ownApplications' : 'oneApplication';
    const order = tellingOrder(lines, { weights, lessons });
    if (way === 'oneApplication' && lessons.length > 0) drawCurves({ lines, mutants, lessons }, order);
    return [way, objectOf(order)];
  });
  writeFileSync(orderPath, `${JSON.stringify({ ...orderTable, ...objectOf(orders) }, null, 2)}\n`);
  for (const [way, order] of orders) process.stdout.write(`${way}: ${Object.keys(order).length} checks in order\n`);
  return 0;
}

/** Requests of checks in a first look: what is asked before the first check is apart. */
const ofFirstLook = 120;
const mostDrawn = 500;

/** Tells how many mutants an order finds out that it was not made from, beside one by lot, and draws both. */
function drawCurves(learnt: Learnt, order: OrderedChecks): void {
  const others = randomCurves(order, learnt.lessons);
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  for (const split of ['half of the mutants, by lot', 'half of the topics'] as const) {
    const curves = heldOutCurves(learnt, split);
    const share = meanShareAt(curves, ofFirstLook);
    process.stdout.write(
      `not learnt from (${split}): ${percent(share)} found out with ${ofFirstLook} requests of checks\n`,
    );
  }
  process.stdout.write(`by lot: ${percent(meanShareAt(others, ofFirstLook))}\n`);
  const halves = heldOutCurves(learnt, 'half of the mutants, by lot');
  const curves = [
    { name: 'in the order that was learnt from the other half', shareAt: (sent: number) => meanShareAt(halves, sent) },
    { name: 'in an order by lot', shareAt: (sent: number) => meanShareAt(others, sent) },
  ];
  writeFileSync(picturePath, pictureOf(curves, mostDrawn));
}

/** Lets each check make one case on each mutant that a secret alone may find. */
async function learnInto(file: string): Promise<number> {
  const within = new Set<string>(
    catalogue.filter((clause) => clause.level === 'must' && isWithin(clause, 'secret')).map(({ id }) => id),
  );
  const teachers = mutants.filter(({ breaks }) => breaks.some((id) => within.has(id)));
  const lessons = await learn(teachers, 'oneApplication', file);
  process.stdout.write(
    `${lessons.length} mutants, of which ${lessons.filter(({ seenBy }) => seenBy.length > 0).length} were seen\n`,
  );
  return 0;
}

function objectOf<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries);
}

function withoutZeros(cost: Cost): Partial<Cost> {
  return objectOf(Object.entries(cost).filter(([, count]) => count !== 0));
}

/** A line a check and way, so that a change of one is seen for itself. */
function tableText({ questions, shares, checks }: CostTable): string {
  const object = (indent: string, entries: readonly (readonly [string, string])[]): string =>
    entries.length === 0
      ? '{}'
      : `{\n${entries.map(([name, text]) => `${indent}  ${JSON.stringify(name)}: ${text}`).join(',\n')}\n${indent}}`;
  const spaced = (value: object): string => JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ');
  const lines = (indent: string, value: object): string =>
    object(
      indent,
      Object.entries(value).map(([name, row]: [string, object]) => [name, spaced(row)]),
    );
  return `${object('', [
    ['questions', JSON.stringify(questions)],
    ['shares', lines('  ', shares)],
    [
      'checks',
      object(
        '  ',
        Object.entries(checks).map(([key, ways]) => [key, lines('    ', ways)]),
      ),
    ],
  ])}\n`;
}
