import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { failedRun, sampleResults } from '../testing/sample-run.ts';
import { useBrowser, pageOf } from './browser.ts';

const open = useBrowser();
const html = await pageOf(sampleResults());

/** Ids of the clauses whose rows are shown. */
async function shown(page: Page): Promise<string[]> {
  const rows = page.locator('table.matrix tr[data-verdict]:visible');
  return rows.evaluateAll((all) => all.map((row) => row.id.replace('clause-', '')));
}

function choice(page: Page, name: string, value: string) {
  return page.locator(`.filter input[name="${name}"][value="${value}"]`);
}

test('a verdict that is chosen shows its clauses alone, in the matrix and among the failures', async () => {
  const { page, troubles } = await open(html);
  await choice(page, 'verdict', 'failed').check();
  expect(await shown(page)).toEqual(['retirement.before-subscription']);
  expect(await page.locator('article.clause:visible').evaluateAll((all) => all.map(({ id }) => id))).toEqual([
    'failure-retirement.before-subscription',
  ]);
  expect(await page.locator('#warnings').isVisible()).toBe(false);
  expect(await page.locator('section.topic:visible').count()).toBe(1);
  expect(troubles).toEqual([]);
});

test('the number of clauses shown is told', async () => {
  const { page } = await open(html);
  const says = page.locator('.filter-says');
  expect(await says.innerText()).toBe('7 of 7 clauses of every level');
  await choice(page, 'level', 'implied').check();
  expect(await says.innerText()).toBe('1 of 7 clauses of every level');
});

test('a text is looked for in id, statement and titles, and what does not fit is said', async () => {
  const { page } = await open(html);
  const text = page.locator('.filter input[name="text"]');
  await text.fill('WHAT retirement');
  expect(await shown(page)).toEqual(['retirement.before-subscription']);
  await text.fill('nowhere');
  expect(await shown(page)).toEqual([]);
  expect(await page.locator('section.topic:visible').count()).toBe(0);
  expect(await page.getByText('Nothing fits the filter.').isVisible()).toBe(true);
  await page.getByRole('button', { name: 'Show all' }).click();
  expect(await shown(page)).toHaveLength(7);
  expect(await text.inputValue()).toBe('');
  expect(await page.locator('.nothing-fits').isVisible()).toBe(false);
});

test('Enter in the text sends nothing', async () => {
  const { page, requests, troubles } = await open(html);
  await page.locator('.filter input[name="text"]').fill('echo');
  await page.keyboard.press('Enter');
  expect(await shown(page)).toHaveLength(6);
  expect([requests.length, troubles]).toEqual([1, []]);
});

test('the filter stands in the address and is there again after a reload', async () => {
  const { page } = await open(html);
  await choice(page, 'verdict', 'passed').check();
  await choice(page, 'verdict', 'warned').check();
  await page.locator('.filter select[name="topic"]').selectOption('echo');
  await page.locator('.filter input[name="text"]').fill('a b');
  await expect.poll(() => new URL(page.url()).hash).toBe('#verdict=passed,warned&topic=echo&text=a%20b');
  await page.locator('.filter input[name="text"]').fill('');
  await page.reload();
  expect(await shown(page)).toEqual(['echo.passed', 'echo.warned']);
  expect(await choice(page, 'verdict', 'passed').isChecked()).toBe(true);
  expect(await page.locator('.filter select[name="topic"]').inputValue()).toBe('echo');
});

test('a fragment that makes no sense changes nothing', async () => {
  const { page, troubles } = await open(html, { fragment: '#verdict=bogus&topic=%E0%A4%A&at=__proto__&lang=xx' });
  expect(await shown(page)).toHaveLength(7);
  expect(troubles).toEqual([]);
});

test('the page goes on where the browser takes no more changes of the address', async () => {
  const { page, troubles } = await open(html);
  await page.evaluate(
    `history.replaceState = history.pushState = () => { throw new DOMException('too often', 'SecurityError'); }`,
  );
  await choice(page, 'verdict', 'failed').check();
  expect(await shown(page)).toEqual(['retirement.before-subscription']);
  await page.locator('tr:visible a[href^="#failure-"]').click();
  expect(await page.locator('[data-at]').getAttribute('id')).toBe('failure-retirement.before-subscription');
  expect(troubles).toEqual([]);
});

/** A page on which the filter is far below the top. */
const run = failedRun(8);
const many = await pageOf(run);
const last = run.clauses.at(-1)?.id ?? '';

test('a filter brings what it shows into sight, and unfolds the topics that hold it', async () => {
  const { page } = await open(many, { viewport: { width: 1280, height: 900 } });
  await page.locator('details.topic-fold').evaluateAll((all) => all.forEach((fold) => fold.removeAttribute('open')));
  const text = page.locator('.filter input[name="text"]');
  await text.fill(last);
  const row = page.locator(`[id="clause-${last}"]`);
  await expect.poll(() => row.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
  expect(await shown(page)).toContain(last);
  expect(await page.locator('.filters').evaluate((element) => element.getBoundingClientRect().top >= 0)).toBe(true);
});

test('a page that is opened by a link with a filter shows what it lets through', async () => {
  const { page } = await open(many, { viewport: { width: 1280, height: 900 }, fragment: `#text=${last}` });
  const row = page.locator(`[id="clause-${last}"]`);
  await expect.poll(() => row.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
});
