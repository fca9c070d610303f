import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, describe } from 'vitest';
import { mutantsFor, readMutantsFile } from '../runner/results/report-folder.ts';
import { mutantsText, catches, neverFailed, untold } from './record.ts';
import type { CheckOutcome, CheckResult } from '../schemas/results.ts';
import { referenceRules } from '../simulator/rules/rules.ts';
import type { Mutant } from './mutant.ts';

describe('record', () => {
  const run = {
    at: '2026-11-21T02:00:00.000Z',
    suite: { version: '0.1.0', commit: '1a2b3c4d5e6f+' },
    seed: 1729,
    mutants: 2,
    variants: 1,
    catches: [
      { mutant: 'token.a', clause: 'token.verbatim', caughtBy: ['a check'] },
      { mutant: 'token.b', clause: 'token.verbatim', caughtBy: [] },
    ],
    accused: ['a-variant token.verbatim: "…"'],
  };

  function folder(): string {
    const path = mkdtempSync(join(tmpdir(), 'nfe-mutants-'));
    onTestFinished(() => rmSync(path, { recursive: true }));
    return path;
  }

  test('what a run of the mutants writes is what a report reads', () => {
    const path = join(folder(), 'mutants.json');
    writeFileSync(path, mutantsText(run));
    expect(readMutantsFile(path)).toEqual({ format: 'nfe-conformance/mutants@1', ...run, accused: 1 });
  });

  test('a record that does not fit its schema is not written', () => {
    expect(() => mutantsText({ ...run, mutants: -1 })).toThrow(
      /mutants\.json would not fit its schema: .*mutants is -1/,
    );
  });

  test.each([
    ['of the form before', JSON.stringify({ seed: 1729, catches: run.catches })],
    ['of a later form', mutantsText(run).replace('mutants@1', 'mutants@2')],
    ['that is torn', mutantsText(run).slice(0, 60)],
  ])('a record %s is unreadable, which a report tells unless there is another one', (_, text) => {
    const [beside, own] = [folder(), join(folder(), 'mutants.json')];
    writeFileSync(join(beside, 'mutants.json'), text);
    expect(readMutantsFile(join(beside, 'mutants.json'))).toBe('unreadable');
    expect(mutantsFor(beside, own)).toBe('unreadable');
    writeFileSync(own, mutantsText(run));
    expect(mutantsFor(beside, own)).toHaveProperty('seed', run.seed);
  });

  test('a file that is not there, or is a folder, is no record', () => {
    const path = folder();
    mkdirSync(join(path, 'mutants.json'));
    expect(readMutantsFile(join(path, 'mutants.json'))).toBeUndefined();
    expect(readMutantsFile(join(path, 'none.json'))).toBeUndefined();
  });

  test('the record beside the report comes first, then the project’s own', () => {
    const [beside, own] = [folder(), join(folder(), 'mutants.json')];
    writeFileSync(own, mutantsText({ ...run, seed: 2 }));
    expect(mutantsFor(beside, own)).toHaveProperty('seed', 2);
    writeFileSync(join(beside, 'mutants.json'), mutantsText({ ...run, seed: 1 }));
    expect(mutantsFor(beside, own)).toHaveProperty('seed', 1);
    expect(mutantsFor(folder(), join(beside, 'none.json'))).toBeUndefined();
  });
});

describe('judge', () => {
  const mutant: Mutant = { id: 'echo.wrong', breaks: ['echo.status'], rules: referenceRules };

  function outcome(clause: string, name: string, state: CheckResult['state'], premise = false): CheckOutcome {
    const error = { title: name, expected: '200', actual: '201', ...(premise ? { premise: true as const } : {}) };
    const result = {
      name,
      file: 'x',
      state,
      durationMs: 0,
      cases: 1,
      assertions: 1,
      ...(state === 'failed' ? { error } : {}),
    };
    return { clause, result };
  }

  function caughtBy(...outcomes: CheckOutcome[]): readonly string[] | undefined {
    return catches([mutant], new Map([[mutant.id, outcomes]]))[0]?.caughtBy;
  }

  describe('a mutant is caught', () => {
    test('by a failed check of a clause that it breaks', () => {
      expect(caughtBy(outcome('echo.status', 'one', 'failed'))).toEqual(['one']);
    });

    test.each([
      ['a check of another clause', outcome('echo.app-key', 'one', 'failed')],
      ['a check that passed', outcome('echo.status', 'one', 'passed')],
      ['a check that was not exercised', outcome('echo.status', 'one', 'not-exercised')],
      ['a check that found only the untouched request refused', outcome('echo.status', 'one', 'failed', true)],
    ])('not by %s', (_, only) => {
      expect(caughtBy(only)).toEqual([]);
    });
  });

  test('a check is unproven until it has failed for some mutant, and not for what it builds on', () => {
    const outcomes = new Map([
      ['a', [outcome('echo.status', 'one', 'passed'), outcome('echo.status', 'two', 'failed', true)]],
      ['b', [outcome('echo.status', 'one', 'failed')]],
    ]);
    expect(neverFailed(outcomes)).toEqual(['echo.status: two']);
  });

  test('asked with more cases is each check of a clause that none failed for, and each that failed for no mutant', () => {
    const other: Mutant = { ...mutant, id: 'echo.other' };
    const [passed, failed, unproven] = [
      outcome('echo.status', 'one', 'passed'),
      outcome('echo.status', 'one', 'failed'),
      outcome('echo.status', 'two', 'passed'),
    ];
    const told = untold(
      [mutant, other],
      new Map([
        [mutant.id, [passed]],
        [other.id, [failed, unproven]],
      ]),
    );
    expect([...told]).toEqual([
      [mutant.id, [{ clause: 'echo.status', check: 'one' }]],
      [other.id, [{ clause: 'echo.status', check: 'two' }]],
    ]);
  });
});
