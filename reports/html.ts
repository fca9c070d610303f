import type { Results } from '../schemas/results.ts';
import { changesSection } from './html/changes.ts';
import { evidencePlan, noEvidence, type EvidencePlan } from './html/evidence-plan.ts';
import type { PageExtras } from './html/extras.ts';
import { failureSections } from './html/failures.ts';
import { historySection } from './html/history.ts';
import { markup, type Markup } from './html/markup.ts';
import { matrixSection } from './html/matrix.ts';
import { navigation } from './html/navigation.ts';
import { observedSection } from './html/observed.ts';
import { pageFrame } from './html/page-frame.ts';
import { runFacts } from './html/run-facts.ts';
import { trustStrip } from './html/trust.ts';
import { unjudgedSections } from './html/unjudged.ts';
import { errorSection, verdictBlock } from './html/verdict.ts';
import { earlierRun, seriesOf } from './series.ts';

/** Bytes that a page takes at most, so that it opens at once and can be sent by mail; and what counts of what is shown may take. */
const largestPageBytes = 5_000_000;
const spareBytes = 50_000;

/** The report of a run as one page that needs no network, and no script for anything but filters and tools. */
export function htmlReport(results: Results, extras: PageExtras = {}): string {
  // What the page takes without evidence leaves the rest to the evidence.
  const bare = Buffer.byteLength(page(results, extras, noEvidence));
  return page(results, extras, evidencePlan(results, largestPageBytes - spareBytes - bare));
}

function page(results: Results, extras: PageExtras, evidence: EvidencePlan): string {
  const earlier = earlierRun(results, extras);
  const isJudged = results.verdict !== 'error';
  const main = markup`${isJudged ? undefined : errorSection(results)}
${changesSection(earlier, results)}
${trustStrip(results, extras)}
${isJudged ? judged(results, extras, evidence) : undefined}`;
  return pageFrame(results, extras, {
    header: verdictBlock(results),
    navigation: navigation(main),
    main,
    footer: runFacts(results),
  });
}

function judged(results: Results, extras: PageExtras, evidence: EvidencePlan): Markup {
  const series = seriesOf(results, extras.history);
  return markup`${failureSections({ results, series, baseline: extras.baseline, evidence })}
${matrixSection(results, evidence)}
${unjudgedSections(results)}
${observedSection(results, extras.baseline)}
${historySection(results, series)}`;
}
