import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ArgumentError } from '../command-line/argument-error.ts';
import { mergedRun, readShards } from '../shards/shard-results.ts';
import { publicationBy, publish, type Publication } from './publish.ts';
import { clearReports, proveWritable, readResultsFile } from './report-folder.ts';
import type { Settings } from '../settings/settings.ts';
import { stopwatch } from '../run/run-facts.ts';

/** What else a report of a past run is asked for: paths. */
export interface ReportWishes {
  readonly out?: string;
  readonly baseline?: string;
  readonly history?: string;
}

/** The exit status of a report, and the folder where it lies. */
export interface Published {
  readonly status: number;
  readonly reportDir: string;
}

/** Publishes what the shards in a folder come to together, as one run of the history. Throws an ArgumentError. */
export async function publishMerged(folder: string, asked: ReportWishes, settings: Settings): Promise<Published> {
  const reportDir = asked.out ?? settings.reportDir;
  const publication = publicationOf(reportDir, asked, settings);
  const results = mergedRun(readShards(folder, reportDir));
  await clearReports(reportDir, asked.out === undefined ? 'NFE_REPORT_DIR' : '--out');
  const history = { ...publication.history, isAdded: true };
  return { reportDir, status: await publish(results, { ...publication, history }) };
}

/**
 * Publishes the run of a `results.json` again: beside it, unless asked otherwise. That file stays as it is, and so does the
 * one of another run beside it: then an ArgumentError asks for another folder.
 */
export async function publishAgain(path: string, asked: ReportWishes, settings: Settings): Promise<Published> {
  const reportDir = asked.out ?? dirname(path);
  const there = join(reportDir, 'results.json');
  const isThere = existsSync(there);
  const isOwn = isThere && isSameFile(there, path);
  const results = readResultsFile(path);
  if (isThere && !isOwn && asked.out === undefined) {
    throw new ArgumentError(`${there} is of another run than ${path}: name a folder for its reports with --out`);
  }
  if (asked.history !== undefined && !existsSync(asked.history)) {
    throw new ArgumentError(`--history ${asked.history}: there is no such file`);
  }
  const publication = publicationOf(reportDir, asked, settings);
  proveWritable(reportDir, '--out');
  const except = isOwn ? (['results.json'] as const) : [];
  return { reportDir, status: await publish(results, { ...publication, except }) };
}

/** Whether two paths lead to the same file, or to files that are equal. */
function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (!a?.isFile() || !b?.isFile() || a.size !== b.size) return false;
  return readFileSync(one).equals(readFileSync(other));
}

function publicationOf(reportDir: string, { baseline, history }: ReportWishes, settings: Settings): Publication {
  const own = { ...settings, reportDir, history: history ?? settings.history };
  if (baseline === undefined) return publicationBy(own, stopwatch());
  return { ...publicationBy({ ...own, baseline: undefined }, stopwatch()), baseline: readResultsFile(baseline) };
}
