import { expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { sampleResults } from '../testing/sample-run.ts';
import { useBrowser, pageOf } from './browser.ts';

const open = useBrowser();
const html = await pageOf(sampleResults());
const row = '#clause-echo\\.passed';

function hash(page: Page): string {
  return new URL(page.url()).hash;
}

function isFocused(locator: Locator): Promise<boolean> {
  return locator.evaluate((element) => element === document.activeElement);
}

async function isInSight(locator: Locator): Promise<boolean> {
  const height = locator.page().viewportSize()?.height ?? 0;
  const box = await locator.boundingBox();
  return box !== null && box.y < height && box.y + box.height > 0;
}

test.each(['clause-echo.passed', 'failures', 'failure-retirement.before-subscription'])(
  'a link from elsewhere to %s leads there, with the focus, whether it says more or not',
  async (id) => {
    for (const fragment of [`#${id}`, `#lang=en&at=${id}`]) {
      const { page, troubles } = await open(html, { fragment });
      const place = page.locator(`[id="${id}"]`);
      await expect.poll(() => isInSight(place), { timeout: 10_000 }).toBe(true);
      expect(await isFocused(place)).toBe(true);
      expect(hash(page)).toBe(fragment);
      expect(troubles).toEqual([]);
    }
  },
);

test('a place that is folded away is unfolded', async () => {
  const folded = html.replace('</main>', '<details><summary>x</summary><p id="deep">deep</p></details></main>');
  const { page } = await open(folded, { fragment: '#lang=en&at=deep' });
  expect(await page.locator('#deep').isVisible()).toBe(true);
});

test('a place that the filter hides is shown by a reset of the filter, which is said', async () => {
  const { page } = await open(html, { fragment: '#verdict=failed&lang=en&at=clause-echo.passed' });
  expect(await page.locator(row).isVisible()).toBe(true);
  expect(await page.getByText('so it was reset').isVisible()).toBe(true);
  expect(hash(page)).toBe('#lang=en&at=clause-echo.passed');
});

test('a link on the page keeps the filter, and Back leads to where the reader was', async () => {
  const { page } = await open(html, { fragment: '#verdict=failed&lang=pt-BR' });
  await page.locator('tr:visible a[href^="#failure-"]').click();
  expect(hash(page)).toBe('#verdict=failed&lang=pt-BR&at=failure-retirement.before-subscription');
  expect(await isFocused(page.locator('#failure-retirement\\.before-subscription'))).toBe(true);
  await page.goBack();
  expect(hash(page)).toBe('#verdict=failed&lang=pt-BR');
  expect(await page.locator('table.matrix tr[data-verdict]:visible').count()).toBe(1);
  expect(await page.locator('[data-at]').count()).toBe(0);
  await page.goForward();
  expect(await page.locator('[data-at]').getAttribute('id')).toBe('failure-retirement.before-subscription');
});

test('a link to what the filter hides resets it, and Back brings the filter back', async () => {
  const { page } = await open(html, { fragment: '#verdict=passed&lang=en' });
  await page.locator('a[href="#failures"]').first().click();
  await expect.poll(() => isInSight(page.locator('#failures')), { timeout: 10_000 }).toBe(true);
  expect(hash(page)).toBe('#lang=en&at=failures');
  await page.goBack();
  expect(hash(page)).toBe('#verdict=passed&lang=en');
  expect(await page.locator('table.matrix tr[data-verdict]:visible').count()).toBe(1);
});

test('an address that is typed in on the open page is followed', async () => {
  const { page } = await open(html);
  await page.evaluate(`location.hash = '#verdict=known'`);
  await expect.poll(() => page.locator('table.matrix tr[data-verdict]:visible').count(), { timeout: 10_000 }).toBe(1);
});
