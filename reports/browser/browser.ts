import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { launchChromium } from './chromium.ts';

/** A page that is open, with what went wrong on it and what it asked for. */
export interface OpenPage {
  readonly page: Page;
  /** Errors and warnings of the console, errors of the script, and dialogs that opened. */
  readonly troubles: string[];
  /** Addresses that were asked for, the page's own first. */
  readonly requests: string[];
}

/** Opens a page from a file, at a fragment, for the test that is running. */
export type Open = (html: string, options?: BrowserContextOptions & { fragment?: string }) => Promise<OpenPage>;

/** One browser for the tests of a file, closed after them. */
export function useBrowser(): Open {
  const shared: { browser?: Browser; folder?: string } = {};
  beforeAll(async () => {
    shared.folder = await mkdtemp(join(tmpdir(), 'report-page-'));
    shared.browser = await launchChromium();
  });
  afterAll(async () => {
    await shared.browser?.close();
    if (shared.folder) await rm(shared.folder, { recursive: true });
  });
  return async (html, { fragment = '', ...options } = {}) => {
    const { browser, folder } = shared;
    if (!browser || !folder) throw new Error('a page is opened before the browser: open it in a test');
    const file = join(await mkdtemp(join(folder, 'page-')), 'index.html');
    await writeFile(file, html);
    return opened(browser, `${pathToFileURL(file).href}${fragment}`, options);
  };
}

async function opened(browser: Browser, address: string, options: BrowserContextOptions): Promise<OpenPage> {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const open: OpenPage = { page, troubles: [], requests: [] };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) open.troubles.push(message.text());
  });
  page.on('pageerror', (error) => open.troubles.push(String(error)));
  page.on('dialog', (dialog) => {
    open.troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => open.requests.push(request.url()));
  await page.goto(address);
  return open;
}
