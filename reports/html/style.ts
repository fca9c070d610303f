import { markup, type Markup } from './markup.ts';

const light = markup`
    --page: #fcfcfb; --raised: #f1f3f1; --line: #d5d9d5; --text: #1a1e1b; --soft: #545c57; --link: #0b57a4;
    --passed: #17692f; --failed: #b3221a; --known: #6a45a5; --warned: #855000; --open: #545c57;
    --token: #98400c; --path: #0b57a4; --body: #17692f; --time: #6a45a5;`;
const dark = markup`
    --page: #151816; --raised: #1f2421; --line: #3a423d; --text: #e6e9e6; --soft: #a5aea8; --link: #8ec2ff;
    --passed: #6fd08e; --failed: #ff9186; --known: #c8adff; --warned: #f0b454; --open: #a5aea8;
    --token: #f5b08a; --path: #8ec2ff; --body: #6fd08e; --time: #c8adff;`;

/** Colours of both themes, type, landmarks. Every text colour has a contrast of 4.5 or more on every background. */
const baseStyle = markup`
:root { color-scheme: light dark; ${light} }
@media (prefers-color-scheme: dark) { :root { ${dark} } }
* { box-sizing: border-box; }
html { scroll-padding-top: 3.75rem; -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; padding: 1.25rem 1.25rem 3rem; max-width: 78rem; background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1rem; font-weight: 600; color: var(--soft); letter-spacing: .01em; }
h2 { margin: 3.25rem 0 .75rem; font-size: 1.375rem; line-height: 1.25; letter-spacing: -.01em; }
h3 { margin: 2rem 0 .5rem; font-size: 1.0625rem; line-height: 1.35; }
h4 { margin: 0 0 .5rem; font-size: 1rem; }
h5, h6 { margin: 1.25rem 0 .35rem; font-size: .875rem; }
p { margin: .5rem 0; max-width: 46rem; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
code, pre, .strip { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Consolas, "DejaVu Sans Mono", monospace; font-size: .875rem; }
pre { margin: 0; padding: .6rem .8rem; max-height: 26rem; overflow: auto; white-space: pre-wrap; line-height: 1.5;
  background: var(--raised); border-radius: 5px; }
summary { cursor: pointer; padding: .3rem 0; }
.mark::before, .spelt { color: var(--soft); unicode-bidi: isolate; }
.mark::before { content: attr(data-mark); }
.unseen { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100vw; z-index: 2; }
.skip:focus { left: 1rem; top: .25rem; padding: .25rem .5rem; background: var(--page); }
.note, .where { color: var(--soft); font-size: .875rem; font-weight: 400; }
.conformant, .passed { color: var(--passed); }
.nonconformant, .error, .failed { color: var(--failed); }
.incomplete, .warned { color: var(--warned); }
.known { color: var(--known); }
.not-exercised, .withheld, .unobservable { color: var(--open); }
.verdict { font-weight: 600; white-space: nowrap; }
`;

/** The top of the page: verdict, sections, what changed, what the verdict rests on; and the footer. */
const overviewStyle = markup`
.top { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .5rem 1.5rem; }
.tested { max-width: none; margin: .25rem 0 0; color: var(--soft); font-size: .875rem; line-height: 1.4; }
.hero { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 1.25rem; margin: .75rem 0 1rem; padding: 1.25rem 1.5rem;
  background: color-mix(in srgb, currentcolor 7%, var(--page)); border: 1px solid color-mix(in srgb, currentcolor 40%, var(--page));
  border-radius: 10px; print-color-adjust: exact; }
.hero > .sign { display: grid; place-items: center; width: 3.25rem; height: 3.25rem; font-size: 1.75rem; font-weight: 700; line-height: 1;
  color: var(--page); background: var(--sign); border-radius: 50%; print-color-adjust: exact; }
.hero.conformant { --sign: var(--passed); }
.hero.nonconformant, .hero.error { --sign: var(--failed); }
.hero.incomplete { --sign: var(--warned); }
.hero-text { color: var(--text); }
.sentence { max-width: none; margin: .1rem 0 .5rem; font-size: 1.375rem; line-height: 1.35; font-weight: 600; letter-spacing: -.01em; }
html:not([data-language]) :is(.sentence, .level) .said > span { display: block; }
html:not([data-language]) :is(.sentence, .level) .said > [lang="pt-BR"]::before { content: none; }
.level { max-width: none; margin: 0 0 .5rem; font-size: 1.0625rem; }
.defects { margin: 1rem 0; padding: .75rem 1rem; border-left: 4px solid var(--warned); }
.reach > summary { padding: 0; font-size: .875rem; color: var(--soft); }
.levels-title, .troubles-title { margin: .75rem 0 0; font-size: .875rem; color: var(--text); }
.levels, .troubles { margin: .15rem 0 0; padding: 0; list-style: none; }
.levels { display: flex; flex-wrap: wrap; gap: 0 1.5rem; font-variant-numeric: tabular-nums; }
.levels .passed, .levels .not-exercised { font-weight: 600; }
p.troubles { margin-top: .25rem; }
nav { position: sticky; top: 0; z-index: 1; margin: 0 -1.25rem; padding: .35rem 1.25rem; overflow-x: auto; background: var(--page);
  border-bottom: 1px solid var(--line); }
nav ul { display: flex; gap: 0 1.35rem; margin: 0; padding: 0; list-style: none; white-space: nowrap; }
nav a { display: inline-block; padding: .4rem 0; font-size: .9375rem; text-decoration: none; }
nav a:hover { text-decoration: underline; }
.findings { margin: 0; padding-left: 1.75rem; }
.findings > li { margin: .35rem 0 .7rem; }
.findings p { max-width: none; margin: 0; }
.findings details.inline, .findings details.inline > summary { display: inline-block; }
.findings details.inline[open] { display: block; }
.map { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: .3rem 1.5rem; margin: 0; }
.map > div { display: flex; gap: .75rem; justify-content: space-between; align-items: baseline; border-bottom: 1px solid var(--line); }
.map dt { font-size: .875rem; white-space: nowrap; }
.map dd { margin: 0; text-align: right; min-width: 0; }
.map .strip { white-space: normal; overflow-wrap: anywhere; }
.blocked { color: var(--warned); }
.changes { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 1rem 1.5rem; margin: 0; }
.changes dt { font-weight: 600; }
.changes .none dt { font-weight: 400; color: var(--soft); }
.changes dd { margin: 0; color: var(--soft); }
.changes ul { margin: .25rem 0; padding-left: 1.15rem; }
.trust, .facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(11.5rem, 45%), 1fr)); gap: 1.1rem 1.5rem; margin: 0; }
.trust > div { padding-top: .5rem; border-top: 2px solid var(--line); }
.trust dt, .facts dt { font-size: .875rem; color: var(--soft); }
.trust dd, .facts dd { margin: 0; }
.trust .value { font-weight: 600; font-variant-numeric: tabular-nums; }
.trust .note { display: block; }
footer { margin-top: 3.5rem; border-top: 1px solid var(--line); }
footer h2 { margin-top: 1.5rem; }
`;

/** Tables: counts, all clauses, strips of earlier runs; and the lists of what was not judged. */
const tableStyle = markup`
.wide { overflow-x: auto; overflow-wrap: normal; }
table { border-collapse: collapse; font-size: .9375rem; font-variant-numeric: tabular-nums; }
th, td { padding: .45rem .75rem; text-align: right; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { font-size: .875rem; font-weight: 600; color: var(--soft); white-space: nowrap; }
th:first-child, td:first-child { padding-left: 0; text-align: left; }
tbody th { font-weight: 600; }
td { white-space: nowrap; }
td.zero { color: var(--soft); }
.matrix { width: 100%; }
.matrix th:first-child { width: 100%; min-width: 16rem; overflow-wrap: anywhere; white-space: normal; }
.matrix tbody th { font-weight: 400; }
.matrix thead th:nth-child(2) { min-width: 9.5rem; }
.matrix th:nth-child(-n+3), .matrix td:nth-child(-n+3) { text-align: left; }
.matrix code { font-weight: 600; }
.matrix .statement { display: block; font-size: inherit; color: var(--soft); }
.matrix .statement code, .samples code { font-weight: 400; }
.matrix th > .note { display: block; margin: .15rem 0; }
.samples { margin-top: .2rem; color: var(--text); }
.samples > summary { width: max-content; padding: .15rem 0; font-size: .875rem; color: var(--link); }
.samples .check { margin: .5rem 0 1rem; }
tr:target, article:target { background: var(--raised); }
h3.reason { margin-top: 1.5rem; font-size: 1rem; font-weight: 600; }
h3.reason::first-letter { text-transform: uppercase; }
.links { display: flex; flex-wrap: wrap; gap: .3rem 1.5rem; margin: .25rem 0; padding: 0; list-style: none; }
#history .legend { display: flex; flex-wrap: wrap; gap: 0 1rem; margin: .5rem 0; padding: 0; list-style: none; color: var(--soft); font-size: .875rem; }
.strips th, .strips td { position: relative; padding-top: .2rem; padding-bottom: .2rem; }
.strips td, .strips th:last-child { padding-left: 1.5rem; text-align: left; }
.strips tbody th { font-weight: 400; }
.strip.linked { display: flex; }
.strip.linked a { min-width: 1.5rem; min-height: 1.5rem; text-align: center; text-decoration: none; letter-spacing: 0; }
.topic-fold > summary h3 { display: inline-block; margin: 1rem 0 .5rem; }
.strip { letter-spacing: .15em; white-space: nowrap; }
.runs td:nth-child(2), .runs th:nth-child(2) { text-align: left; }
.runs tbody th { font-weight: 400; white-space: nowrap; }
`;

/** Failures with their finding, their exchanges and the string that was signed. */
const failureStyle = markup`
.clause { margin: 1.25rem 0 1.75rem; padding: 1.1rem 1.35rem 1.25rem; border: 1px solid var(--line); border-left: 5px solid currentcolor;
  border-radius: 8px; }
.clause > * { color: var(--text); }
.clause h3 { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; margin: 0; }
.clause h3 a { display: inline-block; min-height: 1.5rem; }
.clause h3 code { font-size: 1rem; font-weight: 700; }
.clause > .where { margin: .1rem 0 .6rem; color: var(--soft); }
.statement { font-size: 1.0625rem; }
.clause blockquote { margin: .6rem 0; padding-left: .9rem; border-left: 2px solid var(--line); }
.clause blockquote p { margin: .2rem 0; }
.clause cite { font-style: normal; font-size: .875rem; color: var(--soft); }
.check { margin: 1.25rem 0 0; }
.finding { display: grid; grid-template-columns: 8.5rem minmax(0, 1fr); gap: .5rem 1rem; margin: 0; }
.finding dt { padding-top: .55rem; font-size: .875rem; color: var(--soft); }
.finding dd { margin: 0; padding-top: .4rem; min-width: 0; }
.finding dd:has(pre) { padding-top: 0; }
.compared { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .5rem 1rem; margin: 0 0 .75rem; }
.compared dt { font-size: .875rem; color: var(--soft); }
.compared dd { margin: 0; min-width: 0; }
mark { padding: 0 .1em; color: inherit; background: color-mix(in srgb, var(--warned) 28%, var(--page)); border-radius: 2px; }
dl.case { display: grid; gap: .25rem; margin: 0; }
dl.case > div { display: flex; flex-wrap: wrap; gap: 0 .6rem; }
dl.case dt { padding: 0; min-width: 8rem; }
.finding dl.case dd { padding: 0; flex: 1 1 14rem; }
ol.case { margin: 0; padding-left: 1.25rem; }
.same-cause { margin: -.75rem 0 1.75rem; }
.self { display: inline-block; min-width: 1.5rem; min-height: 1.5rem; text-align: center; text-decoration: none; color: var(--soft); font-weight: 400; }
.copy { min-height: 1.75rem; margin: .25rem 0 0; padding: .1rem .5rem; font: inherit; font-size: .8125rem; color: var(--text); background: var(--page); border: 1px solid var(--soft); border-radius: 4px; cursor: pointer; }
.copy[data-copied]::after { content: " " attr(data-copied); }
pre.expected { border-left: 4px solid var(--passed); }
pre.actual { border-left: 4px solid var(--failed); }
.exchange { padding-left: .9rem; border-left: 2px solid var(--line); }
.exchange[open] { padding-bottom: .9rem; }
.exchange b { font-weight: 600; }
.exchange h6:first-of-type { margin-top: .4rem; }
.part { padding: .1rem 0; border-bottom: 2px solid var(--part); box-decoration-break: clone; -webkit-box-decoration-break: clone; }
.part::before { content: attr(data-part); margin: 0 .3rem 0 .15rem; font: 600 .75rem/1 system-ui, sans-serif; color: var(--part); }
.part.token { --part: var(--token); }
.part.path { --part: var(--path); }
.part.body { --part: var(--body); }
.part.timestamp { --part: var(--time); }
.part.separator { --part: var(--soft); }
.signed-otherwise code { white-space: pre-wrap; }
.repeat pre + details { margin-top: .35rem; }
`;

/** The style of the page's tools and of the choice of a language; it takes its colours from the page's own style. What is out of sight is not laid out: a filter of a large page would take a second. */
const toolsStyle: Markup = markup`
[hidden] { display: none !important; }
html[data-language="en"] .said > [lang="pt-BR"], html[data-language="pt-BR"] .said > [lang="en"] { display: none; }
html:not([data-language]) .said > [lang="pt-BR"]::before { content: " / "; }
.filters { display: grid; gap: .75rem; margin: 1rem 0 1.5rem; padding: 1rem 1.25rem; background: var(--raised); border-radius: 8px; }
.filter, .switches { display: flex; flex-wrap: wrap; align-items: end; gap: .75rem 1.25rem; }
.switches { align-items: center; gap: .35rem .75rem; font-size: .875rem; }
.filter h3 { width: 100%; margin: 0; font-size: 1rem; }
.filter fieldset { display: flex; flex-wrap: wrap; gap: 0 1rem; min-width: 0; margin: 0; padding: 0; border: 0; }
.filter legend { padding: 0; font-size: .875rem; color: var(--soft); }
.tools label { display: inline-flex; flex-wrap: wrap; align-items: center; gap: 0 .4rem; min-height: 2rem; }
.filter-says p { margin: 0; }
.tools button, .tools select, .tools input[type="search"] {
  min-height: 2rem; max-width: 100%; padding: .25rem .6rem; font: inherit; color: var(--text); background: var(--page);
  border: 1px solid var(--soft); border-radius: 4px; }
.tools input[type="checkbox"] { width: 1.5rem; height: 1.5rem; min-height: 0; margin: 0;
  accent-color: var(--link); }
.tools button { cursor: pointer; }
[data-at] { outline: 3px solid var(--link); outline-offset: 2px; }
@media screen {
  [data-filtered] { display: none !important; }
  html[data-language] article.clause, html[data-language] section.topic { content-visibility: auto; contain-intrinsic-size: auto 40rem; }
}
@media print { .tools { display: none !important; } }
`;

/** Style of the section with what was observed; it takes its colours from that of the page. */
const observedStyle: Markup = markup`
#observed .heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
#observed h3 { margin-top: 2.5rem; }
#observed .wide { position: relative; }
#observed .note { font-size: .875rem; color: var(--soft); }
#observed .open { color: var(--open); }
#observed caption { padding: .25rem 0; text-align: left; color: var(--text); }
#observed .legend { display: flex; flex-wrap: wrap; gap: .375rem 1.5rem; margin: .75rem 0 1rem; padding: 0; list-style: none; }
#observed .legend li { display: flex; align-items: center; gap: .5rem; }
#observed .sign { flex: none; display: inline-grid; place-items: center; width: 2.25rem; height: 1.75rem;
  font-weight: 700; border: 1px solid currentcolor; border-radius: 3px; }
#observed .blank { border-color: var(--line); }
#observed .stated, #observed .against-stated, #observed .against-implied {
  background: color-mix(in srgb, currentcolor 12%, transparent); print-color-adjust: exact; }
#observed .grid { border-collapse: separate; border-spacing: 2px; }
#observed .grid th, #observed .grid td { border: 0; padding: .25rem .375rem; vertical-align: middle; }
#observed .grid th { text-align: left; white-space: nowrap; font-weight: 400; }
#observed .grid th[scope=colgroup], #observed .grid th[scope=rowgroup] { font-weight: 700; color: var(--text); background: var(--raised); }
#observed .grid th[scope=colgroup] { text-align: center; }
#observed .grid th[scope=col] { vertical-align: bottom; text-align: center; padding: .375rem 0; color: var(--text); }
#observed .grid .upright { display: inline-block; writing-mode: vertical-rl; transform: rotate(180deg); line-height: 1.2; }
#observed .grid tbody td { min-width: 2.25rem; height: 2.25rem; text-align: center; font-weight: 700; border: 1px solid var(--line); border-radius: 3px; }
#observed .grid tbody td[class] { border-color: currentcolor; }
#observed .grid tbody td.self { border-color: transparent; background: var(--raised); print-color-adjust: exact; }
#observed .grid code { margin-left: .5rem; color: var(--soft); }
#observed .against { margin: .75rem 0; padding: 0; list-style: none; }
#observed .against li { margin: .375rem 0; }
#observed .timeline { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .625rem 1.5rem; align-items: center;
  margin: 1rem 0 1.5rem; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 4px; }
#observed .timeline .note { grid-column: 1 / -1; margin: .5rem 0 0; }
#observed .who { line-height: 1.25; }
#observed .who .note { display: block; }
#observed .track { padding: 0 2rem 0 .5rem; }
#observed .track > div { position: relative; height: 2.5rem; }
#observed .track > div::before { content: ""; position: absolute; inset: calc(50% - 1px) 0 auto 0; border-top: 2px dotted var(--line); }
#observed .track span { position: absolute; }
#observed .track .watched { left: 0; top: calc(50% - 1px); border-top: 2px solid var(--soft); }
#observed .track .planned { top: .25rem; bottom: .25rem; border-left: 2px solid var(--link); transform: translateX(-1px); }
#observed .track .seen { top: calc(50% - .375rem); width: .75rem; height: .75rem; margin-left: -.375rem;
  border: .375rem solid var(--text); border-radius: 50%; box-shadow: 0 0 0 2px var(--page); }
#observed .axis .planned { top: 1.375rem; bottom: 0; border-left: 0; transform: translateX(-50%); white-space: nowrap; font-size: .8125rem; line-height: 1; }
#observed .axis .planned::before { content: ""; position: absolute; left: 50%; bottom: 100%; height: 1rem; margin: 0 0 .125rem -1px; border-left: 2px solid var(--link); }
#observed .axis > div::before { inset: .625rem 0 auto 0; border-top: 2px solid var(--line); }
#observed .ladder thead th { min-width: 4.75rem; white-space: normal; }
#observed .ladder th:first-child { min-width: 13rem; white-space: normal; }
#observed .ladder td .note, #observed .ladder th .note { display: block; }
#observed .ladder tbody th { font-weight: 400; }
#observed .ladder tbody:nth-of-type(2) { border-top: 2px solid var(--line); }
#observed .ladder th:last-child, #observed .ladder td:last-child { text-align: left; }
#observed .statuses th:nth-child(-n+3), #observed .statuses td:nth-child(-n+2) { text-align: left; }
#observed .statuses tbody th[scope=row] { font-weight: 400; }
#observed .statuses tbody th[scope=rowgroup] { padding-top: 1.25rem; }
#observed .statuses .none { text-align: left; color: var(--open); font-style: italic; }
@media (max-width: 40rem) {
  #observed .timeline { grid-template-columns: minmax(0, 1fr); padding: .75rem; gap: 0; }
  #observed .who { margin-top: .75rem; }
  #observed .who .note { display: inline; }
  #observed .grid th[scope=row] { position: sticky; left: 0; min-width: 7.5rem; background: var(--page); white-space: normal; line-height: 1.25; }
  #observed .grid code { display: block; margin: 0; }
  #observed .ladder th:first-child { min-width: 9rem; }
  #observed .statuses tbody th[scope=row] { min-width: 10rem; white-space: normal; overflow-wrap: anywhere; }
}
@media print {
  #observed table, #observed thead th, #observed .who, #observed .timeline .note { font-size: 8pt; }
  #observed .note, #observed code { font-size: 7.5pt; }
  #observed th, #observed td { padding-left: .25rem; padding-right: .25rem; }
  #observed .grid code { display: block; margin: 0; }
  #observed .grid th[scope=row] { white-space: normal; line-height: 1.2; }
  #observed .grid tbody td { min-width: 1.75rem; height: 1.75rem; padding: 0; }
  #observed .ladder th:first-child { min-width: 8rem; }
  #observed .ladder td:last-child { white-space: normal; }
  #observed .timeline { break-inside: avoid; }
}
`;

/** What differs on a phone and on paper (A4, failures unfolded, always in the colours of the light theme). */
const mediaStyle = markup`
@media (max-width: 40rem) {
  body { padding: 1rem 1rem 2rem; }
  nav { margin: 0 -1rem; padding: .35rem 1rem; }
  h2 { margin-top: 1.75rem; }
  .hero { gap: .6rem; padding: .75rem; }
  .hero > .sign { width: 1.75rem; height: 1.75rem; font-size: 1rem; }
  .sentence { font-size: 1.0625rem; }
  .level { font-size: 1rem; }
  .finding, .compared { grid-template-columns: minmax(0, 1fr); gap: .15rem; }
  .finding dd { margin-bottom: .5rem; }
  .clause { padding: .85rem .9rem 1rem; }
}
@media screen { .on-paper { display: none; } }
@page { size: A4; margin: 15mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt system-ui, sans-serif; } }
@media print {
  :root { color-scheme: light; --page: #fff; --raised: #f4f5f4; --line: #c9cdc9;
    --text: #000; --soft: #4b524d; --link: #0b57a4; --passed: #17692f; --failed: #b3221a; --known: #6a45a5; --warned: #855000;
    --open: #4b524d; --token: #98400c; --path: #0b57a4; --body: #17692f; --time: #6a45a5; }
  body { max-width: none; padding: 0; font-size: 9.5pt; }
  nav, .skip, .samples, .script { display: none; }
  pre { max-height: none; overflow: visible; border: 1px solid var(--line); }
  .wide { overflow: visible; }
  tr, h2, h3, h4, .finding dt, .trust > div, article.clause, .check, .exchange, .compared, .findings > li, .map > div { break-inside: avoid; }
  .self, .copy { display: none; }
  h2, h3, h4, h5, h6, summary { break-after: avoid; }
  .reach::details-content, .failures .exchange::details-content, .changes details::details-content { content-visibility: visible; block-size: auto; }
}
`;

/** The style of the report: light and dark, for a phone, a desk and paper. */
export const style = markup`${baseStyle}${overviewStyle}${tableStyle}${failureStyle}${toolsStyle}${observedStyle}${mediaStyle}`;
