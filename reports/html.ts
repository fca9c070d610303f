import type { Results } from '../schemas/results.ts';
import { counted, duration, utc, requestsText } from './figures.ts';
import type { PageExtras } from './html/extras.ts';
import { failureSections } from './html/failures.ts';
import { exactText, markup, type Markup } from './html/markup.ts';
import { matrixSection } from './html/matrix.ts';
import { changesSection, countsSection } from './html/overview.ts';
import { style } from './html/style.ts';
import { unjudgedSections } from './html/unjudged.ts';
import { verdictSentence } from './sentence.ts';
import { clausesOf, runVerdictLooks } from './verdicts.ts';

/** Nothing but the page's own style: no script, no connection, no image, no form, no other base address. */
const contentSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The report of a run as one page that needs neither network nor script; with a baseline it says what changed. */
export function htmlReport(results: Results, extra: PageExtras = {}): string {
  const { word, sign } = runVerdictLooks[results.verdict];
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${word}: NF-e conformance of ${results.target.baseUrl}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#report">Skip to the report</a>
<header>
<h1>NF-e conformance report</h1>
<p class="sentence ${results.verdict}"><span class="sign" aria-hidden="true">${sign}</span> <span>${verdictSentence(results)}</span></p>
${navigation(results, extra.baseline)}
</header>
<main id="report">
${extra.baseline && changesSection(extra.baseline, results)}
${results.verdict === 'error' ? errorSection(results) : judged(results)}
</main>
${footer(results)}
</body>
</html>
`;
  return page.html;
}

function judged(results: Results): Markup {
  return markup`${countsSection(results)}
${failureSections(results)}
${matrixSection(results)}
${unjudgedSections(results)}`;
}

function errorSection(results: Results): Markup {
  return markup`<section id="error" aria-labelledby="error-heading">
<h2 id="error-heading">What stopped the run</h2>
<pre tabindex="0">${exactText(results.error ?? '')}</pre>
<p>This says nothing about the contract: the target could not be tested, or the suite itself broke.</p>
</section>`;
}

function navigation(results: Results, baseline: Results | undefined): Markup | undefined {
  const has = (verdict: Parameters<typeof clausesOf>[1]): boolean => clausesOf(results, verdict).length > 0;
  const links = [
    { id: 'changes', title: 'What changed', isThere: baseline !== undefined },
    { id: 'counts', title: 'Counts', isThere: results.verdict !== 'error' },
    { id: 'failures', title: 'Failures', isThere: has('failed') },
    { id: 'warnings', title: 'Warnings', isThere: has('warned') },
    { id: 'known', title: 'Known deviations', isThere: has('known') },
    { id: 'clauses', title: 'All clauses', isThere: results.verdict !== 'error' },
    { id: 'not-exercised', title: 'Not exercised', isThere: has('not-exercised') },
    { id: 'unobservable', title: 'Unobservable', isThere: has('unobservable') },
    { id: 'run', title: 'The run', isThere: true },
  ].filter((link) => link.isThere);
  return markup`<nav aria-label="Sections"><ul>${links.map((link) => markup`<li><a href="#${link.id}">${link.title}</a></li>`)}</ul></nav>`;
}

function footer(results: Results): Markup {
  const { target } = results;
  const facts: [string, string | undefined][] = [
    ['Target', `${target.kind} at ${target.baseUrl}`],
    ['Implementation', target.implementation],
    ['Control API', target.control ? 'used' : 'none'],
    ['Profile', target.profile],
    ['Asked for', results.filter],
    ['Started', utc(results.startedAt)],
    ['Duration', duration(results.durationMs)],
    ['Requests', requestsText(results)],
    ['Seed', String(results.seed)],
    ['Cases per property', counted(results.numRuns, 'case')],
    ['Format', results.format],
  ];
  const shown = facts.filter(([, value]) => value !== undefined);
  return markup`<footer id="run" aria-labelledby="run-heading">
<h2 id="run-heading">The run</h2>
<dl class="facts">${shown.map(
    ([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>
`,
  )}</dl>
</footer>`;
}
