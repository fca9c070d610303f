import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ArgumentError, parsedOrRefused } from '../runner/command-line/argument-error.ts';
import { suiteFacts } from '../runner/run/run-facts.ts';
import { underLoad, type LoadReport } from './load.ts';
import { isReached, tableText, type Row } from './measure.ts';
import { print } from '../runner/command-line/print.ts';

/** What `--help` prints. */
export const usage = `npm run bench -- [options]

Measures the simulator and the suite against limits of the same run, by turns: a bare node:http server, undici alone, parsing
and hashing, signing, or a goal in seconds. Prints a table and writes it to reports/out/bench.json. Takes some four minutes.
Ends with 0 whatever is reached: figures are for people to judge.

  --only WORD   only the chapters whose name has this word: documents, start, gateway, suite, growth, clock
  --full        with a million invoices and 100,000 pending deliveries as well: half an hour, and 9 GB of disk
  --others      only against Prism, Mockoon and WireMock, which npm installs into a folder that goes away again
  --load        only 200 integrators at a time for 60 s, judged by the suite; ends with 1 where anything is wrong
  --seconds N   of such a load
  --out FILE    write it there
  --help        print this`;

const options = {
  only: { type: 'string' },
  full: { type: 'boolean', default: false },
  others: { type: 'boolean', default: false },
  load: { type: 'boolean', default: false },
  seconds: { type: 'string', default: '60' },
  out: { type: 'string', default: 'reports/out/bench.json' },
} as const;

type Chapter = (isFull: boolean) => Promise<readonly Row[]>;

/** The chapters by their names; each loads what it needs. */
const chapters: Readonly<Record<string, Chapter>> = {
  documents: async () => (await import('./simulator.ts')).documentRows(),
  start: async () => (await import('./simulator.ts')).startRows(),
  gateway: async () => (await import('./simulator.ts')).gatewayRows(),
  suite: async () => (await import('./suite.ts')).suiteRows(),
  growth: async (isFull) =>
    (await import('./growth.ts')).growthRows(isFull ? [10_000, 100_000, 1_000_000] : [10_000, 100_000]),
  clock: async (isFull) => (await import('./growth.ts')).ladderRows(isFull ? [10_000, 100_000] : [10_000]),
};

/** Integrators at a time of a load. */
const integrators = 200;

/** What `npm run bench` does; gives the exit status. */
export async function run(words: readonly string[]): Promise<number> {
  const { values } = parsedOrRefused(
    () => parseArgs({ args: [...words], options }),
    `usage: ${usage.split('\n', 1).join('')}`,
  );
  if (values.load) return load(secondsOf(values.seconds), values.out);
  const chosen = chaptersOf(values.only);
  const rows: Row[] = [];
  if (values.others) {
    const { otherRows } = await import('./others.ts');
    rows.push(...(await otherRows(print)));
  } else {
    for (const [name, chapter] of chosen) {
      process.stderr.write(`${name} ...\n`);
      rows.push(...(await chapter(values.full)));
    }
  }
  print(tableText(rows));
  write(values.out, { rows: rows.map((row) => ({ ...row, isReached: isReached(row) })) });
  return 0;
}

function chaptersOf(word = ''): readonly (readonly [string, Chapter])[] {
  const chosen = Object.entries(chapters).filter(([name]) => name.includes(word));
  if (chosen.length > 0) return chosen;
  throw new ArgumentError(
    `--only ${word}: no chapter has this in its name; there are ${Object.keys(chapters).join(', ')}`,
  );
}

function secondsOf(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new ArgumentError(`--seconds takes how long the load lasts, such as 60, not ${text}`);
}

async function load(seconds: number, out: string): Promise<number> {
  const report = await underLoad(integrators, seconds);
  print(loadLines(report).join('\n'));
  write(join(dirname(out), 'bench-load.json'), { ...report });
  return report.failures === 0 && report.broken.length === 0 ? 0 : 1;
}

function loadLines({ memory, broken, ...report }: LoadReport): string[] {
  return [
    `${integrators} integrators at a time: ${report.lifeCycles} life cycles, ${report.requests} requests, ${report.deliveries} deliveries`,
    `answered in ${report.medianMs.toFixed(0)} ms at the median, 99 % in ${report.p99Ms.toFixed(0)} ms; 5xx or none: ${report.failures}`,
    `memory of the simulator: ${memory.early.toFixed(0)} MiB after a third of the time, ${memory.end.toFixed(0)} MiB at its end`,
    `the suite's judge: ${report.held} clauses kept, ${broken.length} broken`,
    ...broken.map((line) => `  ${line}`),
  ];
}

function write(path: string, found: object): void {
  mkdirSync(dirname(path), { recursive: true });
  const at = new Date().toISOString();
  const machine = { node: process.version, processors: cpus().map(({ model }) => model) };
  writeFileSync(path, `${JSON.stringify({ at, suite: suiteFacts(), machine, ...found }, null, 2)}\n`);
  print(`written to ${path}`);
}
