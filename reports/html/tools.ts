import type { ReportModel } from '../model.ts';
import { verdictLooks } from '../verdicts.ts';
import { markup, type Markup } from './markup.ts';
import { said, levelWord, verdictWord } from './words.ts';

/** The page's switch of language, and what buttons that copy are made of. Hidden until the page's script shows them. */
export function switches(): Markup {
  return markup`<div class="tools switches" hidden>
<button type="button" class="language">${said(markup`<span lang="pt-BR">Português</span>`, markup`<span lang="en">English</span>`)}</button>
<template class="copy-button"><button type="button" class="copy">${said('Copy', 'Copiar')}</button></template>
</div>`;
}

/** The filter of the clauses, with what it comes to. Hidden until the page's script shows it. */
export function filterTools(model: ReportModel): Markup {
  return markup`<div class="tools filters" hidden>
${filterForm(model)}
</div>`;
}

function filterForm({ results, topics }: ReportModel): Markup {
  const levels = [...new Set(results.clauses.map((clause) => clause.level))];
  const looks = verdictLooks.filter((look) => results.clauses.some(({ verdict }) => verdict === look.verdict));
  return markup`<form class="filter" role="search" aria-labelledby="filter-heading" autocomplete="off">
<h3 id="filter-heading">${said('Filter', 'Filtro')}</h3>
<fieldset><legend>${said('Verdict', 'Veredito')}</legend>${looks.map((look) => choice('verdict', look.verdict, verdictWord(look.verdict)))}</fieldset>
<fieldset><legend>${said('Level', 'Nível')}</legend>${levels.map((level) => choice('level', level, levelWord(level)))}</fieldset>
<label>${said('Topic', 'Tópico')} <select name="topic">${[
    option('', 'all topics', 'todos os tópicos'),
    topics.map(({ topic }) => option(topic, topic, topic)),
  ]}</select></label>
<label>${said('Text', 'Texto')} <input type="search" name="text" spellcheck="false"></label>
${resetButton()}
</form>
${filterSays()}`;
}

function resetButton(): Markup {
  return markup`<button type="reset">${said('Show all', 'Mostrar tudo')}</button>`;
}

function filterSays(): Markup {
  const [shown, total] = [markup`<b data-slot="shown"></b>`, markup`<span data-slot="total"></span>`];
  return markup`<div class="filter-says" role="status">
<p>${said(markup`${shown} of ${total} clauses of every level`, markup`${shown} de ${total} cláusulas de todos os níveis`)}</p>
<p class="nothing-fits" hidden>${said('Nothing fits the filter. “Show all” resets it.', 'Nada corresponde ao filtro. “Mostrar tudo” o desfaz.')}</p>
<p class="filter-gone" hidden>${said('The filter hid the place that you went to, so it was reset.', 'O filtro escondia o lugar pedido e foi desfeito.')}</p>
</div>`;
}

function choice(name: string, value: string, label: Markup | string): Markup {
  return markup`<label><input type="checkbox" name="${name}" value="${value}"> ${label}</label>
`;
}

function option(value: string, english: string, portuguese: string): Markup {
  return markup`<option value="${value}" data-en="${english}" data-pt-br="${portuguese}">${english}</option>`;
}
