import type { Results } from '../../schemas/results.ts';
import { figure, type Phrase } from '../language.ts';
import type { ReportModel } from '../model.ts';
import { isExercised, runVerdictLooks } from '../verdicts.ts';
import { leftText } from '../summary-words.ts';
import type { PageExtras } from './frame.ts';
import { markup, type Content, type Markup } from './markup.ts';
import { said, saidBy, saidFigure, saidPart, blockOf, saidCount, saidPhrase, type Nouns } from './words.ts';
import type { Trouble } from '../../contract/values.ts';
import type { Reach } from '../levels.ts';
import type { PageRoom } from './evidence-plan.ts';
import type { TroubleCount } from '../troubles.ts';

/** A fact that a verdict rests on; `sign` where the fact itself is good or bad. */
interface TrustFact {
  readonly label: Markup;
  readonly value: Content;
  readonly note?: Content;
  readonly sign?: 'good' | 'bad';
}

/** Strip of what makes a run believable: what was tested by what, how much of it, and what did not happen. */
export function trustStrip(model: ReportModel, extras: PageExtras): Markup {
  const { results } = model;
  const facts = [
    targetFact(results),
    suiteFact(results),
    { label: said('Seed', 'Semente'), value: String(results.seed) },
    clockFact(results),
    ...(model.judgedNothing ? [] : [casesFact(results), exercisedFact(model)]),
    { label: said('Requests sent', 'Requisições enviadas'), value: saidFigure(results.requests) },
    mutantsFact(model),
    secretsFact(extras),
    productionFact(results),
    leftFact(results),
  ];
  return markup`<section id="trust" aria-labelledby="trust-heading">
<h2 id="trust-heading">${said('What the verdict rests on', 'Em que o veredito se apoia')}</h2>
<dl class="trust">${facts.map(factItem)}</dl>
</section>`;
}

function factItem({ label, value, note, sign }: TrustFact): Markup {
  const mark =
    sign === undefined
      ? undefined
      : markup`<span class="${sign === 'good' ? 'passed' : 'failed'}" aria-hidden="true">${sign === 'good' ? '✓' : '✗'}</span> `;
  return markup`<div><dt>${label}</dt><dd>${mark}<span class="value">${value}</span>${note === undefined ? undefined : markup`<span class="note">${note}</span>`}</dd></div>
`;
}

function targetFact({ target }: Results): TrustFact {
  return {
    label: said('Target and its build', 'Serviço testado e versão'),
    value: target.implementation ?? target.server ?? target.kind,
    note: `${target.kind}, ${target.baseUrl}`,
  };
}

function suiteFact({ suite }: Results): TrustFact {
  const label = said('Suite', 'Suíte');
  if (suite === undefined) return { label, value: said('not recorded', 'não registrada') };
  const note = suite.commit === undefined ? undefined : markup`commit <code>${suite.commit}</code>`;
  return { label, value: suite.version, ...(note && { note }) };
}

function clockFact({ clock }: Results): TrustFact {
  const label = said('Clock', 'Relógio');
  if (clock === undefined) return { label, value: said('not recorded', 'não registrado') };
  const { skewSeconds: skew } = clock;
  return {
    label,
    value: clock.movable ? said('moved by the suite', 'movido pela suíte') : said('real time', 'tempo real'),
    note:
      skew === undefined
        ? said('difference not measured', 'diferença não medida')
        : said(`${figure(skew)} s off the suite’s own`, `${figure(skew, 'pt-BR')} s de diferença do relógio da suíte`),
  };
}

function casesFact({ clauses, numRuns }: Results): TrustFact {
  const checks = clauses.flatMap((clause) => clause.checks);
  const cases = checks.reduce((sum, check) => sum + check.cases, 0);
  const different = checks.reduce((sum, check) => sum + (check.distinctCases ?? check.cases), 0);
  return {
    label: said('Cases generated', 'Casos gerados'),
    value: saidFigure(cases),
    note: said(
      `${figure(different)} different, ${figure(numRuns)} a property`,
      `${figure(different, 'pt-BR')} diferentes, ${figure(numRuns, 'pt-BR')} por propriedade`,
    ),
  };
}

function exercisedFact({ must, groups }: ReportModel): TrustFact {
  const withheld = groups.withheld.clauses.filter(({ level }) => level === 'must').length;
  const note = said(`withheld: ${figure(withheld)}`, `retidas: ${figure(withheld, 'pt-BR')}`);
  return {
    label: said('Must clauses exercised', 'Cláusulas obrigatórias exercitadas'),
    value: saidPart(must.filter(({ verdict }) => isExercised(verdict)).length, must.length),
    ...(withheld > 0 && { note }),
  };
}

function mutantsFact({ results: { suite }, mutants }: ReportModel): TrustFact {
  const label = said('Mutants caught', 'Mutantes detectados');
  const command = markup`<code>npm run mutants</code>`;
  if (mutants === undefined) return { label, value: said('not known here', 'não se sabe aqui'), note: command };
  if (mutants === 'unreadable') {
    const note = said(markup`of another format: ${command}`, markup`de outro formato: ${command}`);
    return { label, value: said('not known here', 'não se sabe aqui'), note };
  }
  const missed = new Set(mutants.catches.filter(({ caughtBy }) => caughtBy.length === 0).map(({ mutant }) => mutant));
  const caught = mutants.mutants - missed.size;
  const isOther = mutants.suite.commit !== suite?.commit || mutants.suite.version !== suite?.version;
  const commit = mutants.suite.commit ?? mutants.suite.version;
  return {
    label,
    value: saidPart(caught, mutants.mutants),
    note: isOther
      ? said(markup`by the suite of <code>${commit}</code>`, markup`pela suíte de <code>${commit}</code>`)
      : said(
          `false accusations: ${figure(mutants.accused)}; variants: ${figure(mutants.variants)}`,
          `acusações falsas: ${figure(mutants.accused, 'pt-BR')}; variantes: ${figure(mutants.variants, 'pt-BR')}`,
        ),
    sign: missed.size === 0 && mutants.accused === 0 ? 'good' : 'bad',
  };
}

function secretsFact({ secretsSought = 0 }: PageExtras): TrustFact {
  const label = said('Secrets in this file', 'Segredos neste arquivo');
  if (secretsSought === 0) {
    return {
      label,
      value: said('not searched', 'não procurados'),
      note: said('none is known here', 'nenhum é conhecido aqui'),
    };
  }
  // What is found in a page is replaced.
  return {
    label,
    value: '0',
    note: said(`searched for ${figure(secretsSought)}`, `procurados: ${figure(secretsSought, 'pt-BR')}`),
    sign: 'good',
  };
}

function productionFact({ productionIssuances }: Results): TrustFact {
  const label = said('Production issuances', 'Emissões em produção');
  if (productionIssuances === undefined) return { label, value: said('not recorded', 'não registradas') };
  return { label, value: saidFigure(productionIssuances), sign: productionIssuances === 0 ? 'good' : 'bad' };
}

function leftFact({ sideEffects }: Results): TrustFact {
  const label = said('Left at the target', 'Deixado no serviço');
  if (sideEffects === undefined) return { label, value: said('not recorded', 'não registrado') };
  return { label, value: saidBy((language) => leftText(sideEffects, language)) };
}

/** The verdict in one sentence, and below it how far the run reached and whose trouble it is. */
export function verdictBlock({ results, told, troubles }: ReportModel): Markup {
  const { sign } = runVerdictLooks[results.verdict];
  return markup`<div class="hero ${results.verdict}">
<span class="sign" aria-hidden="true">${sign}</span>
<div class="hero-text">
<p class="sentence" id="sentence">${saidBy((language) => brief(told[language].verdict))}</p>
${told.en.level === undefined ? undefined : levelLine(told)}${sureLine(told)}
<details class="reach" open><summary>${said('How far it reached, and whose trouble it is', 'Até onde chegou, e de quem é o problema')}</summary>
${results.level && levelSteps(results.level)}
${troubleList(troubles)}</details>
</div>
</div>`;
}

function sureLine(told: ReportModel['told']): Markup | undefined {
  if (told.en.sure.length === 0) return undefined;
  return markup`<p class="level">${saidBy((language) => told[language].sure.join(' '))}</p>`;
}

/** The message of an error may be long; its section has the rest. */
function brief(sentence: string): string {
  return sentence.length <= longestSentence ? sentence : `${sentence.slice(0, longestSentence)}…`;
}

const longestSentence = 2_000;

const parties: Readonly<Record<Trouble, Phrase>> = {
  target: { en: 'The target', 'pt-BR': 'O serviço testado' },
  network: { en: 'The network', 'pt-BR': 'A rede' },
  settings: { en: 'The settings', 'pt-BR': 'A configuração' },
  suite: { en: 'The suite', 'pt-BR': 'A suíte' },
};

/** What can have happened, after how often it has. */
const happenings = {
  failed: {
    en: ['clause does not hold', 'clauses do not hold'],
    'pt-BR': ['cláusula não é cumprida', 'cláusulas não são cumpridas'],
  },
  warned: { en: ['warning', 'warnings'], 'pt-BR': ['aviso', 'avisos'] },
  known: {
    en: ['known deviation', 'known deviations'],
    'pt-BR': ['desvio conhecido', 'desvios conhecidos'],
  },
  stale: {
    en: ['known deviation is stale', 'known deviations are stale'],
    'pt-BR': ['desvio conhecido está vencido', 'desvios conhecidos estão vencidos'],
  },
  open: {
    en: ['must clause was not exercised', 'must clauses were not exercised'],
    'pt-BR': ['cláusula obrigatória não foi exercitada', 'cláusulas obrigatórias não foram exercitadas'],
  },
  openOthers: {
    en: ['other clause was not exercised', 'other clauses were not exercised'],
    'pt-BR': ['outra cláusula não foi exercitada', 'outras cláusulas não foram exercitadas'],
  },
  flaky: {
    en: ['check was disturbed on the way', 'checks were disturbed on the way'],
    'pt-BR': ['verificação foi perturbada no caminho', 'verificações foram perturbadas no caminho'],
  },
} as const satisfies Readonly<Record<string, Nouns>>;

function troubleList(troubles: readonly TroubleCount[]): Markup {
  if (troubles.length === 0)
    return markup`<p class="troubles">${said('No trouble was met on the way.', 'Nenhum problema foi encontrado.')}</p>`;
  return markup`<p class="troubles-title" id="troubles-title">${said('Whose trouble it is', 'De quem é o problema')}</p>
<ul class="troubles" aria-labelledby="troubles-title">${troubles.map(troubleItem)}</ul>`;
}

function troubleItem(trouble: TroubleCount): Markup {
  const { whose, failed, warned, known, open, openOthers, flaky } = trouble;
  const isList = whose === 'settings';
  const parts = [
    failed === 0 ? undefined : saidCount(failed, isList ? happenings.stale : happenings.failed),
    warned === 0 ? undefined : saidCount(warned, happenings.warned),
    known === 0 ? undefined : saidCount(known, happenings.known),
    open === 0 ? undefined : saidCount(open, happenings.open),
    openOthers === 0 ? undefined : saidCount(openOthers, happenings.openOthers),
    flaky === 0 ? undefined : saidCount(flaky, happenings.flaky),
    trouble.error === undefined ? undefined : said('it stopped the run', 'parou a execução'),
  ].filter((part) => part !== undefined);
  return markup`<li class="trouble"><strong>${saidPhrase(parties[whose])}</strong>: ${parts.map((part, index) => (index === 0 ? part : markup`; ${part}`))}</li>`;
}

/** Section of a run that did not come to its end: what stopped it. */
export function errorSection({ results, judgedNothing }: ReportModel, { room }: PageRoom): Markup {
  return markup`<section id="error" aria-labelledby="error-heading">
<h2 id="error-heading">${said('What stopped the run', 'O que parou a execução')}</h2>
${blockOf(results.error ?? '', room)}
<p>${judgedNothing ? ofNothing : ofThePartBefore}</p>
</section>`;
}

const ofNothing = said(
  'This says nothing about the contract: the target could not be tested, or the suite itself broke.',
  'Isto nada diz sobre o contrato: o serviço não pôde ser testado, ou a própria suíte quebrou.',
);

const ofThePartBefore = said(
  'What was judged until then stands below; what was not is shown as not exercised. The run as a whole says nothing.',
  'O que foi julgado até ali está abaixo e vale; o resto aparece como não exercitado. A execução como um todo nada diz.',
);

/** Which level a run has completed, in a sentence. */
function levelLine(told: ReportModel['told']): Markup {
  return markup`<p class="level">${saidBy((language) => told[language].level)}</p>
`;
}

/** How much of each level was exercised. */
function levelSteps(reach: Reach): Markup {
  const last = reach.reached.findIndex(({ name }) => name === reach.complete);
  return markup`<p class="levels-title" id="levels-title">${said(
    'Must clauses exercised, of each level and those below it',
    'Cláusulas obrigatórias exercitadas, de cada nível e dos abaixo dele',
  )}</p>
<ol class="levels" aria-labelledby="levels-title">${reach.reached.map((step, index) => levelItem(step, index <= last))}</ol>`;
}

function levelItem({ name, exercised, of }: Reach['reached'][number], isComplete: boolean): Markup {
  const look = isComplete
    ? { sign: '✓', kind: 'passed', word: said('complete', 'completo') }
    : { sign: '○', kind: 'not-exercised', word: said('not complete', 'não completo') };
  return markup`<li><span class="${look.kind}"><span aria-hidden="true">${look.sign}</span> ${name}</span> ${saidPart(exercised, of)} <span class="unseen">(${look.word})</span></li>`;
}

/** What went wrong in the suite itself and touched no verdict; nothing in most runs. */
export function defectsNote({ told }: ReportModel): Markup | undefined {
  if (told.en.defects.length === 0) return undefined;
  return markup`<p class="defects" role="status">${saidBy((language) => told[language].defects.join(' '))}</p>`;
}
