import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { catalogue, isJudged, topicOf, topics } from './contract/catalogue.ts';
import { mutants } from './mutants/all.ts';

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
