import { expect, test, vi } from 'vitest';
import { onFirstUse } from './on-first-use.ts';

test('a value is made when it is first asked for, and once, even an undefined one', () => {
  const make = vi.fn<() => undefined>();
  const value = onFirstUse(make);
  expect(make).not.toHaveBeenCalled();
  expect([value(), value()]).toEqual([undefined, undefined]);
  expect(make).toHaveBeenCalledTimes(1);
});
