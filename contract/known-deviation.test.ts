import { expect, test } from 'vitest';
import { entriesFor, isExpired, liveAt } from './known-deviation.ts';

test('a reason alone is an entry that names nothing', () => {
  expect(entriesFor({ 'echo.a': 'TICKET-1' }, 'echo.a')).toEqual([{ reason: 'TICKET-1' }]);
  expect(entriesFor({ 'echo.a': 'TICKET-1' }, 'toString')).toEqual([]);
});

test.each([
  ['2026-11-21T23:59:59.000Z', false],
  ['2026-11-22T00:00:00.000Z', true],
])('an entry until 2026-11-21 has run out at %s: %s', (at, isOver) => {
  expect(isExpired({ reason: 'T', until: '2026-11-21' }, at)).toBe(isOver);
  expect(isExpired({ reason: 'T' }, at)).toBe(false);
});

test('what has run out is not accepted any more, and leaves its clause unlisted where nothing else is', () => {
  const [past, live] = [{ reason: 'T-1', until: '2020-01-01' }, { reason: 'T-2' }];
  const known = { 'echo.a': [past, live], 'echo.b': [past], 'echo.c': 'T-3' };
  expect(liveAt(known, '2026-11-21T02:00:00.000Z')).toEqual({ 'echo.a': [live], 'echo.c': [{ reason: 'T-3' }] });
});
