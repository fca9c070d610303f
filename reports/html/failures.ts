import { topicOf } from '../../contract/catalogue.ts';
import { sentencesOf, type Sentence } from '../../contract/sentences.ts';
import type { CheckResult, ClauseResult, Results } from '../../schemas/results.ts';
import { brokenEndpoints } from '../breakage.ts';
import { failedChecks } from '../evidence.ts';
import type { SeriesRun } from '../series.ts';
import { isStale } from '../stale.ts';
import type { EvidencePlan } from './evidence-plan.ts';
import { exchangeList } from './exchange-list.ts';
import { failureKinds, type FailureKind } from './failure-kinds.ts';
import { blockOf, lineOf, type TextRoom } from './long-text.ts';
import { markup, type Markup } from './markup.ts';
import { repeatBlock } from './repeat.ts';
import { said, saidCount, saidDuration, saidFigure } from './said.ts';
import { sinceText } from './since.ts';
import { clauseLink, flakyNote, levelWord, statementText, verdictWord } from './words.ts';

/** What every failure of a page is told from. */
export interface FailureContext {
  readonly results: Results;
  /** The last runs, this one last. */
  readonly series: readonly SeriesRun[];
  /** An earlier run that this one is compared with. */
  readonly baseline?: Results | undefined;
  readonly room: TextRoom;
  readonly evidence: EvidencePlan;
}

/** Sections of what did not hold: failures, stale known deviations, warnings, known deviations; those without a clause are left out. */
export function failureSections(context: FailureContext): (Markup | undefined)[] {
  return failureKinds.map((kind) => failureSection(kind, context));
}

function failureSection({ isOf, id, title, note }: FailureKind, context: FailureContext): Markup | undefined {
  const clauses = context.results.clauses.filter(isOf);
  if (clauses.length === 0) return undefined;
  return markup`<section id="${id}" class="failures" aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${title}: ${shownOf()}${saidFigure(clauses.length)}</h2>
<p class="note">${note}</p>
${clauses.map((clause) => clauseArticle(clause, context))}
</section>
`;
}

/** Where the page's script says how many of them a filter shows. */
function shownOf(): Markup {
  return markup`<span class="shown-of" hidden><span data-slot="shown-here"></span> ${said('of', 'de')} </span>`;
}

function clauseArticle(clause: ClauseResult, context: FailureContext): Markup {
  const { id, verdict, section, level, statement, reason } = clause;
  return markup`<article class="clause ${verdict}" id="failure-${id}" data-verdict="${verdict}" data-level="${level}" data-topic="${topicOf(id)}" aria-labelledby="heading-${id}">
<h3 id="heading-${id}">${clauseLink(id)} ${isStale(clause) ? staleWord() : verdictWord(verdict)}</h3>
<p class="where">${said('section', 'seção')} ${section}, ${levelWord(level)}${isStale(clause) ? undefined : markup`, ${sinceText(id, context.series, context.baseline)}`}</p>
<p class="statement">${statementText(statement)}</p>
${quotes(sentencesOf(clause))}${reason === undefined ? undefined : markup`<p class="reason"><strong>${said('Reason', 'Motivo')}:</strong> ${lineOf(reason, context.room)}</p>`}
${failedChecks(clause).map((check) => checkBlock(check, context, verdict === 'failed'))}
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

/** What stands for the verdict of a clause that holds: the run has failed for its entry in the list alone. */
function staleWord(): Markup {
  return markup`<span class="verdict failed"><span aria-hidden="true">✗</span> ${said('stale entry', 'entrada vencida')}</span>`;
}

function checkBlock(check: CheckResult, { room, evidence }: FailureContext, isPartOfFailure: boolean): Markup {
  const { error } = check;
  const endpoints = brokenEndpoints(check);
  const facts = [
    saidCount(check.cases, { en: ['case', 'cases'], 'pt-BR': ['caso', 'casos'] }),
    saidCount(check.assertions, { en: ['assertion', 'assertions'], 'pt-BR': ['asserção', 'asserções'] }),
    saidDuration(check.durationMs),
  ];
  return markup`<div class="check">
<h4>${statementText(error?.title ?? check.name)}</h4>
${isPartOfFailure && check.covered ? coveredNote() : undefined}
<dl class="finding">${[
    entry(said('Expected', 'Esperado'), error && blockOf(error.expected, room, 'expected')),
    entry(said('Actual', 'Obtido'), error && blockOf(error.actual, room, 'actual')),
    entry(
      said('Fails on', 'Falha em'),
      endpoints.length === 0
        ? undefined
        : markup`<ul>${endpoints.map((one) => markup`<li><code>${one}</code></li>`)}</ul>`,
    ),
    entry(said('Diagnosis', 'Diagnóstico'), diagnosis(error, room)),
    entry(
      isMadeSmaller(check) ? said('Smallest case', 'Menor caso') : said('Case', 'Caso'),
      check.counterexample === undefined ? undefined : blockOf(check.counterexample, room),
    ),
  ]}</dl>
${flakyNote(check, room)}
${exchangeList(check, evidence.exchangesOf(check))}
${repeatBlock(check, evidence.scriptOf(check))}
<p class="note">${check.file}${facts.map((fact) => markup`, ${fact}`)}</p>
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

function diagnosis(error: CheckResult['error'], room: TextRoom): Markup | undefined {
  const hint = error?.hint === undefined ? undefined : lineOf(error.hint, room);
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
