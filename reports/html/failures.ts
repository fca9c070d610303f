import { topicOf } from '../../contract/catalogue.ts';
import { readingsOf, type Reading } from '../../contract/readings.ts';
import type { Finding } from '../../schemas/finding.ts';
import { type CheckResult, type ClauseResult, runIdOf, type ExchangeEvidence } from '../../schemas/results.ts';
import { brokenEndpoints } from '../changes.ts';
import { failedChecks, ending } from '../evidence.ts';
import { type Phrase, type Say, duration, figure } from '../language.ts';
import { groups, type ReportModel } from '../model.ts';
import { isStale } from '../verdicts.ts';
import { comparedBlock } from './difference.ts';
import { lackNote, repeatBlock, type PageRoom, placeInTime } from './evidence-plan.ts';
import { exchangeList, steeredList } from './exchange.ts';
import {
  lineSaid,
  said,
  saidCount,
  saidDuration,
  saidFigure,
  saidPhrase,
  clauseLink,
  findingPlace,
  flakyNote,
  levelWord,
  selfLink,
  statementSaid,
  statementText,
  verdictWord,
  saidBy,
} from './words.ts';
import { markup, type Markup } from './markup.ts';
import { sinceText } from './history.ts';
import { calledEndpoint, methodAndPath } from '../../contract/endpoints.ts';
import { shortened } from '../visible.ts';
import { caseBlock } from './case.ts';
import { sentencesOf, type Sentence } from '../../contract/sentences.ts';

/** What every failure of a page is told from. */
interface FailureContext extends PageRoom {
  readonly model: ReportModel;
  /** Into Portuguese. */
  readonly say: Say;
}

/** Sections of what did not hold: failures, stale known deviations, warnings, known deviations; those without a clause are left out. */
export function failureSections(model: ReportModel, shown: PageRoom): (Markup | undefined)[] {
  const context = { model, say: model.say['pt-BR'], ...shown };
  return kinds.map((kind) => failureSection(kind, context));
}

type FailureGroup = 'failures' | 'stale' | 'warnings' | 'known';

function failureSection(id: FailureGroup, context: FailureContext): Markup | undefined {
  const { clauses } = context.model.groups[id];
  if (clauses.length === 0) return undefined;
  return markup`<section id="${id}" class="failures" aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${saidPhrase(groups[id].title)}: ${saidFigure(clauses.length)}</h2>
<p class="note">${saidPhrase(notes[id])}</p>
${cardsOf(clauses, context.model).map((card) => cardOf(card, context))}
</section>
`;
}

/** Clauses that are told together: those of a finding, the one that shows it best in front; or one that is of none. */
interface Card {
  readonly number?: number;
  readonly finding?: Finding;
  readonly clauses: readonly [ClauseResult, ...ClauseResult[]];
}

/** The clauses of a section by the findings that they are of, in the order of these. */
function cardsOf(clauses: readonly ClauseResult[], { findings }: ReportModel): Card[] {
  const byId = new Map(clauses.map((clause) => [clause.id, clause]));
  const found = findings.flatMap((finding, at): Card[] => {
    const [first, ...others] = finding.clauses.flatMap((id) => byId.get(id) ?? []);
    return first ? [{ number: at + 1, finding, clauses: [first, ...others] }] : [];
  });
  const told = new Set(found.flatMap((card) => card.clauses));
  return [...found, ...clauses.filter((clause) => !told.has(clause)).map((clause): Card => ({ clauses: [clause] }))];
}

/** The clause that shows a finding best, the others that it breaks folded behind it. */
function cardOf({ number, finding, clauses: [first, ...others] }: Card, context: FailureContext): Markup {
  const articles = others.map((clause) => clauseArticle(clause, context));
  return markup`${clauseArticle(first, context, finding && findingLink(finding, number))}
${
  others.length === 0
    ? undefined
    : markup`<details class="same-cause"><summary>${saidCount(others.length, sameCauseNouns)}</summary>
${articles}</details>
`
}`;
}

const sameCauseNouns = {
  en: ['clause more that the same breaks', 'clauses more that the same breaks'],
  'pt-BR': ['cláusula a mais que o mesmo quebra', 'cláusulas a mais que o mesmo quebra'],
} as const;

function findingLink(finding: Finding, number = 0): Markup {
  return markup`, <a href="#${findingPlace(finding)}">${said('finding', 'achado')} ${number}</a>`;
}

function clauseArticle(clause: ClauseResult, context: FailureContext, link?: Markup): Markup {
  const { id, verdict, section, level, statement, reason } = clause;
  return markup`<article class="clause ${verdict}" id="failure-${id}" data-verdict="${verdict}" data-level="${level}" data-topic="${topicOf(id)}" aria-labelledby="heading-${id}">
<h3 id="heading-${id}">${clauseLink(id)} ${isStale(clause) ? staleWord() : verdictWord(verdict)}${selfLink(`failure-${id}`)}</h3>
<p class="where">${said('section', 'seção')} ${section}, ${levelWord(level)}${isStale(clause) ? undefined : markup`, ${sinceText(id, context.model)}`}${link}</p>
<p class="statement">${statementSaid(statement, context.say)}</p>
${quotes(sentencesOf(clause))}${readAs(readingsOf(id), context.say)}${reason === undefined ? undefined : markup`<p class="reason"><strong>${said('Reason', 'Motivo')}:</strong> ${lineSaid(reason, context.room, context.say)}</p>`}
${failedChecks(clause).map((check) => checkBlock(check, context, clause))}
</article>
`;
}

/** What the contract says of it, in its own words: they stay in its language, whichever the page is in. */
function quotes(sentences: readonly Sentence[]): Markup | undefined {
  if (sentences.length === 0) return undefined;
  const lines = sentences.map(
    ({ section, sentence }) =>
      markup`<p><span lang="en">${statementText(sentence)}</span> <cite>${said('contract', 'contrato')}, ${section}</cite></p>`,
  );
  return markup`<blockquote>${lines}</blockquote>
`;
}

/** How a doubtful place of it is read. */
function readAs(readings: readonly Reading[], say: Say): Markup[] {
  return readings.map(
    ({ number, text }) =>
      markup`<p class="note">${said('Reading', 'Leitura')} ${number}: ${statementSaid(text, say)}</p>
`,
  );
}

/** What stands for the verdict of a clause that holds: the run has failed for its entry in the list alone. */
function staleWord(): Markup {
  return markup`<span class="verdict failed"><span aria-hidden="true">✗</span> ${said('stale entry', 'entrada vencida')}</span>`;
}

function checkBlock(check: CheckResult, context: FailureContext, { id, verdict }: ClauseResult): Markup {
  const { room, evidence, say } = context;
  const { error } = check;
  const place = evidence.places.get(check) ?? '';
  const endpoints = brokenEndpoints(check);
  const facts = [
    saidCount(check.cases, { en: ['case', 'cases'], 'pt-BR': ['caso', 'casos'] }),
    saidCount(check.assertions, { en: ['assertion', 'assertions'], 'pt-BR': ['asserção', 'asserções'] }),
    saidDuration(check.durationMs),
  ];
  return markup`<div class="check" id="${place}">
<h4>${statementSaid(error?.title ?? check.name, say)}${selfLink(place)}</h4>
${verdict === 'failed' && check.covered ? coveredNote() : undefined}
${
  error &&
  comparedBlock(
    { label: said('Expected', 'Esperado'), text: error.expected, portuguese: say(error.expected), kind: 'expected' },
    { label: said('Actual', 'Obtido'), text: error.actual, portuguese: say(error.actual), kind: 'actual' },
    room,
  )
}
<dl class="finding">${[
    entry(
      said('Fails on', 'Falha em'),
      endpoints.length === 0
        ? undefined
        : markup`<ul>${endpoints.map((one) => markup`<li><code>${one}</code></li>`)}</ul>`,
    ),
    entry(said('Diagnosis', 'Diagnóstico'), diagnosis(error, context)),
    entry(
      isMadeSmaller(check) ? said('Smallest case', 'Menor caso') : said('Case', 'Caso'),
      check.counterexample === undefined ? undefined : caseBlock(check.counterexample, room),
    ),
  ]}</dl>
${flakyNote(check, room, say)}
${timelineOf(check)}${steeredList(check)}${exchangeList(check, evidence.exchangesOf(check))}
${repeatBlock(check, evidence.scriptOf(check) ?? lackNote({ id }, check))}
<p class="note">${check.file}${facts.map((fact) => markup`, ${fact}`)}, ${said('run', 'execução')} ${runIdOf(context.model.results)}</p>
</div>
`;
}

/** Of a check that failed in a way that is accepted, beside another that makes its clause fail. */
function coveredNote(): Markup {
  return markup`<p class="note">${said('A known deviation covers this failure.', 'Um desvio conhecido cobre esta falha.')}</p>`;
}

/** Whether the case of a failure is what was left of a larger one: then its path tells of every step on the way there. */
function isMadeSmaller({ replay = '' }: CheckResult): boolean {
  return /--path \d+:/.test(replay);
}

function diagnosis(error: CheckResult['error'], context: FailureContext): Markup | undefined {
  const hint = error?.hint === undefined ? undefined : lineSaid(error.hint, context.room, context.say);
  if (error?.premise ?? error?.twin) {
    const sentence = said(
      'The check did not come to its own rule: what it builds on does not hold.',
      'A verificação não chegou à própria regra: não vale aquilo em que ela se apoia.',
    );
    return hint === undefined ? sentence : markup`<p>${hint}</p><p>${sentence}</p>`;
  }
  return hint;
}

function entry(label: Markup, body: Markup | undefined): Markup | undefined {
  return (
    body &&
    markup`<dt>${label}</dt><dd>${body}</dd>
`
  );
}

/** The kinds of what did not hold, in the order of the page. */
const kinds = ['failures', 'stale', 'warnings', 'known'] as const satisfies readonly FailureGroup[];

/** What is said of the clauses of a kind. */
const notes: Readonly<Record<FailureGroup, Phrase>> = {
  failures: { en: 'Each of these breaks the contract.', 'pt-BR': 'Cada uma destas quebra o contrato.' },
  stale: {
    en: 'Only the list of known deviations fails these: an entry names what holds now, or has run out. Correct the list.',
    'pt-BR':
      'Só a lista de desvios conhecidos reprova estas: uma entrada cita o que agora é cumprido, ou venceu. Corrija a lista.',
  },
  warnings: {
    en: 'Recommended or only implied by the contract; the run stays conformant.',
    'pt-BR': 'Recomendado ou apenas implícito no contrato; a execução continua conforme.',
  },
  known: {
    en: 'Listed as accepted for now; the run stays conformant.',
    'pt-BR': 'Listados como aceitos por ora; a execução continua conforme.',
  },
};

/** A request of a history: milliseconds from the first of those that were under way at once. */
interface TimelineRow {
  /** Which exchange of its check it is, as in the list of these. */
  readonly number: number;
  readonly label: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** The failure is about its answer. */
  readonly isAccused: boolean;
}

/** Rows that are drawn: the last ones. */
const mostRows = 12;
const longestLabel = 90;

/**
 * Requests of a failure that were under way at once, drawn: a row each, from when it was sent until it was answered. Of what is seen in
 * passing also what came before, at the edge. Nothing where they were sent one after another.
 */
export function timelineOf(check: CheckResult): Markup | undefined {
  const rows = rowsOf(check);
  if (rows.length < 2) return undefined;
  const endMs = Math.max(...rows.map(({ toMs }) => toMs));
  return markup`<figure class="timeline">
<figcaption>${said('Under way at once, from when each was sent until it was answered', 'Em andamento ao mesmo tempo, de cada envio até a resposta')}: ${saidBy((language) => duration(endMs, language))}</figcaption>
<svg viewBox="0 0 ${width} ${rows.length * rowHeight}" width="${width}" style="max-width:100%;height:auto" aria-hidden="true">${rows.map((row, at) => drawn(row, at, endMs))}</svg>
<ol class="unseen">${rows.map(heard)}</ol>
</figure>
`;
}

function rowsOf({ exchanges = [], inPassing, together }: CheckResult): TimelineRow[] {
  const shown = inPassing ? exchanges.slice(-(together ?? 1)) : exchanges;
  const own = shown.filter(({ received }) => !received);
  const accused = own.at(-1);
  const timed = own.flatMap((exchange) =>
    exchange.at === undefined ? [] : [{ exchange, ...spanOf(exchange, exchange.at) }],
  );
  const atOnce = timed.filter((one) => timed.some((other) => other !== one && isOverlapping(one, other)));
  if (atOnce.length === 0) return [];
  const startMs = startOf(atOnce);
  return timed
    .filter(({ toMs }) => inPassing || toMs >= startMs)
    .toSorted((one, other) => one.fromMs - other.fromMs)
    .slice(-mostRows)
    .map(({ exchange, fromMs, toMs }) => ({
      number: placeInTime(exchanges, exchanges.indexOf(exchange)),
      label: labelOf(exchange),
      fromMs: fromMs - startMs,
      toMs: toMs - startMs,
      isAccused: exchange === accused,
    }));
}

type Span = Pick<TimelineRow, 'fromMs' | 'toMs'>;

function spanOf({ durationMs }: ExchangeEvidence, fromMs: number): Span {
  return { fromMs, toMs: fromMs + durationMs };
}

function isOverlapping(one: Span, other: Span): boolean {
  return one.fromMs < other.toMs && other.fromMs < one.toMs;
}

/** When the first of those began that were under way with the last one, or with one that was. */
function startOf(spans: readonly Span[]): number {
  const lastFirst = spans.toSorted((one, other) => other.toMs - one.toMs);
  return lastFirst.reduce(
    (startMs, { fromMs, toMs }) => (toMs > startMs ? Math.min(startMs, fromMs) : startMs),
    lastFirst[0]?.fromMs ?? 0,
  );
}

/** A request and what it came to: "POST /x → 200", with the state of an invoice that the answer tells. */
function labelOf(exchange: ExchangeEvidence): string {
  const { method, target } = exchange.request;
  const endpoint = calledEndpoint(method, target);
  const state = /"status":\s?"([^"]{1,30})"/.exec(exchange.response?.body.text ?? '')?.[1];
  const asked = endpoint ? methodAndPath(endpoint) : `${method} ${target}`;
  return shortened(`${asked} → ${ending(exchange)}${state === undefined ? '' : ` ${state}`}`, longestLabel);
}

const width = 640;
const rowHeight = 36;
const barHeight = 10;

function drawn({ number, label, fromMs, toMs, isAccused }: TimelineRow, at: number, endMs: number): Markup {
  const top = at * rowHeight;
  const colour = isAccused ? 'var(--failed)' : 'var(--soft)';
  const [left, right] = [fromMs, toMs].map((ms) => Math.round((Math.max(0, ms) / endMs) * width));
  // What came before all this is a stroke at the edge.
  const length = Math.max(3, (right ?? 0) - (left ?? 0));
  return markup`
<text x="0" y="${top + 14}" font-size="12" style="fill:${isAccused ? colour : 'var(--text)'}">${isAccused ? '✗ ' : undefined}${number}. ${label}</text>
<rect x="${left}" y="${top + 20}" width="${length}" height="${barHeight}" rx="2" style="fill:${colour}"/>`;
}

function heard({ number, label, fromMs, toMs, isAccused }: TimelineRow): Markup {
  const sentence = saidBy((language) => {
    const [from, to] = [fromMs, toMs].map((ms) => figure(Math.round(ms), language));
    return language === 'en'
      ? `sent at ${from} ms, answered at ${to} ms`
      : `enviada em ${from} ms, respondida em ${to} ms`;
  });
  return markup`<li value="${number}">${label}: ${sentence}${isAccused ? markup` (${said('this answer is accused', 'esta resposta é a acusada')})` : undefined}</li>
`;
}
