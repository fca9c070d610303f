import type { Results } from '../../schemas/results.ts';
import { judgedNothing } from '../verdicts.ts';
import { markup, type Markup } from './markup.ts';
import { endpointsPart } from './observed/endpoints.ts';
import { ladderPart } from './observed/ladder.ts';
import { precedencePart } from './observed/precedence.ts';
import { said } from './said.ts';

/**
 * Section with what was seen and not judged: the order of refusals, the times of retries, the statuses of answers. `undefined` of
 * a run that saw nothing, or that judged nothing.
 */
export function observedSection(results: Results): Markup | undefined {
  const { shapes = [], order = [], ladders = [] } = results;
  const isEmpty = shapes.length + order.length + ladders.length === 0;
  if (judgedNothing(results) || isEmpty) return undefined;
  return markup`<section id="observed" aria-labelledby="observed-heading">
<h2 id="observed-heading">${said('Observed', 'Observado')}</h2>
<p>${said('What was seen on the way, also where the contract is silent. Nothing here is judged: that is what the clauses are for.', 'O que foi visto no caminho, também onde o contrato se cala. Nada aqui é julgado: para isso existem as cláusulas.')}</p>
${precedencePart(results)}
${ladderPart(results)}
${endpointsPart(results)}</section>`;
}
