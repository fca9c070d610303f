import { expect, test } from 'vitest';
import { retryInstantsSeconds } from './retry-ladder.ts';

test('the five retries are due at these seconds, by either reading', () => {
  expect(retryInstantsSeconds).toEqual({
    'each after the one before': [60, 360, 2160, 9360, 30_960],
    'all after the first': [60, 300, 1800, 7200, 21_600],
  });
});
