import type { IncomingHttpHeaders } from 'node:http';
import type { EndpointName } from '../contract/endpoints.ts';
import { type Language, languageHeaders, languages } from '../contract/values.ts';
import { stagesOf } from '../simulator/gateway/gateway.ts';
import type { Stage } from '../simulator/gateway/stages.ts';
import type { Reply } from '../simulator/http/reply.ts';
import { referenceRules } from '../simulator/rules/rules.ts';
import { type EndpointChange, endpointMutant, mutant, type Mutant, stageMutant, withStages } from './mutant.ts';

/** The envelope of one code with one field changed or, where that is `undefined`, left out. */
function withField(
  what: string,
  clause: Mutant['breaks'][number],
  code: number,
  field: string,
  value: unknown,
): Mutant {
  return mutant(`errors.${what}`, [clause], 'envelope', {
    error: (fields) => (fields.code === code ? { ...fields, [field]: value } : fields),
  });
}

/** What is refused is so by another status. */
const refusedAs =
  (status: number): EndpointChange =>
  async (request, context, answer) => {
    const reply = await answer(request, context);
    return [400, 404].includes(reply.status) ? { ...reply, status } : reply;
  };

/** Found answers of the registries are kept, as by a cache in front of the gateway that knows nothing of headers. */
function withCache(): Mutant {
  const found = new Map<string, Reply>();
  const stages = stagesOf(referenceRules).map((stage): Stage => {
    if (stage.name !== 'endpoint') return stage;
    return {
      name: stage.name,
      async answer(request, context) {
        const reply = await stage.answer(request, context);
        const isKept = request.method === 'GET' && /\/c(?:np|p)[jf]\//.test(request.path) && reply?.status === 200;
        if (isKept) found.set(request.path, reply);
        return reply;
      },
    };
  });
  const cache: Stage = { name: 'cache', answer: ({ path }) => found.get(path) };
  return {
    id: 'errors.found-kept',
    breaks: ['errors.no-session'],
    rules: withStages(referenceRules, [cache, ...stages]),
  };
}

/** Whoever was authenticated once needs no headers any more. */
function withSession(): Mutant {
  let isOpen = false;
  const stages = stagesOf(referenceRules).map((stage, at): Stage => {
    if (at > 3) return stage;
    return {
      name: stage.name,
      async answer(request, context) {
        const { token, timestamp, sign } = context.sent;
        if (isOpen && token + timestamp + sign === '') return undefined;
        const refusal = await stage.answer(request, context);
        if (!refusal && stage.name === 'signature') isOpen = true;
        return refusal;
      },
    };
  });
  return {
    id: 'errors.session-kept',
    breaks: ['errors.no-session', 'required-headers.every-endpoint'],
    rules: withStages(referenceRules, stages),
  };
}

/** Each answer comes with a cookie that names the language it is in, and who sends it back without asking for one gets that. */
function withLanguageInCookie(): Mutant {
  const { choose } = referenceRules.language;
  const chosen = (headers: IncomingHttpHeaders): Language => {
    const kept = languages.find((language) => headers.cookie?.includes(`idioma=${language}`));
    return kept === undefined || languageHeaders.some((name) => headers[name.toLowerCase()]) ? choose(headers) : kept;
  };
  const stages = stagesOf(referenceRules).map(({ name, answer }): Stage => ({
    name,
    async answer(request, context) {
      const reply = await answer(request, context);
      return reply && { ...reply, headers: { ...reply.headers, 'set-cookie': `idioma=${chosen(request.headers)}` } };
    },
  }));
  const rules = withStages({ ...referenceRules, language: { ...referenceRules.language, choose: chosen } }, stages);
  return { id: 'errors.language-in-a-cookie', breaks: ['errors.no-session'], rules };
}

/** Whose echo was rightly signed may sign the requests without a body as it likes. */
function trustedAfterEcho(): Mutant {
  const trusted = new Set<string>();
  return stageMutant(
    'signature.trusted-after-echo',
    ['errors.no-session'],
    'signature',
    async (request, context, original) => {
      const refusal = await original.answer(request, context);
      const { token } = context.sent;
      if (!refusal && request.path.endsWith('/echo')) trusted.add(token);
      return request.method === 'GET' && trusted.has(token) ? undefined : refusal;
    },
  );
}

/** Fails, as on an exception that nobody expected, on some bodies. */
function breakingOn(what: string, name: EndpointName, isSo: (body: string) => boolean): Mutant {
  return endpointMutant(`errors.breaks-on-${what}`, ['errors.own-statuses'], name, (request, context, answer) =>
    isSo(request.rawBody.toString('utf8')) ? { status: 500, body: 'SyntaxError' } : answer(request, context),
  );
}

const isCutJson = (body: string): boolean => body.startsWith('{') && !body.trimEnd().endsWith('}');

/** Wrong refusals of the gateway. */
export const errorsMutants: readonly Mutant[] = [
  withLanguageInCookie(),
  endpointMutant('errors.fails-at-what-nobody-knows', ['errors.own-statuses'], 'cnpj-lookup', refusedAs(500)),
  breakingOn('cut-json-at-echo', 'echo', isCutJson),
  breakingOn('cut-json-at-a-registration', 'empresa-registration', isCutJson),
  breakingOn('cut-json-at-an-address', 'webhook-registration', isCutJson),
  breakingOn('null', 'empresa-registration', (body) => body === 'null'),
  breakingOn('an-upload-without-file', 'certificado-association', (body) => !body.includes('filename=')),
  breakingOn('what-is-no-certificate', 'certificado-association', (body) => body.includes('no certificate')),
  endpointMutant(
    'errors.sends-elsewhere-for-what-nobody-knows',
    ['errors.own-statuses', 'nfe-query.unknown-id'],
    'nfe-query',
    refusedAs(302),
  ),
  endpointMutant(
    'errors.calls-a-missing-invoice-gone',
    ['errors.own-statuses', 'nfe-query.unknown-id'],
    'nfe-query',
    refusedAs(422),
  ),
  withField('403-without-error-type', 'errors.envelope-of-403', 10009005, 'errorType', undefined),
  withField('403-with-error-type-2', 'errors.envelope-of-403', 10009005, 'errorType', 2),
  withField('410-with-error-type-0', 'errors.envelope-of-410', 10009034, 'errorType', 0),
  withField('410-with-success', 'errors.envelope-of-410', 10009034, 'success', true),
  withField('429-without-success', 'errors.envelope-of-429', 10009006, 'success', undefined),
  withField('429-with-empty-message', 'errors.envelope-of-429', 10009006, 'message', ''),
  withSession(),
  withCache(),
  trustedAfterEcho(),
];
