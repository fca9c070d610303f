import { markup } from '../markup.ts';

const light = markup`
    --page: #fcfcfb; --raised: #f1f3f1; --line: #d5d9d5; --text: #1a1e1b; --soft: #545c57; --link: #0b57a4;
    --passed: #17692f; --failed: #b3221a; --known: #6a45a5; --warned: #855000; --open: #545c57;
    --token: #98400c; --path: #0b57a4; --body: #17692f; --time: #6a45a5;`;
const dark = markup`
    --page: #151816; --raised: #1f2421; --line: #3a423d; --text: #e6e9e6; --soft: #a5aea8; --link: #8ec2ff;
    --passed: #6fd08e; --failed: #ff9186; --known: #c8adff; --warned: #f0b454; --open: #a5aea8;
    --token: #f5b08a; --path: #8ec2ff; --body: #6fd08e; --time: #c8adff;`;

/** Colours of both themes, type, landmarks. Every text colour has a contrast of 4.5 or more on every background. */
export const baseStyle = markup`
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
