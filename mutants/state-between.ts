import type { Context } from '../simulator/gateway/stages.ts';
import type { RequestFacts } from '../simulator/http/request-facts.ts';
import type { Application } from '../simulator/model.ts';
import { referenceRules } from '../simulator/rules/rules.ts';
import { parseJsonObject } from '../simulator/http/json.ts';
import { nfeIssuanceRules } from '../simulator/rules/nfe-issuance.ts';
import { nfeQueryRules } from '../simulator/rules/nfe-query.ts';
import { type Mutant, behindStages, endpointMutants, stageMutant } from './mutant.ts';

const { changed } = endpointMutants('nfe-issuance');

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

/** A denied invoice waits again once its id was sent again, though that was refused. */
function deniedReopened(): Mutant {
  const sentAgain = new Set<string>();
  const breaks = ['nfe-query.follows-the-life-cycle'] as const;
  const { id, rules } = changed('repeated-id-reopens-the-denied', breaks, (request, context, answer) => {
    const nfeId = String(parseJsonObject(request.rawBody)?.['id']);
    const [, , , , empresaId = ''] = request.path.split('/');
    if (context.state.invoices.find(empresaId, nfeId)?.settlement) sentAgain.add(`${request.path}/${nfeId}`);
    return answer(request, context);
  });
  const state: typeof nfeQueryRules.state = (invoice, record) => {
    const right = nfeQueryRules.state(invoice, record);
    const path = `/openapi/v2/empresas/${invoice.empresaId}/nf-e/${invoice.nfeId}`;
    return right === 'Negada' && sentAgain.has(path) ? 'AguardandoAutorizacao' : right;
  };
  return { id, breaks, rules: { ...rules, nfeQuery: { ...nfeQueryRules, state } } };
}

/** What is refused for its content is found all the same, as if it waited. */
function refusedKept(): Mutant {
  const refused = new Set<string>();
  const breaks = ['nfe-issuance.refused-leaves-nothing'] as const;
  return stageMutant('nfe-issuance.refused-kept', breaks, 'endpoint', async (request, context, original) => {
    const reply = await original.answer(request, context);
    const isOne = request.method === 'POST' && request.path.endsWith('/nf-e') && reply?.status === 400;
    if (isOne) refused.add(`${request.path}/${String(parseJsonObject(request.rawBody)?.['id'])}`);
    const isAsked = request.method === 'GET' && refused.has(request.path) && reply?.status !== 200;
    return isAsked ? { status: 200, body: { status: 'AguardandoAutorizacao' } } : reply;
  });
}

/** What was issued in some way is never decided. */
function undecided(
  what: string,
  breaks: Mutant['breaks'],
  isSo: (request: RequestFacts, context: Context) => boolean,
): Mutant {
  const ids = new Set<string>();
  const { id, rules } = changed(`${what}-never-decided`, breaks, (request, context, answer) => {
    if (isSo(request, context)) ids.add(String(parseJsonObject(request.rawBody)?.['id']));
    return answer(request, context);
  });
  const settles: typeof nfeIssuanceRules.settles = ({ nfeId }) => !ids.has(nfeId);
  return { id, breaks, rules: { ...rules, nfeIssuance: { ...nfeIssuanceRules, settles } } };
}

const always = (): boolean => true;

/** Servers that are late to learn what was changed of an application, or that keep of an issuance what they should not. */
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
  remembered('limit-lifted-too-late', ({ rateLimit }, now) => (now.rateLimit === null ? { rateLimit } : {})),
  deniedReopened(),
  refusedKept(),
  undecided('large', ['nfe-issuance.authorisation-readable'], ({ rawBody }) => rawBody.length > 16_384),
  undecided('chunked', ['nfe-issuance.authorisation-readable'], ({ headers }) => 'transfer-encoding' in headers),
  undecided(
    'unreachable',
    ['issuance-callback.called-back-when-authorised', 'issuance-callback.called-back-when-denied'],
    (_, { application }) => application?.authority.isReachable === false,
  ),
];
