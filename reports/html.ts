import type { Results } from '../schemas/results.ts';
import { changesSection } from './html/changes.ts';
import { defectsNote, errorSection, verdictBlock } from './html/verdict.ts';
import { evidencePlan, noEvidence, placesOfChecks, type EvidencePlan } from './html/evidence-plan.ts';
import { type PageExtras, navigation, pageFrame, runFacts } from './html/frame.ts';
import { failureSections } from './html/failures.ts';
import { findingsSection } from './html/findings.ts';
import { historySection, mapSection } from './html/history.ts';
import { leastRoom, textRooms, type TextRoom } from './html/words.ts';
import { markup, type Markup } from './html/markup.ts';
import { matrixSection, unjudgedSections } from './html/matrix.ts';
import { observedSection } from './html/observed/endpoints.ts';
import { trustStrip } from './html/trust.ts';
import { inEnglish, type Say } from './language.ts';
import { earlierRun, seriesOf } from './history.ts';
import { judgedNothing } from './verdicts.ts';

/** Bytes that a page takes at most, so that it opens at once and can be sent by mail; and what counts of what is shown may take. */
const largestPageBytes = 5_000_000;
const spareBytes = 50_000;

/** The report of a run as one page that needs no network, and no script for anything but filters and tools. */
export function htmlReport(results: Results, extras: PageExtras = {}): string {
  const most = largestPageBytes - spareBytes;
  const bareBytes = (room: TextRoom): number => Buffer.byteLength(page(results, extras, room, noEvidence));
  // A target can fill every text that tells of it: then each is shortened until all have room.
  const sizes = textRooms.values().map((room) => ({ room, bytes: bareBytes(room) }));
  const { room, bytes } = sizes.find((size) => size.bytes <= most) ?? { room: leastRoom, bytes: bareBytes(leastRoom) };
  // What the page takes without evidence leaves the rest to the evidence.
  return page(results, extras, room, evidencePlan(results, most - bytes));
}

function page(results: Results, extras: PageExtras, room: TextRoom, evidence: EvidencePlan): string {
  const earlier = earlierRun(results, extras);
  const main = markup`${results.verdict === 'error' ? errorSection(results, room) : undefined}
${defectsNote(results)}
${judgedNothing(results) ? undefined : [findingsSection(results, sayOf(extras)), mapSection(results)]}
${changesSection(earlier, results)}
${trustStrip(results, extras)}
${judgedNothing(results) ? undefined : judged(results, extras, room, evidence)}`;
  return pageFrame(results, extras, {
    header: verdictBlock(results),
    navigation: navigation(main),
    main,
    footer: runFacts(results),
  });
}

function judged(results: Results, extras: PageExtras, room: TextRoom, evidence: EvidencePlan): Markup {
  const series = seriesOf(results, extras.history);
  const say = sayOf(extras);
  const places = placesOfChecks(results);
  return markup`${failureSections({ results, series, baseline: extras.baseline, room, evidence, places, say })}
${matrixSection(results, { room, say }, evidence)}
${unjudgedSections(results, room, say)}
${observedSection(results)}
${historySection(results, series)}`;
}

function sayOf({ inPortuguese = inEnglish.say }: PageExtras): Say {
  return inPortuguese;
}
