import { markup } from '../markup.ts';

/** Tables: counts, all clauses, strips of earlier runs; and the lists of what was not judged. */
export const tableStyle = markup`
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
