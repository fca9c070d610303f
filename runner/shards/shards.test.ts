import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { catalogue, isJudged } from '../../contract/catalogue.ts';
import { readArguments, filterText, selectClauses } from '../command-line/arguments.ts';
import { clausesOfShard, readShard } from './shards.ts';

const judged = catalogue.filter(isJudged);

const counts = fc.integer({ min: 1, max: 100 });

function shardsOf(count: number): ReturnType<typeof clausesOfShard>[] {
  return Array.from({ length: count }, (_, position) => clausesOfShard(catalogue, { index: position + 1, count }));
}

test('every clause is in exactly one shard', () => {
  fc.assert(
    fc.property(counts, (count) => {
      const ids = shardsOf(count).flatMap((clauses) => clauses.map(({ id }) => id));
      expect(ids.toSorted()).toEqual(catalogue.map(({ id }) => id).toSorted());
    }),
  );
});

test('shards differ by one judged clause at most, and keep the order of the catalogue', () => {
  fc.assert(
    fc.property(counts, (count) => {
      const shards = shardsOf(count);
      const sizes = shards.map((clauses) => clauses.filter(isJudged).length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      for (const clauses of shards) expect(clauses).toEqual(catalogue.filter((clause) => clauses.includes(clause)));
    }),
  );
});

test('what no run judges is listed by the first shard', () => {
  const [first = [], ...others] = shardsOf(3);
  expect(first.filter((clause) => !isJudged(clause))).toHaveLength(catalogue.length - judged.length);
  expect(others.flat().every(isJudged)).toBe(true);
});

test('the clauses that a filter leaves are divided', () => {
  const asked = (shard: string) => selectClauses(readArguments(['--topic', 'echo', '--shard', shard]));
  const ids = [...asked('1/2'), ...asked('2/2')].map(({ id }) => id);
  expect(ids.toSorted()).toEqual(
    selectClauses(readArguments(['--topic', 'echo']))
      .map(({ id }) => id)
      .toSorted(),
  );
});

test('the filter of a shard says which it is', () => {
  expect(filterText(readArguments(['--topic', 'echo', '--shard', '2/3']))).toBe('--topic echo --shard 2/3');
});

describe('one line refuses', () => {
  test.each([
    ['', /--shard takes a part and the number of parts, such as 1\/4, not /],
    ['1', /such as 1\/4, not 1/],
    ['1/4/2', /such as 1\/4, not 1\/4\/2/],
    ['-1/4', /such as 1\/4, not -1\/4/],
    ['1.5/4', /such as 1\/4, not/],
    ['0/4', /the part is one of 1 to 4/],
    ['5/4', /the part is one of 1 to 4/],
    ['1/0', /a run has 1 to 100 parts/],
    ['1/101', /a run has 1 to 100 parts/],
  ])('the shard "%s"', (text, message) => {
    expect(() => readShard(text)).toThrow(message);
  });

  test.each([
    ['--check', ['--check', 'any', '--clause', 'token.verbatim']],
    ['--path', ['--path', '0:1', '--seed', '1', '--clause', 'token.verbatim']],
  ])('a shard with %s', (_, words) => {
    expect(() => readArguments([...words, '--shard', '1/2'])).toThrow(/it goes with neither --check nor --path/);
  });

  test('more shards than clauses to judge', () => {
    const asked = readArguments(['--clause', 'token.verbatim', '--shard', '2/2']);
    expect(() => selectClauses(asked)).toThrow(/--shard 2\/2: only 1 of the clauses asked for can be judged/);
  });
});
