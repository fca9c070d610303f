import type { Mask } from '../client/mask.ts';
import { summaryLines } from '../reports/terminal.ts';
import { writeReports } from '../reports/write.ts';
import type { Results } from '../schemas/results.ts';
import type { Settings } from './settings.ts';
import type { Stopwatch } from './stopwatch.ts';

/** Writes the reports of a run and prints its summary; gives the exit status of that verdict. */
export async function publish(
  results: Results,
  settings: Settings,
  baseline: Results | undefined,
  mask: Mask,
  watch: Stopwatch,
): Promise<number> {
  const paths = await writeReports(settings.reportDir, results, { ...(baseline ? { baseline } : {}), mask });
  watch.lap('reports');
  if (results.verdict === 'error') {
    process.stderr.write(`${mask(`error: ${results.error}`)}\n`);
    return 2;
  }
  const colour = process.stdout.isTTY && !process.env['NO_COLOR'];
  const lines = [...summaryLines(results, { colour }), ...watch.lines(), `Reports: ${paths.join(', ')}`];
  process.stdout.write(`${mask(lines.join('\n'))}\n`);
  return exitStatus(results, settings.requireComplete);
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
