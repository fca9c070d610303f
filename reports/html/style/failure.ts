import { markup } from '../markup.ts';

/** Failures with their finding, their exchanges and the string that was signed. */
export const failureStyle = markup`
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
