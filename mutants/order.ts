import type { ClauseId } from '../contract/catalogue.ts';
import { referenceRules, type Rules } from '../simulator/rules/rules.ts';
import type { Mutant } from './mutant.ts';

/** The reference with some stages of the gateway moved to stand before another. */
function withStagesMoved(stageNames: readonly string[], before: string): Rules {
  const isMoved = (name: string): boolean => stageNames.includes(name);
  const ahead = referenceRules.stages.filter(isMoved);
  const stages = referenceRules.stages
    .filter((name) => !isMoved(name))
    .flatMap((name) => (name === before ? [...ahead, name] : [name]));
  return { ...referenceRules, stages };
}

/** A mutant whose gateway has some stages in another place. */
export function moved(id: string, breaks: readonly ClauseId[], stageNames: readonly string[], before: string): Mutant {
  return { id, breaks, rules: withStagesMoved(stageNames, before) };
}
