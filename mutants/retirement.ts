import { languages } from '../contract/values.ts';
import { member } from '../schemas/values.ts';
import { rateLimitStage } from '../simulator/gateway/stages.ts';
import { parseJsonObject } from '../simulator/http/json.ts';
import { refuse } from '../simulator/rules/envelope.ts';
import { languageRules } from '../simulator/rules/language.ts';
import { subscriptionRules } from '../simulator/rules/subscription.ts';
import { retirementRules } from '../simulator/rules/retirement.ts';
import {
  lenientMutant,
  moved,
  mutant,
  type Mutant,
  ruleMutants,
  stageMutant,
  stageMutants,
  withMembers,
} from './mutant.ts';

const staged = stageMutants('retirement', 'retirement');
const ruled = ruleMutants('retirement', 'retirement');
const ruledLanguage = ruleMutants('retirement', 'language');

const { find } = retirementRules;
const { retiredText } = languageRules;
const named = [
  'retirement.replacement-named',
  'retirement.english-text',
  'retirement.replacement-in-every-language',
] as const;

/** A grace period: the first request of each application passes. */
function withGrace(): Mutant {
  const seen = new Set<string>();
  return staged(
    'first-request-served',
    ['retirement.gone', 'retirement.no-grace-period'],
    (request, context, original) => {
      const key = context.application?.appKey ?? '';
      if (seen.has(key)) return original.answer(request, context);
      seen.add(key);
      return find(request.method, request.path) ? { status: 200, body: {} } : undefined;
    },
  );
}

/** Wrong retirements. */
export const retirementMutants: readonly Mutant[] = [
  staged('posts-with-a-query-unknown', ['retirement.gone'], async (request, context, original) => {
    const refusal = await original.answer(request, context);
    const isMeant = request.method === 'POST' && request.query !== undefined;
    return refusal && isMeant ? { status: 404, body: { code: 'SIM-NOT-FOUND', message: 'Não encontrado' } } : refusal;
  }),
  ruled('forgotten', ['retirement.gone', 'retirement.any-variables', 'retirement.no-grace-period'], {
    find: () => undefined,
  }),
  ruled('numbers-only', ['retirement.any-variables'], {
    find: (method, path) => (/\/cadastro\/(?!cnpj\/\d+$|cpf\/\d+\/\d+$)/.test(path) ? undefined : find(method, path)),
  }),
  ruled('one-path-404', ['retirement.gone'], {
    find: (method, path) => (path === '/openapi/nfe/invoice/danfe' ? undefined : find(method, path)),
  }),
  staged('one-path-200', ['retirement.gone'], (request, context, original) =>
    request.path === '/openapi/nfe/verify/chave' ? { status: 200, body: {} } : original.answer(request, context),
  ),
  staged('one-path-redirects', ['retirement.gone'], (request, context, original) =>
    request.path === '/openapi/nfe/verify/xml'
      ? { status: 308, headers: { location: '/openapi/v3/consultas/nf-e/xml' } }
      : original.answer(request, context),
  ),
  staged('empty-document-refused', ['retirement.gone'], (request, context, original) =>
    request.path === '/openapi/nfe/verify/xml' && request.rawBody.length === 0
      ? { status: 400, body: { code: 10015001, message: 'the body is empty' } }
      : original.answer(request, context),
  ),
  staged('large-body-refused', ['retirement.gone'], (request, context, original) =>
    request.rawBody.length > 1_048_576 && find(request.method, request.path)
      ? { status: 400, body: { code: 10015002, message: 'the body is too large' } }
      : original.answer(request, context),
  ),
  staged('known-document-served', ['retirement.gone'], (request, context, original) =>
    request.path === '/openapi/nfe/verify/xml' && request.rawBody.includes('Id="NFe')
      ? { status: 200, body: { validation: { validationStatus: 'VALIDATED' } } }
      : original.answer(request, context),
  ),
  staged('known-number-served', ['retirement.gone'], (request, context, original) =>
    request.path === '/openapi/cadastro/cnpj/99999999000191'
      ? { status: 200, body: { cnpj: '99999999000191' } }
      : original.answer(request, context),
  ),
  staged('whole-invoice-taken', ['retirement.gone'], (request, context, original) =>
    request.path === '/openapi/nfe/invoice/create' && request.rawBody.includes('"itens"')
      ? { status: 200 }
      : original.answer(request, context),
  ),
  staged('own-invoice-found', ['retirement.gone'], (request, context, original) => {
    const { empresaId } = request.path === '/openapi/nfe/invoice/query' ? (parseJsonObject(request.rawBody) ?? {}) : {};
    const isOwn = typeof empresaId === 'string' && empresaId.length > 1;
    return isOwn ? { status: 200, body: { status: 'Autorizada' } } : original.answer(request, context);
  }),
  ruled('odd-numbers-forgotten', ['retirement.any-variables'], {
    find: (method, path) => (/[13579]$/.test(path) ? undefined : find(method, path)),
  }),
  withGrace(),
  mutant('retirement.code-10009011', ['retirement.not-implemented-code-gone', 'retirement.gone'], 'envelope', {
    code: (code) => (code === 10009034 ? 10009011 : code),
  }),
  ruled('replacement-missing', named, { replacementText: () => 'another endpoint' }),
  ruled('replacement-wrong', named, { replacementText: () => 'POST /openapi/demo/echo' }),
  ruled('replacement-by-other-method', named, {
    replacementText: (retired) => retirementRules.replacementText(retired).replace('DELETE', 'POST'),
  }),
  ruled('replacement-cut-short', named, {
    replacementText: (retired) => retirementRules.replacementText(retired).replace('/{nfeId}', ''),
  }),
  ruledLanguage('other-english', ['retirement.english-text'], {
    retiredText: (replacement, language) =>
      language === 'en' ? `This API is retired, use ${replacement}` : retiredText(replacement, language),
  }),
  stageMutant(
    'retirement.other-english-by-accept-language',
    ['retirement.english-text'],
    'retirement',
    async (request, context, original) => {
      const reply = await original.answer(request, context);
      const isAsked =
        request.headers['language'] === undefined && /^en\b/.test(request.headers['accept-language'] ?? '');
      const message = member(reply?.body, 'message');
      return isAsked && reply && typeof message === 'string'
        ? withMembers(reply, { message: message.replace(/^.*?(?=[A-Z]+ \/)/, 'API discontinued: use ') })
        : reply;
    },
  ),
  ruledLanguage('replacement-in-english-only', ['retirement.replacement-in-every-language'], {
    retiredText: (replacement, language) => retiredText(language === 'en' ? replacement : '', language),
  }),
  ruledLanguage('always-english', ['retirement.message-language', 'language.language-header'], {
    retiredText: (replacement) => retiredText(replacement, 'en'),
  }),
  ruledLanguage(
    'always-portuguese',
    ['retirement.english-text', 'retirement.message-language', 'language.accept-language-header'],
    {
      retiredText: (replacement) => retiredText(replacement, 'pt'),
    },
  ),
  ruledLanguage('spanish-as-portuguese', ['retirement.message-language'], {
    retiredText: (replacement, language) =>
      retiredText(replacement, languages.find((one) => one === language && one !== 'es') ?? 'pt'),
  }),
  moved('retirement.before-signature', ['retirement.after-authentication'], ['retirement'], 'signature'),
  moved(
    'retirement.before-timestamp',
    ['retirement.after-authentication', 'precedence.401-before-410'],
    ['retirement'],
    'timestamp',
  ),
  moved(
    'retirement.before-headers',
    ['retirement.after-authentication', 'precedence.401-before-410'],
    ['retirement'],
    'required-headers',
  ),
  moved(
    'retirement.after-application',
    [
      'retirement.before-disabled-application',
      'retirement.before-pending-application',
      'retirement.before-rejected-application',
      'retirement.before-disabled-integrator',
      'precedence.410-before-403',
    ],
    ['application'],
    'retirement',
  ),
  staged(
    'not-without-subscription',
    ['retirement.before-subscription', 'precedence.410-before-403'],
    (request, context, original) =>
      context.application?.subscriptions === 'all'
        ? original.answer(request, context)
        : refuse('notSubscribed', request, context.rules),
  ),
  staged('subscribed-served', ['retirement.gone'], async (request, context, original) => {
    const gone = await original.answer(request, context);
    const { subscriptions = 'all' } = context.application ?? {};
    const isOwn = (scope: string): boolean => subscriptionRules.matches(scope, request.path.toLowerCase());
    return subscriptions !== 'all' && subscriptions.some(isOwn) ? { status: 200, body: {} } : gone;
  }),
  staged('untyped-refused', ['retirement.gone'], (request, context, original) =>
    request.method === 'POST' && request.headers['content-type'] === undefined
      ? { status: 415, body: { code: 'TYPE', message: 'Unsupported media type' } }
      : original.answer(request, context),
  ),
  staged('spends-a-rate-token', ['retirement.spends-no-rate-token'], async (request, context, original) => {
    const gone = await original.answer(request, context);
    if (gone) await rateLimitStage.answer(request, context);
    return gone;
  }),
  moved(
    'retirement.after-rate-limit',
    ['retirement.not-rate-limited', 'retirement.spends-no-rate-token', 'precedence.410-before-429'],
    ['rate-limit'],
    'retirement',
  ),
  staged('one-too-many', ['retirement.standard-endpoints-live'], (request, context, original) =>
    request.path.startsWith('/openapi/v3/consultas/cnpj/')
      ? refuse('retired', request, context.rules)
      : original.answer(request, context),
  ),
  lenientMutant('retirement.old-path-signed', ['retirement.lookups-signed-anew'], {
    signedPath: ({ path }) => path.replace('/v3/consultas/', '/cadastro/'),
  }),
];
