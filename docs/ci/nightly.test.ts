import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nightsForTests } from './testing/nights.ts';

const { folder, step, keptFolder } = nightsForTests();

const run = (script: string): string[] => ['run', 'Homologacao', 'sh', '-c', script];
const ending = (status: number): string[] => run(`exit ${status}`);

describe('a nightly run', () => {
  test('that is conformant or incomplete is green', () => {
    expect(step(ending(0))).toMatchObject({ status: 0, output: 'state=tested\n', stdout: '' });
  });

  test('that finds the contract broken is red', () => {
    expect(step(ending(1))).toMatchObject({ status: 1, output: 'state=tested\n', stdout: '' });
  });

  test('that could not test the target is neither: it warns, and the page says so', () => {
    const { status, stdout, output, page } = step(ending(2));
    expect({ status, output }).toEqual({ status: 0, output: 'state=untested\n' });
    expect(stdout).toMatch(/^::warning title=Homologacao was not tested::.*says nothing of the contract\.\n$/);
    expect(page).toMatch(/^\*\*Homologacao was not tested\.\*\*/);
  });

  test('that ends in no way of the suite is red', () => {
    expect(step(ending(137)).status).toBe(137);
  });

  test.each([0, 1, 2])('shows its summary on the page, with status %j', (status) => {
    expect(step(ending(status), { summary: '## Verdict\n' }).page).toMatch(/## Verdict\n$/);
  });

  test('hands each word to the command as it is', () => {
    expect(step(['run', 'Shard 1/4', 'printf', '%s|', 'a b', '$HOME']).stdout).toBe('a b|$HOME|');
  });
});

describe('what is kept from night to night', () => {
  const settings = run('echo "$NFE_HISTORY ${NFE_BASELINE-none}"');
  const night = (status: number): string[] =>
    run(`mkdir -p reports/out; echo tonight >reports/out/results.json; exit ${status}`);

  test('is the history, made in the first night', () => {
    const kept = join(folder(), 'first');
    expect(step(settings, { kept }).stdout).toBe(`${kept}/history.jsonl none\n`);
    expect(existsSync(kept)).toBe(true);
  });

  test.each([0, 1])('is the results of the night before, as the baseline, whether it was red or not (%j)', (status) => {
    const kept = keptFolder('last night');
    const { stdout } = step(settings, { kept, npm: `exit ${status}` });
    expect(stdout).toBe(`${kept}/history.jsonl ${kept}/results.json\n`);
  });

  test('is no baseline where this edition of the suite can not read it', () => {
    const kept = keptFolder('of another format');
    const npm = `echo "$*" >asked; mkdir -p "${kept}/check"; exit 2`;
    expect(step(settings, { kept, npm }).stdout).toBe(`${kept}/history.jsonl none\n`);
    expect(readFileSync(join(folder(), 'asked'), 'utf8')).toBe(
      `run report -- --from ${kept}/results.json --out ${kept}/check\n`,
    );
    expect(readdirSync(kept)).toEqual(['results.json']);
  });

  test.each([
    ['conformant', 0, 'tonight\n'],
    ['nonconformant', 1, 'tonight\n'],
    ['untested', 2, 'last night'],
    ['broken off', 137, 'last night'],
  ])('is the results of the last night that tested the target: this one is %s', (_, status, text) => {
    const kept = keptFolder('last night');
    step(night(status), { kept });
    expect(readFileSync(join(kept, 'results.json'), 'utf8')).toBe(text);
  });
});

describe('a target that could not be tested', () => {
  const earlier = ['2026-01-01', '2026-01-02'];
  const tonight = new Date().toISOString().slice(0, 10);
  const untested = run('exit 2');

  /** A folder() that tells of nights on which it could not be. */
  function afterNights(nights: readonly string[]): string {
    const kept = keptFolder('of the last night that tested it');
    writeFileSync(join(kept, 'untested'), nights.map((night) => `${night}\n`).join(''));
    return kept;
  }
  const nightsIn = (kept: string): string => readFileSync(join(kept, 'untested'), 'utf8');

  test('in two nights leaves the second one green, with a warning', () => {
    const kept = keptFolder();
    expect(step(untested, { kept })).toMatchObject({ status: 0, output: 'state=untested\n' });
    writeFileSync(join(kept, 'untested'), '2026-01-01\n');
    expect(step(untested, { kept }).status).toBe(0);
  });

  test('in three nights in a row makes the third one red, and the page says so', () => {
    const kept = afterNights(earlier);
    const { status, stdout, output, page } = step(untested, { kept });
    expect({ status, output }).toEqual({ status: 3, output: 'state=untested\n' });
    expect(stdout).toMatch(/^::error title=Homologacao was not tested for 3 nights in a row::/);
    expect(page).toMatch(/^\*\*Homologacao was not tested for 3 nights in a row\.\*\*/);
    expect(step(untested, { kept: afterNights([...earlier, '2026-01-03']) }).page).toContain('for 4 nights in a row');
  });

  test('in a night that is repeated counts once', () => {
    const kept = afterNights(['2026-01-01']);
    for (const repetition of [1, 2, 3])
      expect({ repetition, ...step(untested, { kept }) }).toMatchObject({ status: 0 });
    expect(nightsIn(kept)).toBe(`2026-01-01\n${tonight}\n`);
  });

  test.each([0, 1])('is forgotten by a night that tests it, whether that is red or not (%j)', (status) => {
    const kept = afterNights(earlier);
    step(run(`exit ${status}`), { kept });
    expect(existsSync(join(kept, 'untested'))).toBe(false);
  });

  test('counts a night without packages too', () => {
    const kept = afterNights(earlier);
    expect(step(['install'], { kept, npm: 'exit 1' })).toMatchObject({ status: 3, output: 'state=untested\n' });
  });

  test('is not counted where nothing is kept: a shard is a part of a night', () => {
    for (const night of [1, 2, 3]) expect({ night, ...step(untested) }).toMatchObject({ status: 0 });
  });
});

describe('the proof of the suite', () => {
  test('runs the mutants, and says nothing where each is caught', () => {
    const { status, stdout, output, page } = step(['mutants'], { npm: 'echo "$*" >asked' });
    expect({ status, stdout, output, page }).toEqual({ status: 0, stdout: '', output: '', page: '' });
    expect(readFileSync(join(folder(), 'asked'), 'utf8')).toBe('run mutants\n');
  });

  test.each([1, 2])('that fails is a warning: the night is neither red nor untested (%j)', (status) => {
    const ended = step(['mutants'], { npm: `exit ${status}` });
    expect(ended).toMatchObject({ status: 0, output: '' });
    expect(ended.stdout).toMatch(/^::warning title=The suite was not proven::.*says nothing of the target\.\n$/);
    expect(ended.page).toMatch(/^\*\*The suite was not proven\.\*\*/);
  });
});

describe('the packages', () => {
  test('are installed in a second try where the first one fails', () => {
    const once = 'test -e tried || { touch tried; exit 1; }';
    expect(step(['install'], { npm: once })).toMatchObject({ status: 0, output: 'state=installed\n', stdout: '' });
  });

  test('that can not be installed leave the target untested, and the night not red', () => {
    const { status, stdout, output } = step(['install'], { npm: 'exit 1' });
    expect({ status, output }).toEqual({ status: 0, output: 'state=untested\n' });
    expect(stdout).toMatch(/^::warning title=The target was not tested::The packages could not be installed/);
  });
});
