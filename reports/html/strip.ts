import type { ClauseVerdict } from '../../schemas/results.ts';
import type { SeriesRun } from '../series.ts';
import { runVerdictLooks, verdictLooks } from '../verdicts.ts';
import { markup, type Markup } from './markup.ts';
import { said, saidBy } from './said.ts';

/** How one run looks in a strip, and in words to who does not see it. */
export interface StripLook {
  readonly sign: string;
  /** What it is coloured as. */
  readonly kind: string;
  readonly en: string;
  readonly 'pt-BR': string;
}

const unjudged: StripLook = { sign: '·', kind: 'not-exercised', en: 'not judged', 'pt-BR': 'não julgada' };

const clauseLooks: readonly StripLook[] = verdictLooks
  .filter(({ verdict }) => verdict !== 'unobservable')
  .map(({ verdict, sign, word, portuguese }) => ({ sign, kind: verdict, en: word, 'pt-BR': portuguese }));

/** A run by its verdict. */
export function runLook(verdict: SeriesRun['verdict']): StripLook {
  const { sign, word, portuguese } = runVerdictLooks[verdict];
  return { sign, kind: verdict, en: word.toLowerCase(), 'pt-BR': portuguese.toLowerCase() };
}

/** A run by what a clause came to in it. */
export function clauseLook(verdict: ClauseVerdict | undefined): StripLook {
  return clauseLooks.find(({ kind }) => kind === verdict) ?? unjudged;
}

/** Runs that follow each other and look alike. */
interface Stretch {
  readonly look: StripLook;
  readonly runs: number;
}

/** Signs in a row for the eye, and for the ear how many of which follow each other: "29 passed, then 1 failed". */
export function stripOf(looks: readonly StripLook[]): Markup {
  const stretches = stretchesOf(looks);
  // Those that are alike share an element, which keeps a page of many strips small.
  const signs = stretches.map(({ look, runs }) => markup`<span class="${look.kind}">${look.sign.repeat(runs)}</span>`);
  return markup`<span class="strip" aria-hidden="true">${signs}</span><span class="unseen">${heard(stretches)}</span>`;
}

/** One run of a strip that leads somewhere. */
export interface LinkedCell {
  readonly look: StripLook;
  readonly title: string;
  readonly place: string;
}

/** The same with a link for each run: for a pointer, since the list of the runs has the same for whoever has none. */
export function linkedStrip(cells: readonly LinkedCell[]): Markup {
  const links = cells.map(
    ({ look, title, place }) =>
      markup`<a class="${look.kind}" href="#${place}" title="${title}" tabindex="-1">${look.sign}</a>`,
  );
  return markup`<span class="strip linked" aria-hidden="true">${links}</span><span class="unseen">${heard(stretchesOf(cells.map(({ look }) => look)))}</span>`;
}

function stretchesOf(looks: readonly StripLook[]): Stretch[] {
  const starts = [...looks.keys()].filter((index) => looks[index]?.sign !== looks[index - 1]?.sign);
  return starts.flatMap((start, index) => {
    const look = looks[start];
    return look ? [{ look, runs: (starts[index + 1] ?? looks.length) - start }] : [];
  });
}

function heard(stretches: readonly Stretch[]): Markup {
  return saidBy((language) =>
    language === 'en'
      ? stretches.map(({ look, runs }) => `${runs} ${look.en}`).join(', then ')
      : stretches
          .map(({ look, runs }) => `${look[language]} ${runs} ${runs === 1 ? 'vez' : 'vezes'}`)
          .join(', depois '),
  );
}

/** Each sign with its word. */
export function stripLegend(): Markup {
  return markup`<ul class="legend">${[...clauseLooks, unjudged].map(
    (look) =>
      markup`<li><span class="${look.kind}" aria-hidden="true">${look.sign}</span> ${said(look.en, look['pt-BR'])}</li>`,
  )}</ul>`;
}
