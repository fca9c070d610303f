import { runIdOf } from '../../schemas/results.ts';
import { testedText, utc } from '../language.ts';
import { groups, type GroupName, type ReportModel } from '../model.ts';
import { runVerdictLooks, verdictLooks } from '../verdicts.ts';
import { markup, type Markup, type Content } from './markup.ts';
import { said, saidBy, saidDuration, saidPhrase, levelWord, verdictWord } from './words.ts';
import { style } from './style.ts';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

/** What a page holds besides what the model of its run tells. */
export interface PageExtras {
  /** The page's own script; without it the page shows everything and neither filters nor folds. */
  readonly script?: string;
  /** How many secrets the run knows: each was sought in this page, however it is written, and replaced where it was found. */
  readonly secretsSought?: number;
}

/** The parts of a page that change from run to run. */
interface PageParts {
  readonly header: Markup;
  readonly navigation: Markup;
  readonly main: Markup;
  readonly footer: Markup;
}

/** The whole page around its parts: head, tools, landmarks, script. */
export function pageFrame({ results }: ReportModel, { script = '' }: PageExtras, parts: PageParts): string {
  const { words, sign } = runVerdictLooks[results.verdict];
  const before = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${sign} ${words.en}: NF-e conformance of ${results.target.baseUrl}, ${utc(results.startedAt)}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#report">${said('Skip to the report', 'Pular para o relatório')}</a>
<header>
<div class="top">
<h1>${said('NF-e conformance report', 'Relatório de conformidade NF-e')}, ${utc(results.startedAt)}</h1>
${switches()}
</div>
<p class="tested">${saidBy((language) => testedText(results, language))}</p>
${parts.header}
<p class="note run-id">${said('Run', 'Execução')} <code>${runIdOf(results)}</code>, ${said(markup`as in the <code>User-Agent</code> of its requests`, markup`como no <code>User-Agent</code> das requisições`)}</p>
${results.clauses.length === 0 ? undefined : paperNote()}
</header>
${parts.navigation}
<main id="report">
${parts.main}
</main>
${parts.footer}
`;
  return `${before.html}${scriptElement(script)}</body>\n</html>\n`;
}

/** What who reads it on paper does not see. */
function paperNote(): Markup {
  return markup`<p class="note on-paper">${said(
    'Not printed: topics of which every clause passed, samples of checks that passed, further clauses of a finding, and the scripts that repeat a request. The page itself has them.',
    'Não impressos: os tópicos em que toda cláusula passou, as amostras das verificações que passaram, as demais cláusulas de um achado e os scripts que repetem uma requisição. A própria página os tem.',
  )}</p>`;
}

/** The one text that stands in the page unescaped; `pageScript` has seen to it that it can't end its element. */
function scriptElement(script: string): string {
  return script === '' ? '' : `<script>${script}</script>\n`;
}

/** Nothing but the page's own style and this one script: no connection, no image, no form, no other base address. */
function contentSecurityPolicy(script: string): string {
  const scripts = script === '' ? "'none'" : `'${scriptHash(script)}'`;
  return `default-src 'none'; script-src ${scripts}; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`;
}

const places = [
  { id: 'error', title: said('What stopped it', 'O que a parou') },
  { id: 'findings', title: said('Findings', 'Achados') },
  { id: 'map', title: said('At a glance', 'De relance') },
  { id: 'changes', title: said('What changed', 'O que mudou') },
  { id: 'trust', title: said('What it rests on', 'Em que se apoia') },
  ...(['failures', 'stale', 'warnings', 'known'] as const).map(placeOfGroup),
  { id: 'clauses', title: said('All clauses', 'Todas as cláusulas') },
  ...(['not-exercised', 'blocked', 'withheld', 'unobservable'] as const).map(placeOfGroup),
  { id: 'observed', title: said('As observed', 'Observado') },
  { id: 'history', title: said('History', 'Histórico') },
];

function placeOfGroup(id: GroupName) {
  return { id, title: saidPhrase(groups[id].title) };
}

/** Links to the sections that a page has, as its main part shows. */
export function navigation(main: Markup): Markup {
  const there = places.filter(({ id }) => main.html.includes(`<section id="${id}"`));
  const links = [...there, { id: 'run', title: said('The run', 'A execução') }];
  return markup`<nav aria-labelledby="nav-title"><h2 id="nav-title" class="unseen">${said('Sections', 'Seções')}</h2><ul>${links.map(
    ({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`,
  )}</ul></nav>`;
}

/** Footer with the facts that describe a run and that its verdict does not rest on: the strip of trust has those. */
export function runFacts({ results }: ReportModel): Markup {
  const { target } = results;
  const facts: [Markup, Content][] = [
    [said('Control API', 'API de controle'), target.control ? said('used', 'usada') : said('none', 'nenhuma')],
    [said('Profile', 'Perfil'), target.profile],
    [said('Asked for', 'Pedido'), results.filter],
    [said('Started', 'Início'), utc(results.startedAt)],
    [said('Duration', 'Duração'), saidDuration(results.durationMs)],
    [said('Format', 'Formato'), results.format],
  ];
  const shown = facts.filter(([, value]) => value !== undefined);
  return markup`<footer id="run" aria-labelledby="run-heading">
<h2 id="run-heading">${said('The run', 'A execução')}</h2>
<dl class="facts">${shown.map(
    ([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>
`,
  )}</dl>
</footer>`;
}

/** The page's switch of language, and what buttons that copy are made of. Hidden until the page's script shows them. */
function switches(): Markup {
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

const entry = fileURLToPath(new URL('../page/main.ts', import.meta.url));

/** The page's own script, bundled and minified into one text that may stand in a `script` element as it is. */
export async function pageScript(): Promise<string> {
  // A page is rendered without the bundler where its script is given or left out.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({ input: entry, platform: 'browser', tsconfig: false, logLevel: 'warn' });
  try {
    const { output } = await bundle.generate({ format: 'iife', minify: true, comments: false });
    return scriptText(output[0].code.trim());
  } finally {
    await bundle.close();
  }
}

/** What allows exactly this script in a content security policy: `sha256-` and the hash in base64. */
export function scriptHash(script: string): string {
  return `sha256-${createHash('sha256').update(script, 'utf8').digest('base64')}`;
}

/** The script, unless the page's parser would read something else than a script in it; throws then. */
export function scriptText(code: string): string {
  const trap = /<\/script|<script|<!--|\r/i.exec(code);
  if (trap === null) return code;
  throw new Error(
    `reports/page/ bundles to a script with ${JSON.stringify(trap[0])} in it, which a page can't hold: spell it in another way`,
  );
}
