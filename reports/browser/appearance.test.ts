import { expect, test, describe } from 'vitest';
import type { Page } from 'playwright-core';
import { sampleResults, sampleExchange } from '../testing/sample-run.ts';
import { useBrowser, pageOf } from './browser.ts';

const open = useBrowser();
const html = await pageOf(sampleResults());

describe('appearance', () => {
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

  test.each([
    [1440, 900, 'en-GB', /^sandbox http:\S+, build simulator 0\.1\.0; suite 0\.1\.0 \(1a2b3c4d5e6f\)$/],
    [390, 844, 'en-GB', /^sandbox http:\S+, build simulator 0\.1\.0; suite 0\.1\.0 \(1a2b3c4d5e6f\)$/],
    [1440, 900, 'pt-BR', /^sandbox http:\S+, versão simulator 0\.1\.0; suíte 0\.1\.0 \(1a2b3c4d5e6f\)$/],
    [390, 844, 'pt-BR', /^sandbox http:\S+, versão simulator 0\.1\.0; suíte 0\.1\.0 \(1a2b3c4d5e6f\)$/],
  ])(
    'a screen of %i by %i pixels in %s shows what was tested by what, and a finding',
    async (width, height, ...rest) => {
      const [locale, tested] = rest;
      const { page } = await open(html, { viewport: { width, height }, locale });
      const line = page.locator('header').getByText(tested).locator('visible=true');
      for (const shown of [line, page.locator('#sentence'), page.locator('.findings > li').first()]) {
        const { y = height, height: tall = 0 } = (await shown.boundingBox({ timeout: 2_000 })) ?? {};
        expect(y + tall).toBeLessThanOrEqual(height);
      }
    },
  );

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
});

describe('print', () => {
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
});
