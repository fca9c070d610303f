import type { Results } from '../../schemas/results.ts';
import type { PageExtras } from '../html/extras.ts';
import { htmlReport } from '../html.ts';
import { pageScript } from '../page-script.ts';

/** The report of a run as a reader gets it, with its script. */
export async function pageOf(results: Results, extras: PageExtras = {}): Promise<string> {
  return htmlReport(results, { ...extras, script: await pageScript() });
}
