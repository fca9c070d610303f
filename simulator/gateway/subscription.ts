import { refuse } from '../rules/envelope.ts';
import type { Stage } from './stage.ts';

/** Refuses a request for an endpoint that its application is not subscribed to; an unknown path is left to be 404. */
export const subscriptionStage: Stage = {
  name: 'subscription',
  answer(request, { rules, application }) {
    const { isSubscribed, code } = rules.subscription;
    if (!application || isSubscribed(application, request, rules.subscription)) return undefined;
    return refuse(code, request, rules);
  },
};
