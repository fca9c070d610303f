import type { Application } from '../simulator/state/application.ts';
import { referenceRules, type Rules } from '../simulator/rules.ts';
import type { Context, Stage } from '../simulator/gateway/stage.ts';
import type { Mutant } from './mutant.ts';

type Held = (first: Application, now: Application) => Partial<Application>;

/** Judges an application by what it was when it was first met, in some of what it is. */
function remembered(what: string, held: Held): Mutant {
  const first = new Map<string, Application>();
  const seen = (context: Context): Context => {
    const { application } = context;
    if (!application) return context;
    const known = first.get(application.appKey) ?? application;
    first.set(application.appKey, known);
    return { ...context, application: { ...application, ...held(known, application) } };
  };
  const contexts = new WeakMap<Context, Context>();
  const stages = referenceRules.stages.map((original): Stage => ({
    name: original.name,
    answer(request, context) {
      const own = contexts.get(context) ?? seen(context);
      contexts.set(context, own);
      return original.answer(request, own);
    },
  }));
  const rules: Rules = { ...referenceRules, stages };
  return { id: `application.${what}`, breaks: ['application.change-in-force'], rules };
}

/** Servers that are late to learn what was changed of an application. */
export const stateBetweenMutants: readonly Mutant[] = [
  remembered('old-state-kept', ({ state }) => ({ state })),
  remembered('old-state-kept-when-disabled', ({ state }, now) => (now.state === 'disabled' ? { state } : {})),
  remembered('old-state-kept-when-enabled', ({ state }, now) => (now.state === 'active' ? { state } : {})),
  remembered('old-state-kept-when-pending', ({ state }, now) => (now.state === 'pending' ? { state } : {})),
  remembered('old-state-kept-when-rejected', ({ state }, now) => (now.state === 'rejected' ? { state } : {})),
  remembered('old-integrator-state-kept', ({ integratorState }) => ({ integratorState })),
  remembered('old-integrator-state-kept-when-enabled', ({ integratorState }, now) =>
    now.integratorState === 'active' ? { integratorState } : {},
  ),
  remembered('old-subscriptions-kept', ({ subscriptions }) => ({ subscriptions })),
  remembered('old-subscriptions-kept-too', ({ subscriptions }, now) => ({
    subscriptions:
      subscriptions === 'all' || now.subscriptions === 'all' ? 'all' : [...subscriptions, ...now.subscriptions],
  })),
  remembered('new-subscriptions-late', ({ subscriptions }, now) =>
    Array.isArray(subscriptions) && (now.subscriptions === 'all' || now.subscriptions.length > subscriptions.length)
      ? { subscriptions }
      : {},
  ),
  remembered('old-limit-kept', ({ rateLimit }) => ({ rateLimit })),
  remembered('new-limit-ignored', ({ rateLimit }) => (rateLimit === null ? { rateLimit } : {})),
  remembered('limit-lifted-too-late', ({ rateLimit }, now) => (now.rateLimit === null ? { rateLimit } : {})),
];
