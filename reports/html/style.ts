import { markup } from './markup.ts';

/** The style of the report: light and dark, for a phone, a desk and paper. Every text colour has a contrast of 4.5 or more. */
export const style = markup`
:root {
  color-scheme: light dark;
  --page: #fcfcfb; --raised: #f1f2f0; --line: #d4d7d2; --text: #1b1e1c; --soft: #565d58; --link: #0b57a4;
  --passed: #17692f; --failed: #b3221a; --known: #6a45a5; --warned: #855000; --open: #565d58;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #151816; --raised: #1f2421; --line: #3a423d; --text: #e6e9e6; --soft: #a5aea8; --link: #8ec2ff;
    --passed: #6fd08e; --failed: #ff9186; --known: #c8adff; --warned: #f0b454; --open: #a5aea8;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 76rem; background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.05rem; font-weight: 600; color: var(--soft); }
h2 { margin: 3rem 0 .75rem; font-size: 1.4rem; line-height: 1.25; }
h3 { margin: 2rem 0 .5rem; font-size: 1.1rem; line-height: 1.35; }
h4 { margin: 0 0 .5rem; font-size: 1rem; }
h5, h6 { margin: 1rem 0 .25rem; font-size: .875rem; }
p { margin: .5rem 0; max-width: 48rem; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
code, pre { font-family: ui-monospace, "SF Mono", Consolas, "DejaVu Sans Mono", monospace; font-size: .875rem; }
pre { margin: 0; padding: .5rem .75rem; max-height: 26rem; overflow: auto; white-space: pre-wrap; line-height: 1.5;
  background: var(--raised); border-radius: 4px; }
.mark { color: var(--soft); user-select: none; -webkit-user-select: none; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: .25rem; padding: .25rem .5rem; background: var(--page); }
.sentence { display: flex; gap: .75rem; max-width: none; margin: .75rem 0 1.25rem; padding: 1rem 1.25rem;
  font-size: 1.3rem; line-height: 1.35; font-weight: 600; background: var(--raised); border-left: .5rem solid currentcolor; }
.sentence > span:last-child { color: var(--text); min-width: 0; }
.conformant, .passed { color: var(--passed); }
.nonconformant, .error, .failed { color: var(--failed); }
.incomplete, .warned { color: var(--warned); }
.known { color: var(--known); }
.not-exercised, .unobservable { color: var(--open); }
.verdict { font-weight: 600; white-space: nowrap; }
.note, .where { color: var(--soft); font-size: .875rem; font-weight: 400; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: 0; list-style: none; }
nav a { display: inline-block; padding: .25rem 0; }
.wide { overflow-x: auto; overflow-wrap: normal; }
table { border-collapse: collapse; font-size: .9375rem; font-variant-numeric: tabular-nums; }
th, td { padding: .4rem .75rem; text-align: right; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { font-size: .875rem; font-weight: 600; color: var(--soft); white-space: nowrap; }
th:first-child, td:first-child { padding-left: 0; text-align: left; }
tbody th { font-weight: 600; }
td { white-space: nowrap; }
td.zero { color: var(--soft); }
.counts td:not(.zero) { font-weight: 600; }
.matrix { width: 100%; }
.matrix th:first-child { width: 100%; min-width: 15rem; overflow-wrap: anywhere; white-space: normal; }
.matrix tbody th { font-weight: 400; }
.matrix thead th { min-width: 4.75rem; }
.matrix thead th:nth-child(2) { min-width: 9.75rem; }
.matrix th:nth-child(2), .matrix th:nth-child(3), .matrix td:nth-child(-n+3) { text-align: left; }
.matrix code { font-weight: 600; }
.matrix .statement code { font-weight: 400; }
.matrix .statement { display: block; color: var(--soft); }
.matrix .note { margin: .15rem 0; }
tr:target, article:target { background: var(--raised); }
.clause { margin: 1.25rem 0 2rem; padding-left: 1rem; border-left: .25rem solid currentcolor; }
.clause > * { color: var(--text); }
.clause h3 { margin-top: 0; }
.clause .verdict.failed { color: var(--failed); }
.clause .verdict.warned { color: var(--warned); }
.clause .verdict.known { color: var(--known); }
.check { margin: 1rem 0 1.5rem; }
.finding { margin: 0; display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .4rem 1rem; }
.finding dt { padding-top: .45rem; font-size: .875rem; color: var(--soft); }
.finding dd { margin: 0; padding-top: .35rem; min-width: 0; }
.finding dd:has(pre) { padding-top: 0; }
pre.expected { border-left: 3px solid var(--passed); }
pre.actual { border-left: 3px solid var(--failed); }
summary { cursor: pointer; padding: .25rem 0; }
.exchange { padding-left: .75rem; border-left: 1px solid var(--line); }
.exchange[open] { padding-bottom: .75rem; }
.exchange b { font-weight: 600; }
h3.reason { margin-top: 1.5rem; font-size: 1rem; }
h3.reason::first-letter { text-transform: uppercase; }
.changes dt { font-weight: 600; }
.changes { margin: 0; display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 1rem 1.5rem; }
.changes dd { margin: 0; color: var(--soft); }
.changes ul, section > ul { margin: .25rem 0; padding-left: 1.25rem; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); }
footer h2 { margin-top: 1.5rem; }
.facts { margin: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .75rem 1.5rem; }
.facts dt { font-size: .875rem; color: var(--soft); }
.facts dd { margin: 0; }
@media (max-width: 40rem) {
  .sentence { font-size: 1.1rem; padding: .75rem 1rem; }
  .finding { grid-template-columns: minmax(0, 1fr); gap: .15rem; }
  .finding dd { margin-bottom: .5rem; }
  .clause { padding-left: .75rem; }
}
@media print {
  :root { --page: #fff; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav, .skip { display: none; }
  pre { max-height: none; overflow: visible; border: 1px solid var(--line); }
  .wide { overflow: visible; }
  tr, h2, h3, h4, .finding { break-inside: avoid; }
  h2, h3, h4, h5, h6 { break-after: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
`;
