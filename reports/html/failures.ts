import { topicOf } from '../../contract/catalogue.ts';
import type { CheckResult, ClauseResult, ClauseVerdict, Results } from '../../schemas/results.ts';
import { failedChecks } from '../evidence.ts';
import type { SeriesRun } from '../series.ts';
import { clausesOf } from '../verdicts.ts';
import { shortened } from '../visible.ts';
import type { EvidencePlan } from './evidence-plan.ts';
import { exchangeList } from './exchange-list.ts';
import { exactText, markup, type Markup } from './markup.ts';
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
  readonly evidence: EvidencePlan;
}

interface Section {
  readonly verdict: ClauseVerdict;
  readonly id: string;
  readonly title: Markup;
  readonly note: Markup;
}

const sections: readonly Section[] = [
  {
    verdict: 'failed',
    id: 'failures',
    title: said('Failures', 'Falhas'),
    note: said('Each of these breaks the contract.', 'Cada uma destas quebra o contrato.'),
  },
  {
    verdict: 'warned',
    id: 'warnings',
    title: said('Warnings', 'Avisos'),
    note: said(
      'Recommended or only implied by the contract; the run stays conformant.',
      'Recomendado ou apenas implícito no contrato; a execução continua conforme.',
    ),
  },
  {
    verdict: 'known',
    id: 'known',
    title: said('Known deviations', 'Desvios conhecidos'),
    note: said(
      'Listed as accepted for now; the run stays conformant.',
      'Listados como aceitos por ora; a execução continua conforme.',
    ),
  },
];

/** Sections of what did not hold: failures, then warnings, then known deviations; those without a clause are left out. */
export function failureSections(context: FailureContext): (Markup | undefined)[] {
  return sections.map((section) => failureSection(section, context));
}

function failureSection({ verdict, id, title, note }: Section, context: FailureContext): Markup | undefined {
  const clauses = clausesOf(context.results, verdict);
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
<h3 id="heading-${id}">${clauseLink(id)} ${verdictWord(verdict)}</h3>
<p class="where">${said('section', 'seção')} ${section}, ${levelWord(level)}, ${sinceText(id, context.series, context.baseline)}</p>
<p class="statement">${statementText(statement)}</p>
${reason === undefined ? undefined : markup`<p class="reason"><strong>${said('Reason', 'Motivo')}:</strong> ${reason}</p>`}
${failedChecks(clause).map((check) => checkBlock(check, context))}
</article>
`;
}

function checkBlock(check: CheckResult, { evidence }: FailureContext): Markup {
  const { error } = check;
  const facts = [
    saidCount(check.cases, { en: ['case', 'cases'], 'pt-BR': ['caso', 'casos'] }),
    saidCount(check.assertions, { en: ['assertion', 'assertions'], 'pt-BR': ['asserção', 'asserções'] }),
    saidDuration(check.durationMs),
  ];
  return markup`<div class="check">
<h4>${statementText(error?.title ?? check.name)}</h4>
<dl class="finding">${[
    entry(said('Expected', 'Esperado'), error && block(error.expected, 'expected')),
    entry(said('Actual', 'Obtido'), error && block(error.actual, 'actual')),
    entry(said('Diagnosis', 'Diagnóstico'), diagnosis(error)),
    entry(
      said('Smallest case', 'Menor caso'),
      check.counterexample === undefined ? undefined : block(check.counterexample),
    ),
  ]}</dl>
${flakyNote(check)}
${exchangeList(check, evidence.exchangesOf(check))}
${repeatBlock(check, evidence.scriptOf(check))}
<p class="note">${check.file}${facts.map((fact) => markup`, ${fact}`)}</p>
</div>
`;
}

function diagnosis(error: CheckResult['error']): Markup | undefined {
  if (error?.twin) {
    const sentence = said(
      'The request without its flaw was refused as well, so the flaw proved nothing.',
      'A requisição sem o defeito também foi recusada; o defeito nada provou.',
    );
    return error.hint === undefined ? sentence : markup`<p>${error.hint}</p><p>${sentence}</p>`;
  }
  return error?.hint === undefined ? undefined : markup`${error.hint}`;
}

/** Longest text of a finding that is shown whole. */
const longestText = 10_000;

function block(text: string, kind = ''): Markup {
  return markup`<pre class="${kind}" tabindex="0">${exactText(shortened(text, longestText))}</pre>`;
}

function entry(label: Markup, body: Markup | undefined): Markup | undefined {
  return (
    body &&
    markup`<dt>${label}</dt><dd>${body}</dd>
`
  );
}
