import { refuse } from '../rules/envelope.ts';
import type { Stage } from './stage.ts';

/** Refuses a request for a retired endpoint, whatever its application may do. */
export const retirementStage: Stage = {
  name: 'retirement',
  answer(request, { rules }) {
    const { find, replacementText, code } = rules.retirement;
    const retired = find(request.method, request.path);
    if (!retired) return undefined;
    const { choose, retiredText } = rules.language;
    return refuse(code, request, rules, retiredText(replacementText(retired), choose(request.headers)));
  },
};
