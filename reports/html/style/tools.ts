import { markup, type Markup } from '../markup.ts';

/** The style of the page's tools and of the choice of a language; it takes its colours from the page's own style. What is out of sight is not laid out: a filter of a large page would take a second. */
export const toolsStyle: Markup = markup`
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
