import { modelOf } from '../model.ts';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { htmlReport } from '../html.ts';
import { historyLineOf } from '../history.ts';
import { errorResults } from '../judge.ts';
import { failedRun, sampleFacts, sampleResults } from '../testing/sample-run.ts';
import { useBrowser, pageOf } from './browser.ts';

const open = useBrowser();
const html = await pageOf(sampleResults(), { baseline: sampleResults() });
const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe has against a page as it stands, one line an element. */
async function faults(page: Page): Promise<unknown> {
  // What is not laid out yet, axe would pass over.
  await page.addStyleTag({ content: '* { content-visibility: visible !important; }' });
  await page.evaluate(axe);
  return page.evaluate(`axe.run(document, ${JSON.stringify({ runOnly: rules, resultTypes: ['violations'] })})
    .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => [id, ...target, failureSummary].join(' '))))`);
}

/** Shows what is folded away. */
async function unfold(page: Page): Promise<void> {
  await page.locator('details').evaluateAll((all) => all.forEach((details) => details.setAttribute('open', '')));
}

describe('axe finds no fault with the page', () => {
  test.each([
    ['light', 'en'],
    ['dark', 'pt-BR'],
  ] as const)('%s, in %s', async (colorScheme, language) => {
    const { page } = await open(html, { colorScheme, fragment: `#lang=${language}` });
    await unfold(page);
    expect(await faults(page)).toEqual([]);
  });

  test('without script', async () => {
    const { page } = await open(htmlReport(modelOf(sampleResults())));
    expect(await faults(page)).toEqual([]);
  });
});

test('axe finds no fault with the page of a run that ended in an error', async () => {
  const { page, troubles } = await open(await pageOf(errorResults(sampleFacts, 'ECONNREFUSED', 'network')));
  expect(await faults(page)).toEqual([]);
  expect(troubles).toEqual([]);
});

describe('axe finds no fault with many failures of real clauses', () => {
  const results = failedRun();
  const before = { ...results, startedAt: '2026-11-20T02:00:00.000Z' };

  test.each([
    ['light', 1440, 900],
    ['dark', 390, 844],
  ] as const)('%s, on a screen of %d by %d pixels', async (colorScheme, width, height) => {
    expect(results.clauses.length).toBeGreaterThan(20);
    const many = await pageOf(results, { history: [historyLineOf(before, '0.1.0')] });
    const { page } = await open(many, { colorScheme, viewport: { width, height } });
    await unfold(page);
    expect(await faults(page)).toEqual([]);
  });
});
