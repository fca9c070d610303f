import { existsSync, readdirSync, renameSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { results as resultsSchema, type Results, type RunVerdict } from '../schemas/results.ts';
import { ctrfReport } from './ctrf.ts';
import { type PageExtras, pageScript } from './html/frame.ts';
import { htmlReport } from './html.ts';
import { junitReport } from './junit.ts';
import { type Language, counted } from './language.ts';
import { mended, type LastSearch, type Leak, type Mended } from './leaks.ts';
import { modelOf, withDefects, type ReportModel } from './model.ts';
import { summaryMarkdown } from './markdown.ts';
import { isScriptFile, scriptFiles, repeatScript } from './repeat/script.ts';
import { levelBrief } from './levels.ts';

const reportFiles = ['results.json', 'index.html', 'junit.xml', 'summary.md', 'ctrf.json', 'badge.json'] as const;

/** A file that a run writes. */
export type ReportFile = (typeof reportFiles)[number];

/** How reports are written. */
export interface WriteOptions {
  /** Looks through what is about to be written for what the mask has missed; given what the suite itself says in any report. */
  readonly searchOf?: (ownTexts: readonly string[]) => LastSearch;
  /** Language of `summary.md`; English when absent. */
  readonly language?: Language;
  /** Files that stay as they are. */
  readonly except?: readonly ReportFile[];
}

const containerLog = 'container.log';

/** What happened in the run, beside its reports. */
export const traceName = 'trace.ndjson.gz';

/** Removes the reports of an earlier run, so that a run which breaks leaves no verdict that is not its own. */
export async function removeReports(directory: string): Promise<void> {
  await removeScripts(directory);
  await Promise.all(
    [...reportFiles, containerLog, traceName].map((file) => rm(join(directory, file), { force: true })),
  );
}

/** Reports that were written, and what the last search had to replace in them. */
export interface WrittenReports {
  readonly paths: readonly string[];
  readonly leaks: readonly Leak[];
}

/**
 * Writes the reports of a run into a directory, which it makes. A run that is cut off leaves whole files only, and of two runs at
 * once the last one replaces all files of the other. A secret that is found in a file is replaced there, and every file tells
 * that it was.
 */
export async function writeReports(
  directory: string,
  model: ReportModel,
  { searchOf, language, except = [] }: WriteOptions = {},
): Promise<WrittenReports> {
  const search = searchOf?.(ownTexts(model));
  const extras = { script: await pageScript(), secretsSought: search?.sought ?? 0 };
  const files = reportFiles
    .filter((name) => !except.includes(name))
    .map((name) => ({ name, path: join(directory, name), part: join(directory, `${name}.${process.pid}.part`) }));
  const writeParts = async (own: ReportModel): Promise<Leak[]> => {
    const makers = makersOf(own, extras, language);
    const leaks: Leak[] = [];
    for (const { name, part } of files) {
      const secrets = await writeMended(part, makers[name](search));
      leaks.push(...secrets.map((secret) => ({ file: name, secret })));
    }
    return leaks;
  };
  await mkdir(directory, { recursive: true });
  try {
    const leaks = await writeParts(model);
    if (leaks.length > 0) await writeParts(withDefects(model, leaks));
    // Without a pause, so that the files of two runs at once don't mix.
    for (const { part, path } of files) renameSync(part, path);
    if (!except.includes('index.html')) await writeScripts(directory, model.results, search);
    return { paths: files.map(({ path }) => path), leaks };
  } finally {
    for (const { part } of files) await rm(part, { force: true });
  }
}

/** Writes the script of each finding, in the place of those that were there. */
async function writeScripts(directory: string, results: Results, search: LastSearch | undefined): Promise<void> {
  await removeScripts(directory);
  for (const [name, script] of scriptFiles(results)) await writeMended(join(directory, name), mended(script, search));
}

async function removeScripts(directory: string): Promise<void> {
  const names = existsSync(directory) ? readdirSync(directory).filter(isScriptFile) : [];
  await Promise.all(names.map((name) => rm(join(directory, name), { force: true })));
}

/** Makes the text of a file, without what the search finds in it. */
type Maker = (search: LastSearch | undefined) => Mended;

/**
 * What makes each of the files, of values that are masked already: here no more is to be found. A secret that is like a word of
 * the suite's own is not sought, since it would break what reads the file.
 */
function makersOf(model: ReportModel, extras: PageExtras, language?: Language): Readonly<Record<ReportFile, Maker>> {
  const file =
    (make: () => string): Maker =>
    (search) =>
      mended(make(), search);
  return {
    'results.json': (search) => mendedJson(model.results, search),
    'index.html': (search) => mendedPage(htmlReport(model, extras), extras.script ?? '', search),
    'junit.xml': file(() => junitReport(model)),
    'summary.md': file(() => summaryMarkdown(model, language)),
    'ctrf.json': file(() => ctrfReport(model)),
    'badge.json': file(() => `${JSON.stringify(badgeOf(model), null, 2)}\n`),
  };
}

/** What any report says, whatever the target sent: names of members, words of pages and addresses in them, the sentences of the catalogue. */
function ownTexts({ results, baseline, mutants, say }: ReportModel): readonly string[] {
  const { format, startedAt, durationMs, counts, verdict, target } = results;
  const bare: Results = {
    format,
    verdict,
    startedAt,
    durationMs,
    seed: 0,
    numRuns: 0,
    requests: 0,
    counts,
    clauses: [],
    target: { ...target, baseUrl: '', profile: '' },
  };
  const model = modelOf(bare, { baseline, mutants, inPortuguese: say['pt-BR'] });
  return [
    JSON.stringify(resultsSchema),
    JSON.stringify(bare),
    htmlReport(model),
    repeatScript([], { baseUrl: '', clause: '', expected: '', actual: '' }),
    junitReport(model),
    ctrfReport(model),
    ...results.clauses.map(({ id }) => `check-${id}-1-1 repeat-${id}.mjs`),
  ];
}

/** What would no longer be JSON is mended text by text. */
function mendedJson(safe: Results, search: LastSearch | undefined): Mended {
  const whole = mended(`${JSON.stringify(safe, null, 2)}\n`, search);
  if (whole.secrets.length === 0 || isJson(whole.text)) return whole;
  const each = (_: string, value: unknown): unknown => (typeof value === 'string' ? mended(value, search).text : value);
  return { ...whole, text: `${JSON.stringify(safe, each, 2)}\n` };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The script of a page stays whole: a secret may be found in it by chance. */
function mendedPage(page: string, script: string, search: LastSearch | undefined): Mended {
  const parts = (script === '' ? [page] : page.split(script)).map((part) => mended(part, search));
  return {
    text: parts.map(({ text }) => text).join(script),
    secrets: [...new Set(parts.flatMap(({ secrets }) => secrets))],
  };
}

async function writeMended(path: string, { text, secrets }: Mended): Promise<readonly string[]> {
  await writeFile(path, text);
  return secrets;
}

/** Writes what a container has written, its secrets masked already, as `container.log` beside the reports. */
export async function writeContainerLog(directory: string, log: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, containerLog), log);
}

/** What an endpoint badge of shields.io takes. */
interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: string;
  /** Keeps whoever shows the badge from giving it another colour. */
  readonly isError?: true;
}

const colours = {
  conformant: 'brightgreen',
  incomplete: 'yellow',
  nonconformant: 'red',
  error: 'lightgrey',
} as const satisfies Record<RunVerdict, string>;

/** The verdict as a badge. A run of a part says so: it must not pass for a run of the whole. */
export function badgeOf(model: ReportModel): Badge {
  const { verdict, filter } = model.results;
  const part = filter === undefined ? '' : ' in part';
  const isFound = verdict === 'conformant' || verdict === 'incomplete';
  return {
    schemaVersion: 1,
    label: 'NF-e contract',
    message: model.judgedNothing ? 'not tested' : `${verdict}${part} · ${findings(model)}`,
    color: colours[verdict],
    ...(isFound ? {} : { isError: true }),
  };
}

function findings({ results: { verdict, level }, groups, must }: ReportModel): string {
  if (verdict === 'nonconformant') {
    const [broken, stale] = [groups.failures.clauses.length, groups.stale.clauses.length];
    return [
      ...(broken > 0 ? [`${counted(broken, 'clause')} failed`] : []),
      ...(stale > 0 ? [counted(stale, 'known deviation stale', 'known deviations stale')] : []),
      ...(level?.complete ? [levelBrief(level)] : []),
    ].join(' · ');
  }
  const passed = must.filter((clause) => clause.verdict === 'passed');
  const reach = level === undefined ? '' : ` · ${levelBrief(level)}`;
  return `${passed.length}/${must.length} must clauses${reach}`;
}
