import { expect, test, describe } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { sampleResults, failedRun } from '../testing/sample-run.ts';
import { useBrowser, pageOf } from './browser.ts';

const open = useBrowser();
const html = await pageOf(sampleResults());
/** A page on which the filter is far below the top. */
const run = failedRun();
const many = await pageOf(run);
const last = run.clauses.at(-1)?.id ?? '';

describe('links', () => {
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
});

describe('filter', () => {
  /** Ids of the clauses whose rows are shown. */
  async function shown(page: Page): Promise<string[]> {
    const rows = page.locator('table.matrix tr[data-verdict]:visible');
    return rows.evaluateAll((all) => all.map((row) => row.id.replace('clause-', '')));
  }

  function choice(page: Page, name: string, value: string) {
    return page.locator(`.filter input[name="${name}"][value="${value}"]`);
  }

  /** Chooses once the page stands still: what comes into sight is laid out only then, and may move what is clicked. */
  async function choose(...named: Parameters<typeof choice>): Promise<void> {
    await choice(...named).scrollIntoViewIfNeeded();
    await choice(...named).check();
  }

  test('a verdict that is chosen shows its clauses alone, in the matrix and among the failures', async () => {
    const { page, troubles } = await open(html);
    await choose(page, 'verdict', 'failed');
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
    await choose(page, 'level', 'implied');
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

  test('the filter stands in the address and is there again after a reload', async () => {
    const { page } = await open(html);
    await choose(page, 'verdict', 'passed');
    await choose(page, 'verdict', 'warned');
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
    await choose(page, 'verdict', 'failed');
    expect(await shown(page)).toEqual(['retirement.before-subscription']);
    await page.locator('tr:visible a[href^="#failure-"]').click();
    expect(await page.locator('[data-at]').getAttribute('id')).toBe('failure-retirement.before-subscription');
    expect(troubles).toEqual([]);
  });

  test('a filter brings what it shows into sight, and unfolds the topics that hold it', async () => {
    const { page } = await open(many, { viewport: { width: 1280, height: 900 } });
    await page.locator('details.topic-fold').evaluateAll((all) => all.forEach((fold) => fold.removeAttribute('open')));
    const text = page.locator('.filter input[name="text"]');
    await text.fill(last);
    const row = page.locator(`[id="clause-${last}"]`);
    await expect
      .poll(() => row.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight))
      .toBe(true);
    expect(await shown(page)).toContain(last);
    expect(await page.locator('.filters').evaluate((element) => element.getBoundingClientRect().top >= 0)).toBe(true);
  });

  test('a page that is opened by a link with a filter shows what it lets through', async () => {
    const { page } = await open(many, { viewport: { width: 1280, height: 900 }, fragment: `#text=${last}` });
    const row = page.locator(`[id="clause-${last}"]`);
    await expect
      .poll(() => row.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight))
      .toBe(true);
  });
});
