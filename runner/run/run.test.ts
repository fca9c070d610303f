import { describe, expect, test } from 'vitest';
import { strayChecks, toldOnce } from './run-specs.ts';
import { closeVitest, openVitest, together } from './vitest.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { newFolder } from '../testing/folders.ts';
import { keepContainerLog } from './start-target.ts';
import { execFileSync, spawn } from 'node:child_process';
import { catalogue } from '../../contract/catalogue.ts';
import { foreignAddress } from '../../targets/testing/server.ts';
import { readArguments } from '../command-line/arguments.ts';
import { commitOf, mayBeAbreast } from './run-facts.ts';
import { plainRun } from '../../targets/plain-run.ts';

test('a check stands in a file of its topic, else --clause would never load it', () => {
  const file = 'webhook-delivery.issuance.spec.ts';
  expect(strayChecks([{ clause: 'webhook-delivery.event-id-stable', file }])).toEqual([]);
  const stray = { clause: 'webhook-url.called-exactly', file };
  expect(strayChecks([stray, stray])).toEqual([
    'webhook-delivery.issuance.spec.ts: a check of webhook-url.called-exactly belongs into the spec of its topic',
  ]);
});

test('what broke many checks is told once, with the first of them', () => {
  const broken = (check: string, fault: string) => ({ check, fault });
  expect(toldOnce([broken('a', 'port in use'), broken('b', 'asserted nothing'), broken('c', 'port in use')])).toEqual([
    'a (and 1 more): port in use',
    'b: asserted nothing',
  ]);
});

test('the log of a container that can’t be written costs a warning of one line', async () => {
  const [folder, lines]: [string, string[]] = [newFolder(), []];
  mkdirSync(join(folder, 'container.log'));
  await keepContainerLog(folder, 'listening\n', (line) => lines.push(line));
  expect(lines).toEqual([
    `warning: container.log can't be written to ${folder} (EISDIR); the verdict of this run stands\n`,
  ]);
});

const sandbox = foreignAddress('http://127.0.0.1:9');

describe('the checks of all spec files as those of one', () => {
  const shared = { channel: 'c', url: 'http://127.0.0.1:8/a', token: 't' };
  const webhook = { ...sandbox.webhook, shared, verificationUrl: 'http://127.0.0.1:8/b' };
  const run = plainRun({ ...sandbox, webhook }, { name: 'r', clauses: catalogue.map(({ id }) => id), isAbreast: true });

  /** What vitest is told of the checks in these files: the spec file, the clause and whether others go on beside it. */
  async function told(...files: readonly string[]) {
    const vitest = await openVitest();
    try {
      vitest.provide('runs', [run]);
      const { testModules } = await vitest.collect([...files], { staticParse: false });
      return testModules.flatMap((module) =>
        [...module.children.allTests()].map((check) => {
          const { file = basename(module.moduleId), clause = '' } = check.meta();
          return { file, name: check.name, clause, isAbreast: check.options.concurrent === true };
        }),
      );
    } finally {
      await closeVitest(vitest);
    }
  }

  test('are the same ones, each of its file; those that others would disturb come last, one after the other', async () => {
    const [apart, checks] = [await told('.spec.ts'), await told(together)];
    const named = (some: typeof checks): string[] => some.map(({ file, name }) => `${file} ${name}`).toSorted();
    expect(named(checks)).toEqual(named(apart));
    const firstInTurn = checks.findIndex(({ isAbreast }) => !isAbreast);
    expect(checks.slice(firstInTurn).filter(({ isAbreast }) => isAbreast)).toEqual([]);
    const inTurn = new Set(checks.slice(firstInTurn).map(({ clause }) => clause));
    const hearing = catalogue.filter(({ needs }) => needs?.includes('verification-webhook')).map(({ id }) => id);
    expect([...inTurn]).toEqual(expect.arrayContaining(hearing));
    expect(
      [...inTurn].filter((id) => !/^(?:verdict-event|webhook-|nfe-verification|chave-lookup|encoding)/.test(id)),
    ).toEqual([]);
  });
});

test.each([
  ['go on while others wait for an answer of a target that nobody steers', [], sandbox, true],
  ['wait for one another where a budget is kept exactly', ['--budget', '150'], sandbox, false],
  ['wait for one another in a part of the suite', ['--topic', 'token'], sandbox, false],
  [
    'wait for one another where a control API makes their applications',
    [],
    { ...sandbox, control: { url: 'http://127.0.0.1:9', token: 't' } },
    false,
  ],
  [
    'go on while others wait at the simulator that the run starts inside itself',
    [],
    { ...sandbox, kind: 'embedded' as const, control: { url: 'http://127.0.0.1:9', token: 't' } },
    true,
  ],
])('checks %s', (_, words, address, expected) => {
  expect(mayBeAbreast(readArguments(words), address)).toBe(expected);
});

/** A repository with one commit of one file. */
function repository(): string {
  const folder = newFolder();
  const git = (...words: readonly string[]): void => void execFileSync('git', ['-C', folder, ...words]);
  writeFileSync(join(folder, 'file'), 'one');
  git('init', '--quiet');
  git('add', 'file');
  git('-c', 'user.name=n', '-c', 'user.email=e', 'commit', '--quiet', '--message', 'one');
  return folder;
}

test('a suite that was checked out is at the commit of its repository, and + says that files were changed', () => {
  const folder = repository();
  expect(commitOf(folder)).toMatch(/^[0-9a-f]{12}$/);
  writeFileSync(join(folder, 'untracked'), 'two');
  expect(commitOf(folder)).toMatch(/^[0-9a-f]{12}$/);
  writeFileSync(join(folder, 'file'), 'two');
  expect(commitOf(folder)).toMatch(/^[0-9a-f]{12}\+$/);
});

test('a suite inside somebody else’s repository, or in none, is at no commit', () => {
  const inside = join(repository(), 'inside');
  mkdirSync(inside);
  expect(commitOf(inside)).toBeUndefined();
  expect(commitOf(newFolder())).toBeUndefined();
});

const module = JSON.stringify(join(import.meta.dirname, 'own-process.ts'));

/** Runs a program in which `heedSignals` is at hand, and sends a signal each time it prints "ready"; tells how it ended. */
function ended(program: string, signal: NodeJS.Signals): Promise<readonly [string, number | string | null]> {
  const source = `import { heedSignals, Interrupted, stopInTime } from ${module}; ${program}`;
  const child = spawn('node', ['--input-type=module', '--eval', source]);
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += String(chunk);
    if (String(chunk).endsWith('ready ')) child.kill(signal);
  });
  return new Promise((resolve) => {
    child.on('close', (status, by) => resolve([printed.replaceAll('ready ', ''), by ?? status]));
  });
}

const say = `const say = (text) => process.stdout.write(text + ' ');`;
const hang = `setInterval(() => {}, 1000);`;

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'the first %s breaks work off, and the second ends it',
  async (signal) => {
    const program = `${say} ${hang}
    const { guard } = heedSignals((signal) => say(signal));
    try {
      await guard(() => { say('ready'); return new Promise(() => {}); });
    } catch (error) {
      say(error instanceof Interrupted ? 'interrupted' : 'broken');
    }
    await guard(() => say('never')).catch(() => say('not begun'));
    say('ready');`;
    expect(await ended(program, signal)).toEqual([`${signal} interrupted not begun `, signal]);
  },
);

test('what does not stop in time is left alone where somebody wants an end', async () => {
  const program = `${say} ${hang}
    const interruption = heedSignals(() => {});
    say('ready');
    await interruption.happened;
    await stopInTime([() => new Promise(() => {})], interruption);
    say('over');
    process.exit(2);`;
  expect(await ended(program, 'SIGINT')).toEqual(['over ', 2]);
});
