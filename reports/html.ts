import { changesSection } from './html/changes.ts';
import { defectsNote, errorSection, verdictBlock } from './html/verdict.ts';
import { evidencePlan, noEvidence, type PageRoom } from './html/evidence-plan.ts';
import { type PageExtras, navigation, pageFrame, runFacts } from './html/frame.ts';
import { failureSections } from './html/failures.ts';
import { findingsSection } from './html/findings.ts';
import { historySection, mapSection } from './html/history.ts';
import { leastRoom, textRooms, type TextRoom } from './html/words.ts';
import { markup } from './html/markup.ts';
import { matrixSection, unjudgedSections } from './html/matrix.ts';
import { observedSection } from './html/observed/endpoints.ts';
import { trustStrip } from './html/trust.ts';
import type { ReportModel } from './model.ts';

/** Bytes that a page takes at most, so that it opens at once and can be sent by mail; and what counts of what is shown may take. */
const largestPageBytes = 5_000_000;
const spareBytes = 50_000;

/** The report of a run as one page that needs no network, and no script for anything but filters and tools. */
export function htmlReport(model: ReportModel, extras: PageExtras = {}): string {
  const most = largestPageBytes - spareBytes;
  const bareBytes = (room: TextRoom): number =>
    Buffer.byteLength(page(model, extras, { room, evidence: noEvidence(model) }));
  // A target can fill every text that tells of it: then each is shortened until all have room.
  const sizes = textRooms.values().map((room) => ({ room, bytes: bareBytes(room) }));
  const { room, bytes } = sizes.find((size) => size.bytes <= most) ?? { room: leastRoom, bytes: bareBytes(leastRoom) };
  // What the page takes without evidence leaves the rest to the evidence.
  return page(model, extras, { room, evidence: evidencePlan(model, most - bytes) });
}

function page(model: ReportModel, extras: PageExtras, shown: PageRoom): string {
  const { results, judgedNothing } = model;
  const main = markup`${results.verdict === 'error' ? errorSection(model, shown) : undefined}
${defectsNote(model)}
${judgedNothing ? undefined : [findingsSection(model), mapSection(model)]}
${changesSection(model)}
${trustStrip(model, extras)}
${
  judgedNothing
    ? undefined
    : markup`${failureSections(model, shown)}
${matrixSection(model, shown)}
${unjudgedSections(model, shown)}
${observedSection(model)}
${historySection(model)}`
}`;
  const parts = { header: verdictBlock(model), navigation: navigation(main), main, footer: runFacts(model) };
  return pageFrame(model, extras, parts);
}
