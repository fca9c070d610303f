import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { faultsOfResults, isResults } from '../schemas/is-results.ts';
import type { Results } from '../schemas/results.ts';
import { htmlReport } from './html.ts';
import { junitReport } from './junit.ts';
import { summaryMarkdown } from './markdown.ts';

/** Replaces secrets in a text. */
type Mask = (text: string) => string;

const reportFiles = ['results.json', 'index.html', 'junit.xml', 'summary.md'] as const;

const containerLog = 'container.log';

/** Removes the reports of an earlier run, so that a run which breaks leaves no verdict that is not its own. */
export async function removeReports(directory: string): Promise<void> {
  await Promise.all([...reportFiles, containerLog].map((file) => rm(join(directory, file), { force: true })));
}

/**
 * Writes `results.json`, `index.html`, `junit.xml` and `summary.md` into a directory, which it makes, and gives their
 * paths. Throws, and writes nothing, where the results don't fit the schema. A run that is cut off leaves whole files only.
 */
export async function writeReports(
  directory: string,
  results: Results,
  options: { baseline?: Results; mask: Mask },
): Promise<string[]> {
  const { baseline, mask } = options;
  const safe = masked(results, mask);
  const texts = {
    'results.json': `${JSON.stringify(safe, null, 2)}\n`,
    'index.html': htmlReport(safe, baseline ? { baseline } : {}),
    'junit.xml': junitReport(safe),
    'summary.md': summaryMarkdown(safe, baseline),
  };
  const files = reportFiles.map((name) => {
    const path = join(directory, name);
    return { path, part: `${path}.${process.pid}.part`, text: mask(texts[name]) };
  });
  await mkdir(directory, { recursive: true });
  try {
    for (const { part, text } of files) await writeFile(part, text);
    for (const { part, path } of files) await rename(part, path);
  } finally {
    for (const { part } of files) await rm(part, { force: true });
  }
  return files.map(({ path }) => path);
}

/** Writes what a container has written, its secrets masked already, as `container.log` beside the reports. */
export async function writeContainerLog(directory: string, log: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, containerLog), log);
}

/** The results with secrets replaced in every text: once escaped for a page, a secret is no longer recognised. */
function masked(results: Results, mask: Mask): Results {
  const maskText = (_: string, value: unknown): unknown => (typeof value === 'string' ? mask(value) : value);
  const copy: unknown = JSON.parse(JSON.stringify(results, maskText));
  if (isResults(copy)) return copy;
  throw new Error(
    `the results of this run are not written, since they don't fit their schema: ${faultsOfResults(copy).join('; ')}`,
  );
}
