import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { sampleResults } from '../testing/sample-run.ts';
import { useBrowser, pageOf } from './browser.ts';

const open = useBrowser();
const html = await pageOf(sampleResults());

function hash(page: Page): string {
  return new URL(page.url()).hash;
}

/** How light the page is, from 0 for black to 1 for white. */
function lightness(page: Page): Promise<number> {
  return page.locator('body').evaluate((body) => {
    const [red = 0, green = 0, blue = 0] =
      getComputedStyle(body)
        .backgroundColor.match(/[\d.]+/g)
        ?.map(Number) ?? [];
    return (red + green + blue) / 3 / 255;
  });
}

/** How many labels are shown in each language. */
async function labels(page: Page): Promise<{ en: number; pt: number }> {
  const shown = (language: string): Promise<number> => page.locator(`.said > [lang="${language}"]:visible`).count();
  return { en: await shown('en'), pt: await shown('pt-BR') };
}

test.each([
  ['en-US', 'en'],
  ['pt-BR', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['de-DE', 'en'],
])('a browser set to %s shows the page in %s, and nothing of that in the address', async (locale, language) => {
  const { page } = await open(html, { locale });
  const { en, pt } = await labels(page);
  expect([en > 0, pt > 0]).toEqual(language === 'en' ? [true, false] : [false, true]);
  // What the page tells of the target stays English, whatever its labels are.
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
  expect(hash(page)).toBe('');
});

test('the button switches the language, which a reload keeps', async () => {
  const { page } = await open(html);
  await page.getByRole('button', { name: 'Português' }).click();
  expect(await labels(page)).toMatchObject({ en: 0 });
  expect(hash(page)).toBe('#lang=pt-BR');
  await page.reload();
  expect(await labels(page)).toMatchObject({ en: 0 });
  expect(await page.locator('.filter option').first().innerText()).toBe('todos os tópicos');
  await page.getByRole('button', { name: 'English' }).click();
  expect(await labels(page)).toMatchObject({ pt: 0 });
  expect(hash(page)).toBe('#lang=en');
});

test.each([
  ['light', 0.9, 1],
  ['dark', 0, 0.2],
] as const)('the page is %s where the system is', async (colorScheme, least, most) => {
  const { page } = await open(html, { colorScheme });
  const light = await lightness(page);
  expect(light).toBeGreaterThanOrEqual(least);
  expect(light).toBeLessThanOrEqual(most);
});

test('nothing moves where the reader wants less motion', async () => {
  const { page } = await open(html, { reducedMotion: 'reduce' });
  const moving = await page.locator('*').evaluateAll((all) =>
    all
      .filter((element) => {
        const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(element);
        return animationName !== 'none' || Number.parseFloat(transitionDuration) > 0.01 || scrollBehavior !== 'auto';
      })
      .map(({ localName, className }) => `${localName}.${className}`),
  );
  expect(moving).toEqual([]);
});

test.each([
  [1440, 900],
  [390, 844],
])('on a screen of %i by %i pixels the page scrolls in one direction only', async (width, height) => {
  const { page } = await open(html, { viewport: { width, height } });
  await page.locator('details').evaluateAll((all) => all.forEach((one) => one.setAttribute('open', '')));
  for (const language of ['Português', 'English']) {
    expect(await page.locator('html').evaluate(({ scrollWidth }) => scrollWidth)).toBe(width);
    await page.getByRole('button', { name: language }).click();
  }
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

test('what can be pressed measures 24 pixels or more in both directions', async () => {
  const { page } = await open(html, { viewport: { width: 390, height: 844 } });
  const small = await page
    .locator('button, select, input, summary, .clause h3 a')
    .locator('visible=true')
    .evaluateAll((all) =>
      all
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width < 24 || box.height < 24)
        .map(({ element, box }) => `${element.outerHTML.slice(0, 60)} ${box.width}×${box.height}`),
    );
  expect(small).toEqual([]);
});
