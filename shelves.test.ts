import { readdirSync, readFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test, afterAll, beforeAll } from 'vitest';
import { catalogue, isJudged, topicOf, topics } from './contract/catalogue.ts';
import { mutants } from './mutants/all.ts';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { boundaries, forbiddenParts, outOfReachOfRules, parts } from './boundaries.ts';

const pinnedIds = readFileSync(new URL('contract/clause-ids.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const ids = catalogue.map(({ id }) => id);
const judged = catalogue.filter(isJudged);

function textOf(folder: string, isWanted: (file: string) => boolean): string {
  const files = readdirSync(new URL(`${folder}/`, import.meta.url)).filter(isWanted);
  return files.map((file) => readFileSync(new URL(`${folder}/${file}`, import.meta.url), 'utf8')).join('\n');
}

describe('the catalogue', () => {
  test('has exactly the ids that contract/clause-ids.txt pins', () => {
    expect(ids).toEqual(pinnedIds);
  });

  test('uses no id twice', () => {
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(catalogue)('$id is a topic and a few words', ({ id, statement, section }) => {
    expect(id).toMatch(/^[a-z]+(-[a-z0-9]+)*\.[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(section).toMatch(/^\d+(\.\d+)?$/);
    expect(statement).toMatch(/^[A-Z`].*\.$/);
    expect(statement).not.toMatch(/\bshould\b/);
  });

  test.each(topics)('%s has a file of its own that holds all of its clauses', (topic) => {
    const text = textOf('contract/clauses', (file) => file === `${topic}.ts`);
    for (const id of ids.filter((one) => topicOf(one) === topic)) expect(text).toContain(`'${id}'`);
  });
});

describe('the other shelves', () => {
  test.each(judged)('$id is checked in a spec of its topic', ({ id }) => {
    expect(textOf('specs', (file) => file.startsWith(`${topicOf(id)}.`))).toContain(`'${id}'`);
  });

  test.each(judged)('$id is broken by a mutant', ({ id }) => {
    expect(mutants.filter(({ breaks }) => breaks.some((clause) => clause === id))).not.toHaveLength(0);
  });

  test.each(catalogue.filter(({ binds }) => binds !== 'service'))(
    '$id binds clients or receivers, and ours is tested for it',
    ({ id }) => {
      expect(textOf('client', (file) => file.endsWith('.test.ts'))).toContain(`${id}:`);
    },
  );

  test('every spec file is one of a topic', () => {
    const files = readdirSync(new URL('specs/', import.meta.url)).filter((file) => file.endsWith('.spec.ts'));
    for (const file of files) expect(topics).toContain(file.split('.')[0]);
  });

  test('no mutant has the id of another, and each starts with a topic', () => {
    const mutantIds = mutants.map(({ id }) => id);
    expect(new Set(mutantIds).size).toBe(mutantIds.length);
    for (const id of mutantIds) expect(topics).toContain(topicOf(id));
  });
});

let folder = '';
let complaints = '';

const within = outOfReachOfRules.map((other) => (other.endsWith('.ts') ? `../${other}` : `../${other}/file.ts`));

/** One file a part that imports every other part, and one of the simulator's rules, linted with the project's own configuration. */
beforeAll(() => {
  folder = mkdtempSync(join(import.meta.dirname, '.boundaries-'));
  for (const part of parts) {
    const lines = parts
      .filter((other) => other !== part)
      .map((other) => `import '../${other}/file.ts';\nimport '../../${other}/deep/file.ts';`);
    mkdirSync(join(folder, part, 'deep'), { recursive: true });
    writeFileSync(join(folder, part, 'file.ts'), `${lines.join('\n')}\n`);
  }
  mkdirSync(join(folder, 'simulator/rules'));
  const lines = [...within, '../model/file.ts', '../../specs/file.ts'].map((path) => `import '${path}';`);
  writeFileSync(join(folder, 'simulator/rules/file.ts'), `${lines.join('\n')}\n`);
  for (const file of ['oxlint.config.ts', 'boundaries.ts']) {
    writeFileSync(join(folder, file), readFileSync(join(import.meta.dirname, file)));
  }
  const { stdout } = spawnSync('oxlint', ['--format=unix', '--disable-nested-config', '-c', 'oxlint.config.ts', '.'], {
    cwd: folder,
  });
  complaints = stdout.toString();
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test.each(parts)('%s may import what the table allows and nothing else', (part) => {
  for (const other of parts.filter((one) => one !== part)) {
    const isForbidden = forbiddenParts(part).includes(other);
    const complaint = `${part}/file.ts`;
    const hits = complaints
      .split('\n')
      .filter((line) => line.includes(complaint) && line.includes(`/${other}/`) && line.includes('restricted'));
    expect(hits.length, `${part} imports ${other}`).toBe(isForbidden ? 2 : 0);
  }
});

test('the rules of the simulator import nothing of it that keeps or serves', () => {
  const hits = complaints.split('\n').filter((line) => line.includes('simulator/rules/file.ts'));
  const restricted = hits.filter((line) => line.includes('restricted')).map((line) => /'(.*?)'/.exec(line)?.[1]);
  expect(new Set(restricted)).toEqual(new Set([...within, '../../specs/file.ts']));
});

test('the client and the simulator never import each other', () => {
  const ofClient: readonly string[] = boundaries.client;
  const ofSimulator: readonly string[] = boundaries.simulator;
  expect(ofClient).not.toContain('simulator');
  expect(ofSimulator).not.toContain('client');
});
