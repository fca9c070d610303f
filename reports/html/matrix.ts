import type { CheckResult, ClauseResult } from '../../schemas/results.ts';
import type { Phrase, Say } from '../language.ts';
import type { ReportModel } from '../model.ts';
import { type TopicSummary, type ReasonGroup, clausesText } from '../verdicts.ts';
import { oneIn } from '../levels.ts';
import type { EvidencePlan, PageRoom } from './evidence-plan.ts';
import {
  lineSaid,
  said,
  saidDuration,
  saidFigure,
  saidPart,
  saidPhrase,
  saidBy,
  flakyNote,
  levelWord,
  statementSaid,
  verdictWord,
  clauseLink,
} from './words.ts';
import { markup, type Markup } from './markup.ts';
import { sampleDetails, type Sample } from './exchange.ts';
import { filterTools } from './frame.ts';

/** How the texts of a row are told. */
interface RowWords extends PageRoom {
  /** Into Portuguese. */
  readonly say: Say;
}

/** Section with every clause of the run, topic by topic, and samples of the exchanges of what passed. */
export function matrixSection(model: ReportModel, shown: PageRoom): Markup {
  const words = { say: model.say['pt-BR'], ...shown };
  return markup`<section id="clauses" aria-labelledby="clauses-heading">
<h2 id="clauses-heading">${said('All clauses by topic', 'Todas as cláusulas por tópico')}</h2>
${filterTools(model)}
${model.topics.map((topic) => topicTable(topic, words))}
</section>`;
}

function anchorOf(topic: string): string {
  return `topic-${topic}`;
}

const columns: readonly Markup[] = [
  said('clause', 'cláusula'),
  said('verdict', 'veredito'),
  said('level', 'nível'),
  said('section', 'seção'),
  said('checks', 'verificações'),
  said('cases', 'casos'),
  said('seen', 'vistos'),
  said('time', 'tempo'),
];

function topicTable({ topic, clauses }: TopicSummary, words: RowWords): Markup {
  const heading = anchorOf(topic);
  const held = clauses.filter(({ verdict }) => verdict === 'passed').length;
  const isOpen = held < clauses.length;
  return markup`<section class="topic" data-topic="${topic}">
<details class="topic-fold"${isOpen ? markup` open` : undefined}><summary><h3 id="${heading}">${topic}</h3> <span class="note">${saidPart(held, clauses.length)} ${said('passed', 'passaram')}</span></summary>
<div class="wide" role="region" aria-labelledby="${heading}" tabindex="0"><table class="matrix">
<thead><tr>${columns.map((column) => markup`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${clauses.map((clause) => clauseRow(clause, topic, words))}</tbody>
</table></div></details>
</section>
`;
}

function clauseRow(clause: ClauseResult, topic: string, words: RowWords): Markup {
  const { room, evidence } = words;
  const { id, statement, verdict, level, section, checks, reason } = clause;
  const sum = (of: (check: CheckResult) => number): number => checks.reduce((total, check) => total + of(check), 0);
  const open = checks.filter((check) => check.state === 'not-exercised');
  const isUnjudged =
    verdict === 'not-exercised' || verdict === 'blocked' || verdict === 'withheld' || verdict === 'unobservable';
  return markup`<tr id="clause-${id}" data-verdict="${verdict}" data-level="${level}" data-topic="${topic}"><th scope="row"><code>${id}</code><span class="statement">${statementSaid(statement, words.say)}</span>${
    isUnjudged
      ? markup`<span class="note">${lineSaid(reason ?? '', room, words.say)}</span>`
      : open.map((check) => openNote(check, words))
  }${checks.map((check) => flakyNote(check, room, words.say))}${sampleDetails(samplesOf(checks, evidence), words.say)}</th>
<td>${verdictCell(clause)}</td><td>${levelWord(level)}</td><td>${section}</td>
<td>${open.length === 0 ? saidFigure(checks.length) : saidPart(checks.length - open.length, checks.length)}</td><td>${saidFigure(sum((check) => check.cases))}</td><td>${seenCell(clause)}</td><td>${saidDuration(sum((check) => check.durationMs))}</td></tr>
`;
}

/** How many answers and deliveries bear on a clause, and which rate of wrong ones they exclude. */
function seenCell(clause: ClauseResult): Markup | undefined {
  const { observations } = clause;
  if (observations === undefined) return undefined;
  const { right, wrong, over = [] } = observations;
  const sure = oneIn(clause);
  const varied = over.map(({ name, values }) => `${name} ${values}`).join(', ');
  const seen = wrong === 0 ? saidFigure(right) : saidPart(right, right + wrong);
  const excluded =
    sure === undefined || wrong > 0
      ? undefined
      : markup` <span class="note">${said('excludes 1 in', 'exclui 1 em')} ${saidFigure(sure)}</span>`;
  return markup`<span${varied === '' ? undefined : markup` title="${varied}"`}>${seen}</span>${excluded}`;
}

function verdictCell({ id, verdict }: ClauseResult): Markup {
  const hasArticle = verdict === 'failed' || verdict === 'warned' || verdict === 'known';
  return hasArticle ? markup`<a href="#failure-${id}">${verdictWord(verdict)}</a>` : verdictWord(verdict);
}

function openNote({ name, reason }: CheckResult, words: RowWords): Markup {
  return markup`<span class="note">${said('Not exercised', 'Não exercitada')}: ${statementSaid(name, words.say)}${reason === undefined ? undefined : markup` (${lineSaid(reason, words.room, words.say)})`}</span>`;
}

function samplesOf(checks: readonly CheckResult[], { exchangesOf }: EvidencePlan): Sample[] {
  const passed = checks.filter(({ state }) => state === 'passed');
  return passed.map((check) => ({ check, shown: exchangesOf(check) })).filter(({ shown }) => shown.length > 0);
}

/** What the sections of what was not judged are called, in their order. */
const openTitles = {
  'not-exercised': {
    en: 'Not exercised, and what would change that',
    'pt-BR': 'Não exercitadas, e o que mudaria isso',
  },
  blocked: { en: 'Blocked, and by what', 'pt-BR': 'Bloqueadas, e por quê' },
  withheld: { en: 'Withheld, and what lifts it', 'pt-BR': 'Retidas, e o que as libera' },
  unobservable: { en: 'Unobservable, and why', 'pt-BR': 'Inobserváveis, e por quê' },
} as const satisfies Readonly<Record<string, Phrase>>;

/** Sections of what was not judged: not exercised, then blocked, then withheld, then unobservable, each grouped by reason. */
export function unjudgedSections(model: ReportModel, shown: PageRoom): (Markup | undefined)[] {
  const words = { say: model.say['pt-BR'], ...shown };
  return (['not-exercised', 'blocked', 'withheld', 'unobservable'] as const).map((id) => {
    const { clauses, reasons } = model.groups[id];
    if (clauses.length === 0) return undefined;
    const title = saidPhrase(openTitles[id]);
    return markup`<section id="${id}" aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${title}: ${saidBy((language) => clausesText(clauses, language))}</h2>
${reasons.map((group) => groupBlock(group, words))}
</section>
`;
  });
}

function groupBlock({ reason, clauses }: ReasonGroup, words: RowWords): Markup {
  return markup`<h3 class="reason">${lineSaid(reason, words.room, words.say)}</h3>
<ul class="links">${clauses.map(({ id, level }) => markup`<li>${clauseLink(id)}${level === 'must' ? undefined : markup` <span class="where">${levelWord(level)}</span>`}</li>`)}</ul>
`;
}
