import { expect, test } from 'vitest';
import { historyLineOf } from '../history.ts';
import { sampleResults } from '../testing/sample-run.ts';
import { useBrowser, pageOf } from './browser.ts';

const open = useBrowser();
const results = sampleResults();
const before = { ...results, startedAt: '2026-11-20T02:00:00.000Z' };
const html = await pageOf(results, { history: [historyLineOf(before, '0.1.0')] });

test.each([
  ['en', 'run 2 nonconformant'],
  ['pt-BR', 'execução não conforme 2 vezes'],
])('a strip is heard in words and not in signs, in %s', async (language, text) => {
  const { page } = await open(html, { fragment: `#lang=${language}` });
  const row = page.locator('#history table.strips').first().getByRole('row').first();
  expect((await row.ariaSnapshot()).replaceAll('"', '')).toContain(text);
  expect(await row.ariaSnapshot()).not.toContain('✗');
});

test('the words that are heard widen no page of 390 pixels', async () => {
  const { page } = await open(html, { viewport: { width: 390, height: 844 } });
  await page.locator('#history details').evaluateAll((all) => all.forEach((one) => one.setAttribute('open', '')));
  expect(await page.locator('html').evaluate(({ scrollWidth }) => scrollWidth)).toBe(390);
});
