import type { ClauseId } from '../contract/catalogue.ts';
import type { Context } from '../simulator/gateway/stages.ts';
import type { RequestFacts } from '../simulator/http/request-facts.ts';
import type { Application } from '../simulator/model.ts';
import { referenceRules } from '../simulator/rules/rules.ts';
import { behindStages, firstOf, notingDisabled, stageMutant, type Mutant, type StageChange } from './mutant.ts';

type Held = (first: Application, now: Application) => Partial<Application>;

/** Judges an application by what it was when it was first met, in some of what it is. */
function remembered(what: string, held: Held): Mutant {
  const first = firstOf<Application>();
  const seen = (context: Context): Context => {
    const { application } = context;
    if (!application) return context;
    const known = first(application.appKey, application);
    return { ...context, application: { ...application, ...held(known, application) } };
  };
  const contexts = new WeakMap<Context, Context>();
  const rules = behindStages(referenceRules, (request, context, original) => {
    const own = contexts.get(context) ?? seen(context);
    contexts.set(context, own);
    return original.answer(request, own);
  });
  return { id: `application.${what}`, breaks: ['application.change-in-force'], rules };
}

/** A server whose rotation of a secret takes more with it than the old secret. */
function afterRotation(
  id: string,
  breaks: Mutant['breaks'],
  isAlso: (request: RequestFacts) => boolean,
  change: (context: Context) => Context,
): Mutant {
  const fresh = new Set<string>();
  const { token } = referenceRules;
  const secretsAfterRotation: typeof token.secretsAfterRotation = (old, secret) => {
    fresh.add(secret);
    return token.secretsAfterRotation(old, secret);
  };
  const rotating = { ...referenceRules, token: { ...token, secretsAfterRotation } };
  const rules = behindStages(rotating, (request, context, original) =>
    original.answer(request, fresh.has(context.sent.token) && isAlso(request) ? change(context) : context),
  );
  return { id, breaks, rules };
}

const like =
  (other: Partial<Application>) =>
  (context: Context): Context =>
    context.application ? { ...context, application: { ...context.application, ...other } } : context;

/** Takes a secret that was rotated away on requests of some kind. */
function formerTaken(what: string, isSo: (request: RequestFacts) => boolean): Mutant {
  const renewed = new Map<string, string>();
  const { token } = referenceRules;
  const secretsAfterRotation: typeof token.secretsAfterRotation = (old, secret) => {
    for (const one of old) renewed.set(one, secret);
    return token.secretsAfterRotation(old, secret);
  };
  const rules = behindStages(
    { ...referenceRules, token: { ...token, secretsAfterRotation } },
    (request, context, original) =>
      isSo(request) && renewed.has(context.sent.token) ? undefined : original.answer(request, context),
    'token',
  );
  return { id: `token.former-taken-on-${what}`, breaks: ['token.rotated-refused'], rules };
}

/** Serves what it served before to the same caller, whatever became of the subscriptions. */
function servedAgain(what: string, isSo: (request: RequestFacts) => boolean): Mutant {
  const served = new Set<string>();
  const answer: StageChange = (request, context, original) => {
    const key = `${context.application?.appKey} ${request.method} ${request.path}`;
    const refusal = original.answer(request, context);
    if (refusal && isSo(request) && served.has(key)) return undefined;
    if (!refusal) served.add(key);
    return refusal;
  };
  return stageMutant(`application.served-again-${what}`, ['application.change-in-force'], 'subscription', answer);
}

const always = (): boolean => true;

/** An application that calls while it is disabled loses its companies, where invoices are issued or cancelled. */
function lostOnceDisabled(name: string, clause: ClauseId, ofMethod: string): Mutant {
  const id = `${name}.companies-lost-once-disabled`;
  const { noting, wasDisabled } = notingDisabled(id, [clause]);
  const rules = behindStages(
    noting.rules,
    (request, context, original) => {
      const isLost = request.method === ofMethod && /\/nf-e(?:\/[^/]+)?$/.test(request.path);
      return isLost && wasDisabled(context.application?.appKey ?? '')
        ? { status: 404, body: [{ codigo: 'X', mensagem: 'empresa' }] }
        : original.answer(request, context);
    },
    'endpoint',
  );
  return { ...noting, rules };
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
  remembered('old-list-kept-too', ({ subscriptions }, now) =>
    subscriptions !== 'all' && now.subscriptions !== 'all'
      ? { subscriptions: [...subscriptions, ...now.subscriptions] }
      : {},
  ),
  remembered('new-subscriptions-late', ({ subscriptions }, now) =>
    Array.isArray(subscriptions) && (now.subscriptions === 'all' || now.subscriptions.length > subscriptions.length)
      ? { subscriptions }
      : {},
  ),
  servedAgain('on-get', ({ method }) => method === 'GET'),
  servedAgain('with-a-body', ({ method }) => method === 'POST'),
  remembered('old-limit-kept', ({ rateLimit }) => ({ rateLimit })),
  remembered('new-limit-ignored', ({ rateLimit }) => (rateLimit === null ? { rateLimit } : {})),
  ...['get', 'delete'].map((method) => formerTaken(method, (request) => request.method.toLowerCase() === method)),
  formerTaken('retired-paths', ({ path }) => /^\/openapi\/(?:nfe|cadastro)\//.test(path)),
  afterRotation('application.enabled-by-rotation', ['application.change-in-force'], always, like({ state: 'active' })),
  afterRotation(
    'application.limit-lost-by-rotation',
    ['application.change-in-force'],
    always,
    like({ rateLimit: null }),
  ),
  afterRotation(
    'nfe-query.companies-lost-by-rotation',
    ['nfe-query.found-by-id'],
    ({ path }) => path.includes('/empresas/'),
    like({ integratorId: 'another' }),
  ),
  ...(
    [
      ['nfe-issuance', 'nfe-issuance.status-200', ({ method, path }) => method === 'POST' && path.endsWith('/nf-e')],
      ['nfe-cancellation', 'nfe-cancellation.found-by-id', ({ method }) => method === 'DELETE'],
      [
        'certificado-association',
        'certificado-association.multipart-upload',
        ({ path }) => path.endsWith('/certificadoDigital'),
      ],
    ] satisfies [string, ClauseId, (request: RequestFacts) => boolean][]
  ).map(([name, clause, isSo]) =>
    afterRotation(`${name}.companies-lost-by-rotation`, [clause], isSo, like({ integratorId: 'another' })),
  ),
  lostOnceDisabled('nfe-issuance', 'nfe-issuance.status-200', 'POST'),
  lostOnceDisabled('nfe-cancellation', 'nfe-cancellation.found-by-id', 'DELETE'),
  remembered('limit-lifted-too-late', ({ rateLimit }, now) => (now.rateLimit === null ? { rateLimit } : {})),
];
