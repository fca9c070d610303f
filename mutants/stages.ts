import type { StagedRules } from '../simulator/gateway/gateway.ts';
import type { Stage } from '../simulator/gateway/stages.ts';

/** The rules with these stages in place of all that they have. */
export function withStages(rules: StagedRules, stages: readonly Stage[]): StagedRules {
  return {
    ...rules,
    stages: stages.map(({ name }) => name),
    otherStages: Object.fromEntries(stages.map((stage) => [stage.name, stage])),
  };
}
