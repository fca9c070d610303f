import { describe, expect, test } from 'vitest';
import { ledgerMemory, openLedger } from '../../targets/traffic/ledger.ts';
import type { RunFacts } from '../../reports/judge.ts';
import { foreignAddress } from '../../targets/testing/foreign-address.ts';
import { readArguments } from '../command-line/arguments.ts';
import { factsOf } from './run-facts.ts';
import { readSettings } from '../settings/settings.ts';
import { stopwatch } from './stopwatch.ts';

function facts(words: readonly string[], more: object = {}): RunFacts {
  const basis = {
    asked: readArguments(words),
    settings: readSettings({}),
    suite: { version: '0.1.0' },
    seed: 7,
    knownDeviations: {},
    watch: stopwatch(),
    ledger: openLedger(ledgerMemory(), { maxRps: 0, budget: 0 }),
  };
  return factsOf(basis, { ...foreignAddress('http://127.0.0.1:9', {}), ...more });
}

describe('the facts of a run', () => {
  test('name the part that was asked for, and none where that is everything', () => {
    expect(facts(['--topic', 'echo'])).toHaveProperty('filter', '--topic echo');
    expect(facts([])).not.toHaveProperty('filter');
  });

  test('say whether there is a control API, by which the clock can be moved', () => {
    const control = { url: 'http://127.0.0.1:9/control', token: 't' };
    expect(facts([], { control })).toMatchObject({ target: { control: true }, clock: { movable: true } });
    expect(facts([])).toMatchObject({ target: { control: false }, clock: { movable: false } });
  });
});
