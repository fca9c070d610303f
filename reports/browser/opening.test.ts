import { modelOf } from '../model.ts';
import { expect, test, describe } from 'vitest';
import type { Page } from 'playwright-core';
import { hostileResults, sampleResults, largeRun, clausesOfLargeRun } from '../testing/sample-run.ts';
import { htmlReport } from '../html.ts';
import { useBrowser, pageOf } from './browser.ts';

const open = useBrowser();
const html = await pageOf(sampleResults());
const hostile = await pageOf(hostileResults(), { baseline: hostileResults() });

describe('opening', () => {
  /** Names of the elements of a page, and of their attributes. */
  function namesIn(page: Page): Promise<string[]> {
    return page.locator('*').evaluateAll((all) => {
      const names = all.flatMap(({ localName, attributes }) => [localName, ...[...attributes].map(({ name }) => name)]);
      return [...new Set(names)].toSorted();
    });
  }

  test('the page opens from a file, asks for nothing else and has nothing to complain of', async () => {
    const { page, requests, troubles } = await open(html);
    expect(requests).toEqual([page.url()]);
    expect(troubles).toEqual([]);
    expect(await page.locator('.tools').locator('visible=true').count()).toBe(2);
  });

  test('no other script runs on the page, and it can fetch nothing', async () => {
    const foreign = html.replace('</body>', '<script>window.pwned = 1</script></body>');
    const { page, troubles } = await open(foreign);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(troubles.join()).toMatch(/Content Security Policy/);
    expect(await page.evaluate(`fetch('http://127.0.0.1:9/').then(() => 'fetched', () => 'refused')`)).toBe('refused');
    expect(troubles.join()).toMatch(/default-src|connect-src/);
  });

  test.each([
    ['without a script of its own', {}, htmlReport(modelOf(sampleResults()))],
    ['where scripts are off', { javaScriptEnabled: false }, html],
  ])('%s the page shows all of its content, in both languages, and no tool', async (_, options, text) => {
    const { page, troubles } = await open(text, options);
    expect(await page.locator('.tools').locator('visible=true').count()).toBe(0);
    for (const language of ['en', 'pt-BR']) {
      const said = page.locator(`main section > h2 > .said > [lang="${language}"]`);
      expect(await said.count()).toBeGreaterThan(3);
      expect(await said.locator('visible=true').count()).toBe(await said.count());
    }
    expect(await page.locator('table.matrix tr[data-verdict]:visible').count()).toBe(7);
    expect(troubles).toEqual([]);
  });

  test.each([
    ['as it is', {}],
    ['even without its policy', { bypassCSP: true }],
  ])('hostile text in every field becomes neither markup nor script, %s', async (_, options) => {
    const harmless = await open(await pageOf(sampleResults(), { baseline: sampleResults() }));
    const known = await namesIn(harmless.page);
    const { page, troubles, requests } = await open(hostile, options);
    await page.locator('details').evaluateAll((all) => all.forEach((one) => one.setAttribute('open', '')));
    await page.locator('article.clause').first().hover();
    expect((await namesIn(page)).filter((name) => !known.includes(name))).toEqual([]);
    expect(await page.locator('script').count()).toBe(1);
    expect([troubles, requests.length]).toEqual([[], 1]);
  });
});

describe('large', () => {
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
    expect(await rows.count()).toBe(clausesOfLargeRun);
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
});
