import { type Results, runIdOf } from '../../schemas/results.ts';
import { utc } from '../figures.ts';
import { scriptHash } from '../page-script.ts';
import { runVerdictLooks } from '../verdicts.ts';
import { dialogs } from './dialogs.ts';
import type { PageExtras } from './extras.ts';
import { markup, type Markup } from './markup.ts';
import { said } from './said.ts';
import { style } from './style.ts';
import { switches } from './tools.ts';

/** The parts of a page that change from run to run. */
interface PageParts {
  readonly header: Markup;
  readonly navigation: Markup;
  readonly main: Markup;
  readonly footer: Markup;
}

/** The whole page around its parts: head, tools, landmarks, script. */
export function pageFrame(results: Results, { script = '' }: PageExtras, parts: PageParts): string {
  const { word, sign } = runVerdictLooks[results.verdict];
  const before = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${sign} ${word}: NF-e conformance of ${results.target.baseUrl}, ${utc(results.startedAt)}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#report">${said('Skip to the report', 'Pular para o relatório')}</a>
<header>
<div class="top">
<h1>${said('NF-e conformance report', 'Relatório de conformidade NF-e')}, ${utc(results.startedAt)}</h1>
${switches(results)}
</div>
${parts.header}
<p class="note run-id">${said('Run', 'Execução')} <code>${runIdOf(results)}</code>, ${said(markup`as in the <code>User-Agent</code> of its requests`, markup`como no <code>User-Agent</code> das requisições`)}</p>
${results.clauses.length === 0 ? undefined : paperNote()}
</header>
${parts.navigation}
<main id="report">
${parts.main}
</main>
${parts.footer}
${dialogs()}
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
