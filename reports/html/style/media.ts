import { markup } from '../markup.ts';

/** What differs on a phone and on paper (A4, failures unfolded, always in the colours of the light theme). */
export const mediaStyle = markup`
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
