import type { Trouble } from '../../contract/trouble.ts';
import type { Results } from '../../schemas/results.ts';
import type { Phrase } from '../language.ts';
import { verdictSentence } from '../sentence.ts';
import { troublesOf, type TroubleCount } from '../troubles.ts';
import { runVerdictLooks } from '../verdicts.ts';
import { exactText, markup, type Markup } from './markup.ts';
import { said, saidBy, saidPhrase } from './said.ts';

/** The verdict in one sentence, and below it whose trouble it is. */
export function verdictBlock(results: Results): Markup {
  const { sign } = runVerdictLooks[results.verdict];
  return markup`<div class="hero ${results.verdict}">
<span class="sign" aria-hidden="true">${sign}</span>
<div class="hero-text">
<p class="sentence" id="sentence">${saidBy((language) => verdictSentence(results, language))}</p>
${troubleList(troublesOf(results))}
</div>
</div>`;
}

const parties: Readonly<Record<Trouble, Phrase>> = {
  target: { en: 'The target', 'pt-BR': 'O serviço testado' },
  network: { en: 'The network', 'pt-BR': 'A rede' },
  settings: { en: 'The settings', 'pt-BR': 'A configuração' },
  suite: { en: 'The suite', 'pt-BR': 'A suíte' },
};

function troubleList(troubles: readonly TroubleCount[]): Markup {
  if (troubles.length === 0)
    return markup`<p class="troubles">${said('No trouble was met on the way.', 'Nenhum problema foi encontrado.')}</p>`;
  return markup`<p class="troubles-title" id="troubles-title">${said('Whose trouble it is', 'De quem é o problema')}</p>
<ul class="troubles" aria-labelledby="troubles-title">${troubles.map(troubleItem)}</ul>`;
}

function troubleItem(trouble: TroubleCount): Markup {
  const { whose, failed, open, flaky } = trouble;
  const isList = whose === 'settings';
  const parts = [
    failed === 0 ? undefined : isList ? staleText(failed) : failedText(failed),
    open === 0 ? undefined : openText(open),
    flaky === 0 ? undefined : flakyText(flaky),
    trouble.error === undefined ? undefined : said('it stopped the run', 'parou a execução'),
  ].filter((part) => part !== undefined);
  return markup`<li class="trouble"><strong>${saidPhrase(parties[whose])}</strong>: ${parts.map((part, index) => (index === 0 ? part : markup`; ${part}`))}</li>`;
}

function failedText(count: number): Markup {
  return count === 1
    ? said('1 clause does not hold', '1 cláusula não é cumprida')
    : said(`${count} clauses do not hold`, `${count} cláusulas não são cumpridas`);
}

function staleText(count: number): Markup {
  return count === 1
    ? said('1 known deviation is stale', '1 desvio conhecido está vencido')
    : said(`${count} known deviations are stale`, `${count} desvios conhecidos estão vencidos`);
}

function openText(count: number): Markup {
  return count === 1
    ? said('1 clause was not exercised', '1 cláusula não foi exercitada')
    : said(`${count} clauses were not exercised`, `${count} cláusulas não foram exercitadas`);
}

function flakyText(count: number): Markup {
  return count === 1
    ? said('1 check was disturbed on the way', '1 verificação foi perturbada no caminho')
    : said(`${count} checks were disturbed on the way`, `${count} verificações foram perturbadas no caminho`);
}

/** Section of a run that judged nothing: what stopped it. */
export function errorSection(results: Results): Markup {
  return markup`<section id="error" aria-labelledby="error-heading">
<h2 id="error-heading">${said('What stopped the run', 'O que parou a execução')}</h2>
<pre tabindex="0">${exactText(results.error ?? '')}</pre>
<p>${said(
    'This says nothing about the contract: the target could not be tested, or the suite itself broke.',
    'Isto nada diz sobre o contrato: o serviço não pôde ser testado, ou a própria suíte quebrou.',
  )}</p>
</section>`;
}
