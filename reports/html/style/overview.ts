import { markup } from '../markup.ts';

/** The top of the page: verdict, sections, what changed, what the verdict rests on; and the footer. */
export const overviewStyle = markup`
.top { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .5rem 1.5rem; }
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
