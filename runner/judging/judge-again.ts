import { join } from 'node:path';
import { catalogue, liveAt } from '../../contract/catalogue.ts';
import { ArgumentError } from '../command-line/argument-error.ts';
import { runResults } from './run-results.ts';
import { withPassing } from './in-passing.ts';
import { publicationBy, publish } from '../results/publish.ts';
import { clearReports } from '../results/report-folder.ts';
import type { Settings } from '../settings/settings.ts';
import { stopwatch } from '../run/run-facts.ts';
import { readTrace, type Trace } from './trace-file.ts';

/**
 * Judges a run again by its trace, without a target, and writes its reports into the folder `judged` below that of the reports;
 * gives the exit status of the run. Throws an ArgumentError for a file that is no trace of this suite.
 */
export async function judgeAgain(path: string, settings: Settings): Promise<number> {
  const watch = stopwatch();
  const trace = readTrace(path);
  watch.lap('start');
  const publication = publicationBy(settings, watch);
  const reportDir = join(settings.reportDir, 'judged');
  await clearReports(reportDir, 'NFE_REPORT_DIR');
  return publish(resultsOf(trace), { ...publication, reportDir });
}

/** What a trace comes to: nothing but what stands in it decides. */
function resultsOf({ head, outcomes, lines }: Trace) {
  const { facts, halt } = head;
  const ids = new Set(catalogue.map(({ id }) => id));
  const strange = head.clauses.find((id) => !ids.has(id));
  if (strange !== undefined)
    throw new ArgumentError(
      `--judge: the trace tells of ${strange}, which no clause is called here: judge it with the edition of its run`,
    );
  const clauses = catalogue.filter(({ id }) => head.clauses.includes(id));
  const knownDeviations = liveAt(facts.knownDeviations, facts.startedAt);
  const all = withPassing(outcomes, lines, head, { seed: facts.seed, knownDeviations });
  return runResults(facts, clauses, { outcomes: all, halt }).results;
}
