import { renameSync, rmSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Results } from '../schemas/results.ts';
import { badgeOf } from './badge.ts';
import { ctrfReport } from './ctrf.ts';
import type { PageExtras } from './html/extras.ts';
import { htmlReport } from './html.ts';
import { junitReport } from './junit.ts';
import type { Speech } from './language.ts';
import { LeakError, type Leak, type SecretSearch } from './leaks.ts';
import { summaryMarkdown } from './markdown.ts';
import { maskedResults, type Mask } from './masked.ts';
import { pageScript } from './page-script.ts';
import { earlierRun } from './series.ts';

const reportFiles = ['results.json', 'index.html', 'junit.xml', 'summary.md', 'ctrf.json', 'badge.json'] as const;

/** A file that a run writes. */
export type ReportFile = (typeof reportFiles)[number];

/** What reports are written with, besides the results. */
export interface WriteOptions extends Omit<PageExtras, 'script' | 'secretsSought'> {
  readonly mask: Mask;
  /** Looks through what is about to be written for what the mask has missed. */
  readonly secrets?: SecretSearch;
  /** How `summary.md` speaks; English when absent. */
  readonly speech?: Speech;
  /** Files that stay as they are. */
  readonly except?: readonly ReportFile[];
  /** Writes `results.json` to a path, masked, where it is not to be made of the results; gives the stand of each secret in it. */
  readonly copyResults?: (path: string) => readonly string[];
}

const containerLog = 'container.log';

/** Removes the reports of an earlier run, so that a run which breaks leaves no verdict that is not its own. */
export async function removeReports(directory: string): Promise<void> {
  await Promise.all([...reportFiles, containerLog].map((file) => rm(join(directory, file), { force: true })));
}

/**
 * Writes the reports of a run into a directory, which it makes, and gives their paths. A run that is cut off leaves whole
 * files only, and of two runs at once the last one replaces all files of the other. Throws, and writes nothing, where the
 * results don't fit the schema.
 * @throws {LeakError} where a secret is found in a file: that file is not written, and not left of an earlier run; the
 * others are.
 */
export async function writeReports(directory: string, results: Results, options: WriteOptions): Promise<string[]> {
  const { mask, secrets, except = [], copyResults, baseline, speech, ...told } = options;
  const searched = secrets === undefined ? {} : { secretsSought: secrets.sought };
  // A secret of that run may have become known since.
  const compared = baseline === undefined ? {} : { baseline: maskedResults(baseline, mask) };
  const extras = { ...told, ...compared, ...searched, script: await pageScript() };
  const makers = makersOf(maskedResults(results, mask), extras, speech);
  const files = reportFiles
    .filter((name) => !except.includes(name))
    .map((name) => ({ name, path: join(directory, name), part: join(directory, `${name}.${process.pid}.part`) }));
  const leaks: Leak[] = [];
  await mkdir(directory, { recursive: true });
  try {
    for (const { name, part } of files) {
      const isCopied = name === 'results.json' && copyResults !== undefined;
      const stands = isCopied ? copyResults(part) : await writeSafe(part, makers[name](), secrets);
      leaks.push(...stands.map((stand) => ({ file: name, stand })));
    }
    const leaking: ReadonlySet<string> = new Set(leaks.map(({ file }) => file));
    const clean = files.filter(({ name }) => !leaking.has(name));
    // Without a pause, so that the files of two runs at once don't mix.
    for (const { name, path } of files) if (leaking.has(name)) rmSync(path, { force: true });
    for (const { part, path } of clean) renameSync(part, path);
    if (leaks.length > 0) throw new LeakError(leaks);
    return clean.map(({ path }) => path);
  } finally {
    for (const { part } of files) await rm(part, { force: true });
  }
}

interface FileText {
  readonly text: string;
  /** The text without what the suite itself has put into it. */
  readonly searched: string;
}

/**
 * What makes each of the files, of values that are masked already. The text of a file is masked no more: a secret that is like
 * a name, a number or a word of it would break it.
 */
function makersOf(
  safe: Results,
  told: PageExtras,
  speech: Speech | undefined,
): Readonly<Record<ReportFile, () => FileText>> {
  const file = (text: string): FileText => ({ text, searched: text });
  return {
    'results.json': () => file(`${JSON.stringify(safe, null, 2)}\n`),
    'index.html': () => pageText(htmlReport(safe, told), told.script ?? ''),
    'junit.xml': () => file(junitReport(safe)),
    'summary.md': () => file(summaryMarkdown(safe, earlierRun(safe, told), speech)),
    'ctrf.json': () => file(ctrfReport(safe)),
    'badge.json': () => file(`${JSON.stringify(badgeOf(safe), null, 2)}\n`),
  };
}

/** The script of a page is not searched: a secret may be found in it by chance. */
function pageText(page: string, script: string): FileText {
  return { text: page, searched: script === '' ? page : page.split(script).join('\n') };
}

/** Writes a text, unless a secret is in it; gives what stands for each that is. */
async function writeSafe(path: string, file: FileText, secrets: SecretSearch | undefined): Promise<readonly string[]> {
  const stands = secrets?.foundIn(file.searched) ?? [];
  if (stands.length === 0) await writeFile(path, file.text);
  return stands;
}

/** Writes what a container has written, its secrets masked already, as `container.log` beside the reports. */
export async function writeContainerLog(directory: string, log: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, containerLog), log);
}
