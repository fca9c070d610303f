import { expect, test } from 'vitest';
import { run } from './main.ts';

test.each([
  [['--only', 'typo'], /--only typo: no chapter has this in its name; there are documents, start/],
  [['--load', '--seconds', 'abc'], /--seconds takes how long the load lasts, such as 60, not abc/],
])('%j is refused before anything is measured', async (words, why) => {
  await expect(run(words)).rejects.toThrow(why);
});
