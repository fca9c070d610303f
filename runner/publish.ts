import { maskFor } from '../client/mask.ts';
import { secretSearch } from '../client/secret-search.ts';
import { LeakError } from '../reports/leaks.ts';
import { maskedResults } from '../reports/masked.ts';
import { summaryLines } from '../reports/terminal.ts';
import { writeReports, type ReportFile } from '../reports/write.ts';
import type { Results } from '../schemas/results.ts';
import { historyOfRun, type RunHistory } from './history-of-run.ts';
import { mutantsFor } from './mutants-file.ts';
import type { Stopwatch } from './stopwatch.ts';

/** What a run is published with. */
export interface Publication {
  /** Folder of the reports. */
  readonly reportDir: string;
  readonly requireComplete: boolean;
  readonly baseline: Results | undefined;
  /** Every secret that is known, with the text that takes its place. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Secrets of applications that the run made for itself: masked where they came up, and sought once more. */
  readonly made?: ReadonlySet<string>;
  readonly history: RunHistory;
  readonly watch: Stopwatch;
  /** Reports that stay as they are. */
  readonly except?: readonly ReportFile[];
}

/** Adds a run to its history, writes its reports and prints its summary; gives the exit status of that verdict. */
export async function publish(results: Results, publication: Publication): Promise<number> {
  const mask = maskFor(publication.secrets);
  const paths = await written(maskedResults(results, mask), publication);
  if (paths === undefined) return 2;
  publication.watch.lap('reports');
  if (results.verdict === 'error') {
    process.stderr.write(`${mask(`error: ${results.error}`)}\n`);
    return 2;
  }
  const colour = process.stdout.isTTY && !process.env['NO_COLOR'];
  const lines = [...summaryLines(results, { colour }), ...publication.watch.lines(), `Reports: ${paths.join(', ')}`];
  process.stdout.write(`${mask(lines.join('\n'))}\n`);
  return exitStatus(results, publication.requireComplete);
}

/** The paths of the reports; `undefined`, said in one line, where one had to be withheld since a secret was in it. */
async function written(results: Results, publication: Publication): Promise<readonly string[] | undefined> {
  const { reportDir, baseline, secrets, made, except = [] } = publication;
  const mask = maskFor(secrets);
  const mutants = mutantsFor(reportDir);
  const history = historyOfRun(results, publication.history, (line) => void process.stderr.write(`${mask(line)}\n`));
  try {
    return await writeReports(reportDir, results, {
      mask,
      secrets: secretSearch(secrets, made),
      history,
      except,
      ...(baseline === undefined ? {} : { baseline }),
      ...(mutants === undefined ? {} : { mutants }),
    });
  } catch (error) {
    if (!(error instanceof LeakError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    return undefined;
  }
}

function exitStatus({ verdict }: Results, requireComplete: boolean): number {
  switch (verdict) {
    case 'conformant':
      return 0;
    case 'incomplete':
      return requireComplete ? 1 : 0;
    case 'nonconformant':
      return 1;
    case 'error':
      return 2;
  }
}
