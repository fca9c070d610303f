import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { sampleResults } from '../sample-run.ts';
import { useBrowser } from './browser.ts';
import { pageOf } from './pages.ts';

const open = useBrowser();
const html = await pageOf(sampleResults());

/** What has the focus: its id, or else its name. */
function focus(page: Page): Promise<string> {
  return page.locator(':focus').evaluate((element) => element.id || (element.getAttribute('name') ?? ''));
}

test('j and k lead through failures, warnings and known deviations, and stay at the ends', async () => {
  const { page } = await open(html);
  const seen: string[] = [];
  for (const key of ['j', 'j', 'j', 'j', 'k', 'k', 'k']) {
    await page.keyboard.press(key);
    seen.push(await focus(page));
  }
  const [failed, warned, known] = ['retirement.before-subscription', 'echo.warned', 'echo.known'].map(
    (id) => `failure-${id}`,
  );
  expect(seen).toEqual([failed, warned, known, known, warned, failed, failed]);
  expect(new URL(page.url()).hash).toBe(`#${failed}`);
});

test('j passes over what the filter hides', async () => {
  const { page } = await open(html, { fragment: '#verdict=known' });
  await page.keyboard.press('j');
  expect(await focus(page)).toBe('failure-echo.known');
});

test('/ leads to the text of the filter, where letters are letters', async () => {
  const { page } = await open(html);
  await page.keyboard.press('/');
  expect(await focus(page)).toBe('text');
  await page.keyboard.type('jkle?/');
  expect(await page.locator('.filter input[name="text"]').inputValue()).toBe('jkle?/');
  expect(await page.locator('dialog[open]').count()).toBe(0);
});

test('e unfolds all exchanges, and folds them again', async () => {
  const { page } = await open(html);
  const exchanges = page.locator('details.exchange');
  const opened = page.locator('details.exchange[open]');
  await page.locator('details.exchange[open] > summary').first().click();
  await page.keyboard.press('e');
  expect(await opened.count()).toBe(await exchanges.count());
  await page.keyboard.press('e');
  expect(await opened.count()).toBe(0);
});

test('with a modifier a key does nothing of its own', async () => {
  const { page } = await open(html);
  for (const key of ['Control+e', 'Alt+j', 'Meta+l']) await page.keyboard.press(key);
  expect(new URL(page.url()).hash).toBe('');
});

test('? and the button open the help, which lists every key; Esc closes it', async () => {
  const { page } = await open(html);
  const help = page.getByRole('dialog', { name: 'Keyboard' });
  await page.keyboard.press('?');
  expect(await help.locator('kbd').allInnerTexts()).toEqual(['/', 'j', 'k', 'e', 'l', '?', 'Esc']);
  await page.keyboard.press('Escape');
  expect(await help.isVisible()).toBe(false);
  await page.getByRole('button', { name: '? Keyboard' }).click();
  expect(await help.isVisible()).toBe(true);
  await help.getByRole('button', { name: 'Close' }).click();
  expect(await help.isVisible()).toBe(false);
});

test('single keys can be turned off, which a reload keeps; the button still opens the help', async () => {
  const { page } = await open(html);
  await page.getByRole('button', { name: '? Keyboard' }).click();
  await page.getByRole('checkbox', { name: 'Single keys are shortcuts' }).uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  for (const key of ['j', 'l', '?']) await page.keyboard.press(key);
  expect(new URL(page.url()).hash).toBe('#keys=off');
  expect(await page.locator('dialog[open]').count()).toBe(0);
  await page.getByRole('button', { name: '? Keyboard' }).click();
  expect(await page.getByRole('checkbox', { name: 'Single keys are shortcuts' }).isChecked()).toBe(false);
});

test('what has the focus by the keyboard shows it', async () => {
  const { page } = await open(html);
  for (let tab = 0; tab < 12; tab++) {
    await page.keyboard.press('Tab');
    const outline = await page.locator(':focus').evaluate((element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return { outlineStyle, isWide: Number.parseFloat(outlineWidth) >= 2 };
    });
    expect(outline).toMatchObject({ isWide: true });
    expect(outline.outlineStyle).not.toBe('none');
  }
});
