import type { Reach } from '../assurance.ts';
import { levelSentence } from '../level-sentence.ts';
import { markup, type Markup } from './markup.ts';
import { said, saidBy, saidPart } from './said.ts';

/** Which level a run has completed, in a sentence. */
export function levelLine(reach: Reach): Markup {
  return markup`<p class="level">${saidBy((language) => levelSentence(reach, language))}</p>
`;
}

/** How much of each level was exercised. */
export function levelSteps(reach: Reach): Markup {
  const last = reach.reached.findIndex(({ name }) => name === reach.complete);
  return markup`<p class="levels-title" id="levels-title">${said(
    'Must clauses exercised, of each level and those below it',
    'Cláusulas obrigatórias exercitadas, de cada nível e dos abaixo dele',
  )}</p>
<ol class="levels" aria-labelledby="levels-title">${reach.reached.map((step, index) => levelItem(step, index <= last))}</ol>`;
}

function levelItem({ name, exercised, of }: Reach['reached'][number], isComplete: boolean): Markup {
  const look = isComplete
    ? { sign: '✓', kind: 'passed', word: said('complete', 'completo') }
    : { sign: '○', kind: 'not-exercised', word: said('not complete', 'não completo') };
  return markup`<li><span class="${look.kind}"><span aria-hidden="true">${look.sign}</span> ${name}</span> ${saidPart(exercised, of)} <span class="unseen">(${look.word})</span></li>`;
}
