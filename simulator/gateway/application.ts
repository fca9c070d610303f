import { refuse } from '../rules/envelope.ts';
import type { Stage } from './stage.ts';

/** Refuses a request of an application that may not call, or whose integrator may not. */
export const applicationStage: Stage = {
  name: 'application',
  answer(request, { rules, application }) {
    const refusal = application && rules.application.refusal(application, rules.application);
    return refusal && refuse(refusal, request, rules);
  },
};
