import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NfeState } from '../contract/values.ts';
import { unexplainedIn, type Operation } from './one-order.ts';

const at = (fromMs: number, toMs: number, asked: Operation['asked'], came: Operation['came']): Operation => ({
  asked,
  came,
  fromMs,
  toMs,
});

describe('no order explains', () => {
  test.each<[string, readonly Operation[], number]>([
    [
      'two issuances under one id, both accepted, of what was authorised',
      [at(0, 9, 'issue', 'accepted'), at(1, 4, 'query', 'Autorizada'), at(5, 8, 'issue', 'accepted')],
      2,
    ],
    ['a query that finds nothing after the issuance', [at(0, 1, 'issue', 'accepted'), at(2, 3, 'query', 'nothing')], 1],
    ['a cancellation that nobody asked for', [at(0, 1, 'issue', 'accepted'), at(2, 3, 'query', 'Cancelada')], 1],
    [
      'a cancellation that was refused and is done',
      [at(0, 1, 'issue', 'accepted'), at(2, 3, 'cancel', 'refused'), at(4, 5, 'query', 'Cancelada')],
      2,
    ],
    ['an issuance that was refused and is found', [at(0, 1, 'issue', 'refused'), at(2, 3, 'query', 'Autorizada')], 1],
    [
      'a state that is taken back while others are asked for',
      [
        at(0, 1, 'issue', 'accepted'),
        at(2, 9, 'cancel', 'accepted'),
        at(3, 4, 'query', 'Cancelada'),
        at(5, 6, 'query', 'Autorizada'),
      ],
      3,
    ],
    [
      'one outcome for one and another for another',
      [at(0, 1, 'issue', 'accepted'), at(2, 4, 'query', 'Negada'), at(2, 4, 'query', 'Autorizada')],
      1,
    ],
  ])('%s', (_, operations, wrong) => {
    const unexplained = unexplainedIn(operations);
    expect(unexplained?.operation.asked).toBe(operations[wrong]?.asked);
  });

  test('a query, and what it could have found is told', () => {
    const operations = [at(0, 1, 'issue', 'accepted'), at(2, 3, 'query', 'Autorizada'), at(4, 5, 'query', 'Negada')];
    expect(unexplainedIn(operations)).toEqual({ operation: operations[2], possible: ['Autorizada'] });
  });
});

describe('some order explains', () => {
  test.each<[string, readonly Operation[]]>([
    [
      'two issuances at once, of which one may have been denied',
      [at(0, 9, 'issue', 'accepted'), at(1, 8, 'issue', 'accepted')],
    ],
    ['one of two issuances at once', [at(0, 9, 'issue', 'refused'), at(1, 8, 'issue', 'accepted')]],
    ['a query under way while the invoice is issued', [at(0, 9, 'issue', 'accepted'), at(1, 8, 'query', 'nothing')]],
    [
      'a query that overtakes a cancellation',
      [at(0, 1, 'issue', 'accepted'), at(2, 9, 'cancel', 'accepted'), at(3, 4, 'query', 'Cancelada')],
    ],
    [
      'a cancellation that takes its time',
      [
        at(0, 1, 'issue', 'accepted'),
        at(2, 3, 'cancel', 'accepted'),
        at(4, 5, 'query', 'Autorizada'),
        at(6, 7, 'query', 'Cancelada'),
      ],
    ],
    ['what was done though its answer was lost', [at(0, 1, 'issue', 'unknown'), at(5, 6, 'query', 'Autorizada')]],
    ['what was lost on its way', [at(0, 1, 'issue', 'unknown'), at(5, 6, 'query', 'nothing')]],
    [
      'an id that is free again after a denial',
      [
        at(0, 1, 'issue', 'accepted'),
        at(2, 3, 'query', 'Negada'),
        at(4, 5, 'issue', 'accepted'),
        at(6, 7, 'query', 'Autorizada'),
      ],
    ],
  ])('%s', (_, operations) => {
    expect(unexplainedIn(operations)).toBeUndefined();
  });
});

test('what nobody knows the outcome of takes no time, however often it is asked for', () => {
  const unknown = Array.from({ length: 40 }, (_, ms) => at(2 + ms, 3 + ms, 'cancel', 'unknown'));
  const again = Array.from({ length: 40 }, (_, ms) => at(2 + ms, 3 + ms, 'issue', 'unknown'));
  const operations = [at(0, 1, 'issue', 'accepted'), ...unknown, ...again];
  expect(unexplainedIn([...operations, at(90, 91, 'query', 'Cancelada')])).toBeUndefined();
  expect(unexplainedIn([...operations, at(90, 91, 'query', 'nothing')])?.possible).toContain('Cancelada');
});

/** What is asked, when, how long it takes, and when within that it is done. */
const requests = fc.array(
  fc.record({
    asked: fc.constantFrom('issue', 'query', 'query', 'cancel'),
    fromMs: fc.nat(30),
    beforeMs: fc.nat(5),
    afterMs: fc.nat(5),
  }),
  { minLength: 2, maxLength: 12 },
);
const settlements = fc.record({ afterMs: fc.nat(10), state: fc.constantFrom<NfeState>('Autorizada', 'Negada') });

type Requests = typeof requests extends fc.Arbitrary<infer T> ? T : never;

/** The answers of a service that does one thing at a time; a query is answered by what was so much before it began. */
function answers(asked: Requests, settlement: { afterMs: number; state: NfeState }, lagMs?: number): Operation[] {
  const states: { state: Operation['came']; sinceMs: number }[] = [{ state: 'nothing', sinceMs: -Infinity }];
  const stateAt = (ms: number): Operation['came'] => {
    const { state = 'nothing', sinceMs = 0 } = states.findLast((one) => one.sinceMs <= ms) ?? {};
    return state === 'AguardandoAutorizacao' && ms >= sinceMs + settlement.afterMs ? settlement.state : state;
  };
  const inOrder = asked.toSorted((one, other) => one.fromMs + one.beforeMs - (other.fromMs + other.beforeMs));
  return inOrder.map(({ asked: what, fromMs, beforeMs, afterMs }): Operation => {
    const doneMs = fromMs + beforeMs;
    const span = { fromMs, toMs: doneMs + afterMs };
    if (what === 'query') return { asked: what, came: stateAt(lagMs === undefined ? doneMs : fromMs - lagMs), ...span };
    const isDone = stateAt(doneMs) === (what === 'issue' ? 'nothing' : 'Autorizada');
    if (isDone) states.push({ state: what === 'issue' ? 'AguardandoAutorizacao' : 'Cancelada', sinceMs: doneMs });
    return { asked: what, came: isDone ? 'accepted' : 'refused', ...span };
  });
}

test('a service that does one thing at a time is never accused, whatever overlaps', () => {
  fc.assert(
    fc.property(requests, settlements, (asked, settlement) => {
      expect(unexplainedIn(answers(asked, settlement))).toBeUndefined();
    }),
    { numRuns: 1000 },
  );
});

test('one that tells what was some time ago is found out', () => {
  const found = fc
    .sample(fc.tuple(requests, settlements), { numRuns: 1000, seed: 7 })
    .filter(([asked, settlement]) => unexplainedIn(answers(asked, settlement, 8)));
  expect(found.length).toBeGreaterThan(200);
});
