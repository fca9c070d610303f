import type { Results } from '../../schemas/results.ts';
import { figure } from '../language.ts';
import type { ReportModel } from '../model.ts';
import { isExercised } from '../verdicts.ts';
import { leftText } from '../left-behind.ts';
import type { PageExtras } from './frame.ts';
import { markup, type Content, type Markup } from './markup.ts';
import { said, saidBy, saidFigure, saidPart } from './words.ts';

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
