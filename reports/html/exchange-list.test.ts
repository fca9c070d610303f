import { expect, test } from 'vitest';
import type { CheckResult } from '../../schemas/results.ts';
import { sampleExchange, sampleFailure, sampleOutcome } from '../sample-run.ts';
import { allowanceOf } from './allowance.ts';
import { exchangeList } from './exchange-list.ts';

const exchanges = ['/first', '/second', '/third'].map((target) => {
  const exchange = sampleExchange();
  return { ...exchange, request: { ...exchange.request, target } };
});
const size = Buffer.byteLength(listed({ ...sampleFailure, exchanges }, 1_000_000));

function listed(result: Partial<CheckResult>, bytes: number): string {
  return exchangeList(sampleOutcome('echo.a', result).result, allowanceOf(bytes))?.html ?? '';
}

test('of a failure every exchange is shown, the last one unfolded', () => {
  const html = listed({ ...sampleFailure, exchanges }, 1_000_000);
  expect(html.match(/<details class="exchange"/g)).toHaveLength(3);
  expect(html.match(/<details class="exchange" open/g)).toHaveLength(1);
  expect(html.indexOf('class="exchange" open')).toBeGreaterThan(html.indexOf('/second'));
});

test('what the allowance does not cover is left out from the start, and said', () => {
  const html = listed({ ...sampleFailure, exchanges, exchangesMade: 9 }, size * 0.7);
  expect(html).not.toContain('/first');
  expect(html).toContain('/third');
  expect(html).toMatch(/the last [12] of 3; the others are in results\.json/);
});

test('without any allowance nothing is shown, and said', () => {
  expect(listed({ ...sampleFailure, exchanges }, 0)).toMatch(/the last 0 of 3/);
});

test('of a failing case all is shown, and how much the check did besides is said', () => {
  expect(listed({ ...sampleFailure, exchanges, exchangesMade: 90 }, 1_000_000)).toContain(
    '3 of the failing case; the check made 90',
  );
});

test('of a check that passed what is shown is called a sample', () => {
  const html = listed({ exchanges: exchanges.slice(2), exchangesMade: 1_200 }, 1_000_000);
  expect(html).toContain('a sample: 1 of 1,200');
  expect(html).not.toContain('<details class="exchange" open');
});

test('a check that sent nothing has no list', () => {
  expect(listed({ exchanges: [], exchangesMade: 0 }, 1_000_000)).toBe('');
});
