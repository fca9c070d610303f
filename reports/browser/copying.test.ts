import { expect, test } from 'vitest';
import type { Locator } from 'playwright-core';
import type { ExchangeEvidence, Results } from '../../schemas/results.ts';
import { judge } from '../judge.ts';
import { sampleClause, sampleExchange, sampleFacts, sampleFailure, sampleOutcome } from '../testing/sample-run.ts';
import { useBrowser, pageOf } from './browser.ts';

const open = useBrowser();
const permissions = ['clipboard-read', 'clipboard-write'];

function resultsWith(exchange: ExchangeEvidence): Results {
  const outcome = sampleOutcome('echo.failed', { ...sampleFailure, exchanges: [exchange] });
  return judge(sampleFacts, [sampleClause('echo.failed')], [outcome]);
}

/** A page with a failure whose delivery has that body, in its request as in its string to sign. */
async function pageWith(body: string): ReturnType<typeof open> {
  const text = `1795226400.${body}`;
  const { request } = sampleExchange();
  const exchange: ExchangeEvidence = {
    request: { ...request, body: { text: body, encoding: 'utf-8', bytes: Buffer.byteLength(body) } },
    stringToSign: {
      text,
      encoding: 'utf-8',
      bytes: Buffer.byteLength(text),
      parts: [
        { name: 'timestamp', length: 10 },
        { name: 'separator', length: 1 },
        { name: 'body', length: body.length },
      ],
    },
    received: true,
    durationMs: 0,
  };
  return open(await pageOf(resultsWith(exchange)), { permissions });
}

/** What is selected of a block that is selected whole, and what a copy of it leaves in the clipboard. */
async function copied(block: Locator): Promise<{ selected: unknown; clipboard: unknown }> {
  await block.evaluate((element) => {
    const { ownerDocument } = element;
    ownerDocument.getSelection()?.selectAllChildren(element);
  });
  const page = block.page();
  await page.keyboard.press('Control+C');
  const selected = await page.evaluate('getSelection().toString()');
  return { selected, clipboard: await page.evaluate('navigator.clipboard.readText()') };
}

test.each([
  ['CRLF and TAB', '{\r\n\t"a":\t"á"\r\n}\r\n'],
  ['line ends of every kind', '\n\n\r\r\na\n\rb\r'],
  ['several LF at its end', 'a\n\n\n'],
  ['only LF', '\n'],
  ['spaces and what looks like a mark', '  a   b \\r\\n <b>&#13;  '],
  ['hundreds of lines', 'a\r\n\tb\n'.repeat(120)],
])('a copy has the exact text, with %s', async (_, body) => {
  const { page, troubles } = await pageWith(body);
  const whole = `1795226400.${body}`;
  expect(await copied(page.locator('pre.string-to-sign'))).toEqual({ selected: whole, clipboard: whole });
  expect(await copied(page.locator('.exchange pre').nth(1))).toEqual({ selected: body, clipboard: body });
  expect(troubles).toEqual([]);
  expect(await page.locator('.exchange').getByText('a copy has the spelling').count()).toBe(0);
});

test('what can’t be copied is copied as it is spelt, and the block says so', async () => {
  const { page } = await pageWith('a\u0000\u202e\u00a0\ud800b\r\n');
  const spelt = '1795226400.a\\u{0}\\u{202e}\\u{a0}\\u{d800}b\r\n';
  expect(await copied(page.locator('pre.string-to-sign'))).toEqual({ selected: spelt, clipboard: spelt });
  expect(await page.locator('pre.string-to-sign ~ .note').innerText()).toMatch(/a copy has the spelling/);
});

test('a button copies what its block shows, exactly', async () => {
  const { page } = await pageWith('a\r\n\tb');
  await page.locator('pre.string-to-sign ~ button.copy').first().click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('1795226400.a\r\n\tb');
  expect(await page.locator('button.copy[data-copied="✓"]').count()).toBe(1);
});

test('each run of line ends and tabs has a mark that the eye can see', async () => {
  const { page } = await pageWith('a\r\n\t\tb');
  const marks = await page
    .locator('pre.string-to-sign .mark')
    .evaluateAll((all) => all.map((mark) => getComputedStyle(mark, '::before').content));
  expect(marks).toEqual(['"\\\\r\\\\n"', '"\\\\t\\\\t"']);
});
