import { modelOf, type ModelSources } from '../model.ts';
import { mkdtemp, rm, writeFile, mkdir, readFile, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL, fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { threadId } from 'node:worker_threads';
import type { Results } from '../../schemas/results.ts';
import { htmlReport } from '../html.ts';
import { pageScript } from '../html/frame.ts';

/** A page that is open, with what went wrong on it and what it asked for. */
interface OpenPage {
  readonly page: Page;
  /** Errors and warnings of the console, errors of the script, and dialogs that opened. */
  readonly troubles: string[];
  /** Addresses that were asked for, the page's own first. */
  readonly requests: string[];
}

/** Opens a page from a file, at a fragment, for the test that is running. */
type Open = (html: string, options?: BrowserContextOptions & { fragment?: string }) => Promise<OpenPage>;

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

const packageFolder = fileURLToPath(new URL('../', import.meta.resolve('@sparticuz/chromium')));
const cacheFolder = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));

/** A Chromium of its own: the one of the dev dependencies on Linux, with the libraries it needs; elsewhere the Chrome that is installed. */
async function launchChromium(): Promise<Browser> {
  if (process.platform !== 'linux') return chromium.launch({ channel: 'chrome' });
  const folder = await unpacked();
  const env = { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') };
  // The sandbox of Chromium does not start for root; what these tests open is their own.
  const args = ['--no-sandbox', '--no-zygote', '--disable-gpu'];
  return chromium.launch({ executablePath: join(folder, 'chromium'), args, env });
}

/** The folder that holds the browser, which is unpacked once for each of its versions. */
async function unpacked(): Promise<string> {
  const description = await readFile(join(packageFolder, 'package.json'), 'utf8');
  const version = /"version":\s*"([\w.-]+)"/.exec(description)?.[1] ?? 'unknown';
  const folder = join(cacheFolder, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  const part = `${folder}.${process.pid}.${threadId}.part`;
  await mkdir(part, { recursive: true });
  await unpackInto(part);
  // Several test files may unpack at once: the first one wins, and none sees half a browser.
  await rename(part, folder).catch(() => rm(part, { recursive: true }));
  return folder;
}

/** The package unpacks into the folder for temporary files, which only a process of its own can have changed safely. */
async function unpackInto(folder: string): Promise<void> {
  const script = `
    import chromium, { inflate } from ${JSON.stringify(import.meta.resolve('@sparticuz/chromium'))};
    await Promise.all([chromium.executablePath(), inflate(${JSON.stringify(join(packageFolder, 'bin', 'al2023.tar.br'))})]);`;
  const env = { ...process.env, TMPDIR: folder };
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { env });
}

/** The report of a run as a reader gets it, with its script. */
export async function pageOf(results: Results, known: ModelSources = {}): Promise<string> {
  return htmlReport(modelOf(results, known), { script: await pageScript() });
}
