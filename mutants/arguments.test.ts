import { describe, expect, test } from 'vitest';
import { readMutantsArguments } from './arguments.ts';
import { breaches } from './wire/wire.ts';
import { trialsFor } from './wire/trials.ts';
import { chosenFor, surveyWishes } from './wishes.ts';

function asked(line: string): ReturnType<typeof readMutantsArguments> {
  return readMutantsArguments(line.split(' '));
}

describe('the command line is refused', () => {
  test.each([
    ['--mutant signature.uncheckd', /no mutant is called that; did you mean signature\.unchecked\?/],
    ['--clause echo.statu', /no judged clause is called that; did you mean echo\.status\?/],
    ['--wire --breach nfe-cancellation.with-conten', /did you mean nfe-cancellation\.with-content\?/],
    ['--mutant zzz', /no mutant is called that; .*see the folder mutants/],
    ['--rate 5', /go with --wire/],
    ['--wire --clause echo.status', /without --wire/],
    ['--wire --rate 5 --nodes 2', /give one of them/],
    ['--wire --rate 0', /--rate takes a number from 0\.1 to 100, not 0/],
    ['--wire --seeds many', /--seeds takes a number/],
    ['--sample 5', /go with --survey/],
    ['--survey --sample none', /--sample takes a number/],
    ['--mutant echo.bare --clause token.verbatim', /breaks none of the clauses/],
    ['--combine 0', /--combine takes a number from 1 to 1000, not 0/],
    ['--combine 2 --survey --clause echo.status', /--combine takes the place of/],
    ['--frobnicate', /npm run mutants -- --help lists the options/],
  ])('%s', (line, why) => {
    expect(() => asked(line)).toThrow(why);
  });
});

describe('of the mutants', () => {
  test('a clause picks those that break it, and only its checks, of the variants as well', () => {
    const { mutants, variants, wishes, isAll, isProof } = chosenFor(asked('--clause echo.status'));
    expect(mutants.map(({ breaks }) => breaks)).toEqual(mutants.map(() => ['echo.status']));
    expect(new Set(wishes.flatMap(({ clauses }) => clauses))).toEqual(new Set(['echo.status']));
    expect(wishes).toHaveLength(mutants.length + variants.length);
    expect([isAll, isProof]).toEqual([false, true]);
  });

  test('combinations of variants take the place of mutants', () => {
    const { mutants, wishes, isAll, isProof } = chosenFor(asked('--combine 3 --clause echo.status'));
    expect([mutants.length, wishes.length, isAll, isProof]).toEqual([0, 3, false, false]);
    expect(wishes.flatMap(({ clauses }) => clauses)).toEqual(['echo.status', 'echo.status', 'echo.status']);
  });

  test('a name picks that one with all that it breaks', () => {
    const { wishes, isProof } = chosenFor(asked('--mutant signature.unchecked'));
    expect(wishes.map(({ id }) => id)).toEqual(['signature.unchecked']);
    expect(wishes[0]?.clauses).toContain('signature.path-bound');
    expect(isProof).toBe(false);
  });
});

test('a survey judges everything of the mutants that are asked for, or of a sample that is the same each time', () => {
  const { survey, ...named } = asked('--mutant signature.unchecked --survey');
  const [wish] = surveyWishes(chosenFor(named).mutants, survey?.sample);
  expect(wish?.clauses.length).toBeGreaterThan(200);
  const drawn = (): string[] => surveyWishes(chosenFor(asked('--survey')).mutants, 5).map(({ id }) => id);
  expect(drawn()).toHaveLength(5);
  expect(drawn()).toEqual(drawn());
});

test('wires are tried at a rate of 10 percent, all of them once; otherwise as asked', () => {
  const wire = asked('--wire').wire;
  expect(wire && trialsFor(wire).map(({ when }) => when.name)).toEqual(breaches.map(() => '10 %'));
  const nodes = asked('--wire --breach signature.any-taken --nodes 2 --seeds 2').wire;
  expect(nodes && trialsFor(nodes).map(({ when, seed }) => [when.name, seed])).toEqual([
    ['1 of 2 nodes, round-robin', 1],
    ['1 of 2 nodes, round-robin', 2],
    ['1 of 2 nodes, random', 1],
    ['1 of 2 nodes, random', 2],
    ['1 of 2 nodes, sticky', 1],
    ['1 of 2 nodes, sticky', 2],
  ]);
});
