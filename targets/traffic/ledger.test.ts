import { expect, test } from 'vitest';
import { sideEffects } from '../../contract/endpoints.ts';
import { ledgerMemory, openLedger } from './ledger.ts';

test('requests of all who share the memory are counted together', async () => {
  const memory = ledgerMemory();
  const [one, other] = [openLedger(memory, { maxRps: 0, budget: 0 }), openLedger(memory, { maxRps: 0, budget: 0 })];
  await one.take();
  await other.take();
  expect([one.sent(), other.sent()]).toEqual([2, 2]);
});

test('a spent budget lets nothing more out', async () => {
  const ledger = openLedger(ledgerMemory(), { maxRps: 0, budget: 2 });
  expect([await ledger.take(), await ledger.take(), await ledger.take()]).toEqual([true, true, false]);
  expect(ledger.sent()).toBe(2);
});

test('a ceiling of 100 a second spaces the requests of all who share the memory by 10 ms', async () => {
  const memory = ledgerMemory();
  const limits = { maxRps: 100, budget: 0 };
  const [one, other] = [openLedger(memory, limits), openLedger(memory, limits)];
  const started = performance.now();
  await Promise.all(Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? one : other).take()));
  expect(performance.now() - started).toBeGreaterThanOrEqual(80);
});

test('one available answer ends a row of unavailable checks', () => {
  const ledger = openLedger(ledgerMemory(), { maxRps: 0, budget: 0 });
  ledger.noteAvailable(false);
  ledger.noteAvailable(false);
  expect(ledger.unavailableInARow()).toBe(2);
  ledger.noteAvailable(true);
  expect(ledger.unavailableInARow()).toBe(0);
});

test('each kind of request is diagnosed once by all who share the memory', () => {
  const memory = ledgerMemory();
  const [one, other] = [openLedger(memory, { maxRps: 0, budget: 0 }), openLedger(memory, { maxRps: 0, budget: 0 })];
  expect([one.takeDiagnosis('json'), other.takeDiagnosis('json'), other.takeDiagnosis('xml')]).toEqual([
    true,
    false,
    true,
  ]);
});

test('a limit of the target spaces the requests of a run that has no ceiling', async () => {
  const ledger = openLedger(ledgerMemory(), { maxRps: 0, budget: 0 });
  const { pace } = ledger.guard;
  await ledger.take();
  expect(pace.spacingMicros()).toBe(0);
  for (let sent = 0; sent < 9; sent++) await ledger.take();
  pace.noteLimited(true, ledger.sent());
  await new Promise((resolve) => setTimeout(resolve, 600));
  pace.noteServedAgain(ledger.sent());
  // Nine were served in 0.6 s or more.
  expect(pace.spacingMicros()).toBeGreaterThanOrEqual(600_000 / 9);
  const started = performance.now();
  for (let sent = 0; sent < 3; sent++) await ledger.take();
  expect(performance.now() - started).toBeGreaterThanOrEqual(120);
});

test('what is left behind is counted by its kind, by all who share the memory', () => {
  const memory = ledgerMemory();
  const [one, other] = [openLedger(memory, { maxRps: 0, budget: 0 }), openLedger(memory, { maxRps: 0, budget: 0 })];
  one.countLeft('invoices');
  other.countLeft('invoices');
  other.countLeft('cancellations');
  expect(sideEffects.map((what) => one.left(what))).toEqual([0, 0, 0, 2, 1]);
});
