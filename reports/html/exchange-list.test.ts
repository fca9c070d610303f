import { expect, test } from 'vitest';
import type { CheckResult } from '../../schemas/results.ts';
import { sampleExchange, sampleFailure, sampleOutcome } from '../testing/sample-run.ts';
import { exchangeList } from './exchange.ts';
import { markup } from './markup.ts';

const three = [sampleExchange(), sampleExchange(), sampleExchange()];

/** What stands in the head of a list of which the last `shown` are shown. */
function head(result: Partial<CheckResult>, shown: number): string {
  const pieces = Array.from({ length: shown }, () => markup`<hr>`);
  return exchangeList(sampleOutcome('echo.a', result).result, pieces)?.html ?? '';
}

test('what the page has no room for is said, and where it is', () => {
  expect(head({ ...sampleFailure, exchanges: three }, 1)).toContain('the last 1 of 3; the others are in results.json');
  expect(head({ ...sampleFailure, exchanges: three }, 0)).toContain('the last 0 of 3');
});

test('of a failing case all is shown, and how much the check did besides is said', () => {
  expect(head({ ...sampleFailure, exchanges: three, exchangesMade: 90 }, 3)).toContain(
    '3 of the failing case; the check made 90',
  );
});

test('of a check that passed what is shown is called a sample', () => {
  expect(head({ exchanges: three.slice(2), exchangesMade: 1_200 }, 1)).toContain('a sample: 1 of 1,200');
});

test('a check that sent nothing has no list', () => {
  expect(head({ exchanges: [], exchangesMade: 0 }, 0)).toBe('');
});

test('of a check that passed size is never the reason: one exchange is a sample of all that were kept or made', () => {
  for (const exchanges of [three, three.slice(1)]) {
    const html = head({ exchanges, exchangesMade: 3 }, 1);
    expect(html).toContain('a sample: 1 of 3');
    expect(html).not.toContain('too large');
  }
  expect(head({ exchanges: three }, 1)).toContain('uma amostra: 1 de 3');
  expect(head({ exchanges: three.slice(2) }, 1)).toContain('<span class="note">1</span>');
});

test('of a failing case that is cut the number of all that the check made is said too', () => {
  expect(head({ ...sampleFailure, exchanges: three, exchangesMade: 90 }, 1)).toContain(
    'the last 1 of 3 of the failing case; the others are in results.json: they would make this page too large; the check made 90',
  );
});
