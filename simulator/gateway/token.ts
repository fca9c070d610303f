import { refuse } from '../rules/envelope.ts';
import type { Stage } from './stage.ts';

/** Refuses a request whose token belongs to no application. */
export const tokenStage: Stage = {
  name: 'token',
  answer(request, { rules, application }) {
    return application ? undefined : refuse(rules.token.code, request, rules);
  },
};
