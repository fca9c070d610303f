import { languages } from '../contract/values.ts';
import { rateLimitStage } from '../simulator/gateway/stages.ts';
import { refuse } from '../simulator/rules/envelope.ts';
import { languageRules } from '../simulator/rules/language.ts';
import { retirementRules } from '../simulator/rules/retirement.ts';
import { lenientMutant, mutant, type Mutant, stageMutant, moved } from './mutant.ts';

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
  return stageMutant(
    'retirement.first-request-served',
    ['retirement.no-grace-period'],
    'retirement',
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
  mutant(
    'retirement.forgotten',
    ['retirement.gone', 'retirement.any-variables', 'retirement.no-grace-period'],
    'retirement',
    {
      find: () => undefined,
    },
  ),
  mutant('retirement.one-path-404', ['retirement.gone'], 'retirement', {
    find: (method, path) => (path === '/openapi/nfe/invoice/danfe' ? undefined : find(method, path)),
  }),
  stageMutant('retirement.one-path-200', ['retirement.gone'], 'retirement', (request, context, original) =>
    request.path === '/openapi/nfe/verify/chave' ? { status: 200, body: {} } : original.answer(request, context),
  ),
  stageMutant('retirement.one-path-redirects', ['retirement.gone'], 'retirement', (request, context, original) =>
    request.path === '/openapi/nfe/verify/xml'
      ? { status: 308, headers: { location: '/openapi/v3/consultas/nf-e/xml' } }
      : original.answer(request, context),
  ),
  stageMutant('retirement.empty-document-refused', ['retirement.gone'], 'retirement', (request, context, original) =>
    request.path === '/openapi/nfe/verify/xml' && request.rawBody.length === 0
      ? { status: 400, body: { code: 10015001, message: 'the body is empty' } }
      : original.answer(request, context),
  ),
  stageMutant('retirement.large-body-refused', ['retirement.gone'], 'retirement', (request, context, original) =>
    request.rawBody.length > 1_048_576 && find(request.method, request.path)
      ? { status: 413, body: { code: 413, message: 'the body is too large' } }
      : original.answer(request, context),
  ),
  mutant('retirement.odd-numbers-forgotten', ['retirement.any-variables'], 'retirement', {
    find: (method, path) => (/[13579]$/.test(path) ? undefined : find(method, path)),
  }),
  withGrace(),
  mutant('retirement.code-10009011', ['retirement.not-implemented-code-gone', 'retirement.gone'], 'envelope', {
    code: (code) => (code === 10009034 ? 10009011 : code),
  }),
  mutant('retirement.replacement-missing', named, 'retirement', { replacementText: () => 'another endpoint' }),
  mutant('retirement.replacement-wrong', named, 'retirement', { replacementText: () => 'POST /openapi/demo/echo' }),
  mutant('retirement.replacement-cut-short', named, 'retirement', {
    replacementText: (retired) => retirementRules.replacementText(retired).replace('/{nfeId}', ''),
  }),
  mutant('retirement.other-english', ['retirement.english-text'], 'language', {
    retiredText: (replacement, language) =>
      language === 'en' ? `This API is retired, use ${replacement}` : retiredText(replacement, language),
  }),
  mutant('retirement.replacement-in-english-only', ['retirement.replacement-in-every-language'], 'language', {
    retiredText: (replacement, language) => retiredText(language === 'en' ? replacement : '', language),
  }),
  mutant('retirement.always-english', ['retirement.message-language', 'language.language-header'], 'language', {
    retiredText: (replacement) => retiredText(replacement, 'en'),
  }),
  mutant(
    'retirement.always-portuguese',
    ['retirement.message-language', 'language.accept-language-header'],
    'language',
    {
      retiredText: (replacement) => retiredText(replacement, 'pt'),
    },
  ),
  mutant('retirement.spanish-as-portuguese', ['retirement.message-language'], 'language', {
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
  stageMutant(
    'retirement.not-without-subscription',
    ['retirement.before-subscription', 'precedence.410-before-403'],
    'retirement',
    (request, context, original) =>
      context.application?.subscriptions === 'all'
        ? original.answer(request, context)
        : refuse('notSubscribed', request, context.rules),
  ),
  stageMutant(
    'retirement.spends-a-rate-token',
    ['retirement.spends-no-rate-token'],
    'retirement',
    async (request, context, original) => {
      const gone = await original.answer(request, context);
      if (gone) await rateLimitStage.answer(request, context);
      return gone;
    },
  ),
  moved(
    'retirement.after-rate-limit',
    ['retirement.not-rate-limited', 'retirement.spends-no-rate-token', 'precedence.410-before-429'],
    ['rate-limit'],
    'retirement',
  ),
  stageMutant(
    'retirement.one-too-many',
    ['retirement.standard-endpoints-live'],
    'retirement',
    (request, context, original) =>
      request.path.startsWith('/openapi/v3/consultas/cnpj/')
        ? refuse('retired', request, context.rules)
        : original.answer(request, context),
  ),
  lenientMutant('retirement.old-path-signed', ['retirement.lookups-signed-anew'], {
    signedPath: ({ path }) => path.replace('/v3/consultas/', '/cadastro/'),
  }),
];
