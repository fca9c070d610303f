import { changesSection, historySection, mapSection } from './html/history.ts';
import { defectsNote, errorSection, verdictBlock, trustStrip } from './html/verdict.ts';
import { evidencePlan, noEvidence, type PageRoom } from './html/evidence-plan.ts';
import { type PageExtras, navigation, pageFrame, runFacts } from './html/frame.ts';
import { failureSections } from './html/failures.ts';
import {
  leastRoom,
  textRooms,
  type TextRoom,
  said,
  saidBy,
  saidCount,
  saidFigure,
  clauseLink,
  findingPlace,
  selfLink,
  verdictWord,
} from './html/words.ts';
import { markup, type Markup } from './html/markup.ts';
import { matrixSection, unjudgedSections } from './html/matrix.ts';
import { observedSection } from './html/observed/endpoints.ts';
import type { ReportModel } from './model.ts';
import type { Finding } from '../schemas/finding.ts';
import type { ClauseResult } from '../schemas/results.ts';
import { findingStatement, lookOf } from './findings/statement.ts';
import { utc } from './language.ts';

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

/** Findings that are told: of a target that gets everything wrong nobody reads more. */
const mostTold = 40;

/** Section with the causes of what does not hold, the heaviest first; nothing where all holds. */
function findingsSection({ findings, results, say }: ReportModel): Markup | undefined {
  if (findings.length === 0) return undefined;
  const left = findings.length - mostTold;
  return markup`<section id="findings" aria-labelledby="findings-heading">
<h2 id="findings-heading">${said('Findings', 'Achados')}: ${saidFigure(findings.length)}</h2>
<ol class="findings">
${findings.slice(0, mostTold).map((finding) => findingItem(finding, results.clauses, say))}</ol>
${left > 0 ? markup`<p class="note">${saidCount(left, { en: ['more finding', 'more findings'], 'pt-BR': ['achado a mais', 'achados a mais'] })}</p>` : undefined}
</section>`;
}

function findingItem(finding: Finding, clauses: readonly ClauseResult[], say: ReportModel['say']): Markup {
  const [first = '', ...others] = finding.clauses;
  const section = clauses.find(({ id }) => id === first)?.section ?? '';
  const statement = saidBy((language) => findingStatement(finding, { language, say: say[language] }));
  const place = findingPlace(finding);
  return markup`<li id="${place}">
<p class="statement">${verdictWord(lookOf(finding, clauses).verdict)} ${statement}${selfLink(place)}</p>
<div class="where">${said('section', 'seção')} ${section}, ${failureLink(first)}${others.length === 0 ? undefined : markup` ${said('and', 'e')} ${clauseList(others, { en: ['clause more', 'clauses more'], 'pt-BR': ['cláusula a mais', 'cláusulas a mais'] })}`}${blockedList(finding)}${sinceText(finding)}</div>
</li>
`;
}

function failureLink(id: string): Markup {
  return markup`<a href="#failure-${id}"><code>${id}</code></a>`;
}

function blockedList({ blocked }: Finding): Markup | undefined {
  if (blocked.length === 0) return undefined;
  const nouns = { en: ['clause', 'clauses'], 'pt-BR': ['cláusula', 'cláusulas'] } as const;
  return markup`; ${said('blocks', 'bloqueia')} ${clauseList(blocked, nouns)}`;
}

function clauseList(ids: readonly string[], nouns: Parameters<typeof saidCount>[1]): Markup {
  const links = ids.map((id, at) => markup`${at === 0 ? undefined : ', '}${clauseLink(id)}`);
  return markup`<details class="inline"><summary>${saidCount(ids.length, nouns)}</summary>${links}</details>`;
}

function sinceText({ since, isNew }: Finding): Markup | undefined {
  if (since === undefined) return undefined;
  if (isNew) return markup`; <strong>${said('new since the last run', 'novo desde a última execução')}</strong>`;
  return markup`; ${said('since', 'desde')} ${utc(since)}`;
}
