import { expect, test } from 'vitest';
import { sampleExchange, sampleResults } from '../testing/sample-run.ts';
import { useBrowser, pageOf } from './browser.ts';

const open = useBrowser();

/** The sample run, with several exchanges for each failure: all but the last are folded. */
function resultsWithFolds(): ReturnType<typeof sampleResults> {
  const results = sampleResults();
  for (const check of results.clauses.flatMap((clause) => clause.checks)) {
    if (check.exchanges) check.exchanges = [sampleExchange(), sampleExchange(), sampleExchange()];
  }
  return results;
}

test('in print every exchange of a failure is unfolded, and the tools are left out', async () => {
  const { page } = await open(await pageOf(resultsWithFolds()));
  const texts = page.locator('article details.exchange:not([open]) pre');
  expect(await texts.count()).toBeGreaterThan(10);
  const hidden = (): Promise<number> =>
    texts.evaluateAll((all) => all.filter((text) => !text.checkVisibility() || text.clientHeight === 0).length);
  expect(await hidden()).toBe(await texts.count());
  await page.emulateMedia({ media: 'print' });
  expect(await hidden()).toBe(0);
  expect(await page.locator('.tools, nav').locator('visible=true').count()).toBe(0);
});

test('a print is of A4 pages by default, on white', async () => {
  const { page } = await open(await pageOf(resultsWithFolds()), { colorScheme: 'dark' });
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  const boxes = [...pdf.matchAll(/\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/g)];
  expect(boxes.length).toBeGreaterThan(1);
  for (const [, width, height] of boxes) {
    expect(Number(width)).toBeCloseTo(595, -0.5);
    expect(Number(height)).toBeCloseTo(842, -0.5);
  }
  await page.emulateMedia({ media: 'print' });
  const [page1, text] = await page.locator('body').evaluate((body) => {
    const { backgroundColor, color } = getComputedStyle(body);
    return [backgroundColor, color];
  });
  expect(page1).toMatch(/rgba?\((255, 255, 255|0, 0, 0, 0)\)?/);
  expect(text).toMatch(/^rgb\(([0-4]?\d, ){2}[0-4]?\d\)$/);
});

test('a filter has no effect on paper, where no number speaks of it either', async () => {
  const { page } = await open(await pageOf(sampleResults()), { fragment: '#verdict=passed' });
  const articles = page.locator('article.clause:visible');
  const rows = page.locator('table.matrix tr[data-verdict]:visible');
  expect([await articles.count(), await rows.count()]).toEqual([0, 1]);
  await page.emulateMedia({ media: 'print' });
  expect([await articles.count(), await rows.count()]).toEqual([3, 7]);
  expect(await page.locator('#failures > h2').innerText()).toBe('Failures: 1');
});

test('what is not printed is said on paper only', async () => {
  const { page } = await open(await pageOf(sampleResults()));
  const note = page.getByText('Not printed: topics');
  expect(await note.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect(await note.isVisible()).toBe(true);
});
