import { markup, type Markup } from '../markup.ts';

/** Style of the section with what was observed; it takes its colours from that of the page. */
export const observedStyle: Markup = markup`
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
