import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { threadId } from 'node:worker_threads';
import { chromium, type Browser } from 'playwright-core';

const packageFolder = fileURLToPath(new URL('../', import.meta.resolve('@sparticuz/chromium')));
const cacheFolder = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));

/** A Chromium of its own: the one of the dev dependencies on Linux, with the libraries it needs; elsewhere the Chrome that is installed. */
export async function launchChromium(): Promise<Browser> {
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
