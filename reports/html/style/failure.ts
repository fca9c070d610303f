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
