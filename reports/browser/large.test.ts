import { expect, test } from 'vitest';
import { largeRun, largeRunSize } from '../testing/sample-run.ts';
import { useBrowser, pageOf } from './browser.ts';

const open = useBrowser();

/** Most bytes of a page, so that it opens at once and can be sent by mail. */
const largestPageBytes = 5_000_000;

test('the page of 2,000 checks and 50,000 exchanges stays below 5 MB, opens and is filtered', async () => {
  const results = largeRun();
  const checks = results.clauses.flatMap((clause) => clause.checks);
  expect(checks).toHaveLength(2000);
  expect(checks.flatMap((check) => check.exchanges ?? [])).toHaveLength(50_000);
  const html = await pageOf(results);
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(largestPageBytes);

  const { page, troubles } = await open(html);
  const rows = page.locator('table.matrix tr[data-verdict]');
  expect(await rows.count()).toBe(largeRunSize.topics * largeRunSize.clausesOfTopic);
  await page.locator('.filter input[name="text"]').fill('topic-7.clause-19');
  expect(await page.locator('.filter-says').innerText()).toBe('1 of 400 clauses of every level');
  expect(await rows.locator('visible=true').count()).toBe(1);
  const last = page.locator('#clause-topic-19\\.clause-19');
  await page.locator('.filter button[type="reset"]').click();
  await page.evaluate(`location.hash = '#clause-topic-19.clause-19'`);
  await expect
    .poll(() => last.evaluate((row) => row.getBoundingClientRect().top), { timeout: 10_000 })
    .toBeLessThan(700);
  expect(troubles).toEqual([]);
});
