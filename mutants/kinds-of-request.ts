import { stagesOf } from '../simulator/gateway/gateway.ts';
import type { Context, Stage } from '../simulator/gateway/stages.ts';
import type { Reply } from '../simulator/http/reply.ts';
import type { RequestFacts } from '../simulator/http/request-facts.ts';
import { refuse } from '../simulator/rules/envelope.ts';
import { findRoute } from '../simulator/rules/route.ts';
import { referenceRules, type Rules } from '../simulator/rules/rules.ts';
import { signatureRules } from '../simulator/rules/signature.ts';
import { scanXml } from '../simulator/verification/document.ts';
import { endpointMutant, lenientMutant, mutant, type Mutant, stageMutant, withStages, mutantWhere } from './mutant.ts';
import { parseJsonObject } from '../simulator/http/json.ts';
import { type EndpointName, endpoints } from '../contract/endpoints.ts';

type Which = (request: RequestFacts) => boolean;

const notFound: Reply = { status: 404, body: { code: 'NOT-FOUND', message: 'Not found' } };
const served: Reply = { status: 200, body: {} };
const unreadable: Reply = { status: 400, body: { code: 10015001, message: 'O corpo não pode ser lido' } };
const otherType: Reply = { status: 415, body: { code: 'TYPE', message: 'Unsupported media type' } };

const nameOf = ({ method, path }: RequestFacts): string | undefined => findRoute(method, path)?.endpoint.name;
const isOf =
  (...names: readonly string[]): Which =>
  (request) =>
    names.includes(nameOf(request) ?? '');
const isOldVerification: Which = ({ path }) => path === '/openapi/nfe/verify/xml';
const isOfType =
  (type: RegExp): Which =>
  ({ contentType }) =>
    type.test(contentType);
const isLonger =
  (bytes: number): Which =>
  ({ rawBody }) =>
    rawBody.length > bytes;
const hasQuery: Which = ({ query }) => query !== undefined;
const isNoJson: Which = ({ rawBody }) => !parseJsonObject(rawBody);
const isPost: Which = ({ method }) => method === 'POST';
const isGet: Which = ({ method }) => method === 'GET';
const isEmpty: Which = ({ rawBody }) => rawBody.length === 0;
const endsIn =
  (end: RegExp): Which =>
  ({ path }) =>
    end.test(path);
const not =
  (holds: Which): Which =>
  (request) =>
    !holds(request);
const all =
  (...conditions: readonly Which[]): Which =>
  (request) =>
    conditions.every((holds) => holds(request));

/** A retired path that, asked for so, is answered otherwise than by its 410. */
function stillThere(what: string, isSo: Which, reply = served): Mutant {
  return stageMutant(`retirement.${what}`, ['retirement.gone'], 'retirement', async (request, context, original) => {
    const gone = await original.answer(request, context);
    return gone && isSo(request) ? reply : gone;
  });
}

const retired: readonly Mutant[] = [
  stillThere('xml-still-verified', all(isOldVerification, isOfType(/xml/i))),
  stillThere('multipart-still-verified', all(isOldVerification, isOfType(/^multipart\//i))),
  stillThere('xml-served', isOfType(/xml/i)),
  stillThere('multipart-served', isOfType(/^multipart\//i)),
  stillThere('form-served', isOfType(/urlencoded/i)),
  stillThere('whole-body-served', ({ rawBody }) => parseJsonObject(rawBody)?.['id'] !== undefined),
  stillThere('long-body-served', isLonger(16_384)),
  stillThere('longer-body-404', isLonger(262_144), notFound),
  stillThere('empty-body-400', all(isOldVerification, isEmpty), unreadable),
  stillThere('no-json-400', all(isPost, isNoJson), unreadable),
  stillThere('other-type-415', all(isPost, not(isOfType(/json/i))), otherType),
  stillThere('query-404', hasQuery, notFound),
  stillThere('query-served', hasQuery),
  stillThere('lookup-query-404', all(isGet, hasQuery), notFound),
  stillThere('long-query-404', ({ query = '' }) => query.length > 100, notFound),
];

/** A standard path with a query leads nowhere. */
function queryLost(what: string, isSo: Which): Mutant {
  const clauses = ['signature.query-reaches-endpoint'] as const;
  return stageMutant(`signature.query-404-${what}`, clauses, 'endpoint', (request, context, original) =>
    nameOf(request) !== undefined && hasQuery(request) && isSo(request) ? notFound : original.answer(request, context),
  );
}

/** The same before the gateway asks who calls. */
const queryLostEarly: Mutant = {
  id: 'signature.query-404-before-all',
  breaks: ['signature.query-reaches-endpoint'],
  rules: withStages(referenceRules, [
    {
      name: 'early',
      answer: (request: RequestFacts) => (nameOf(request) !== undefined && hasQuery(request) ? notFound : undefined),
    },
    ...stagesOf(referenceRules),
  ]),
};

const queried: readonly Mutant[] = [
  queryLostEarly,
  queryLost('everywhere', () => true),
  queryLost('on-get', ({ method }) => method === 'GET'),
  queryLost('of-xml', isOf('nfe-verification')),
  queryLost('of-issuance', isOf('nfe-issuance')),
];

/** Refuses what is asked so before a stage of the gateway has its turn. */
function early(what: string, isSo: Which, reply = unreadable, before = 'required-headers'): Mutant {
  const first = { name: 'early', answer: (request: RequestFacts) => (isSo(request) ? reply : undefined) };
  const stages = stagesOf(referenceRules).flatMap((stage): Stage[] =>
    stage.name === before ? [first, stage] : [stage],
  );
  const rules = withStages(referenceRules, stages);
  return { id: `precedence.${what}`, breaks: ['precedence.gateway-before-endpoint'], rules };
}

const isXmlEndpoint = isOf('nfe-verification');
const takesJson = isOf('echo', 'empresa-registration', 'webhook-registration', 'nfe-issuance');
const isNoXml: Which = ({ rawBody }) => scanXml(rawBody.toString('utf8')) !== undefined;

const beforeGateway: readonly Mutant[] = [
  early('xml-limit-first', all(isXmlEndpoint, isLonger(1_048_576))),
  early('xml-limit-before-sign', all(isXmlEndpoint, isLonger(1_048_576)), unreadable, 'signature'),
  early('xml-limit-before-application', all(isXmlEndpoint, isLonger(1_048_576)), unreadable, 'application'),
  early('xml-limit-of-64-kb-first', all(isXmlEndpoint, isLonger(65_536))),
  early('xml-parsed-first', all(isXmlEndpoint, isNoXml)),
  early('xml-parsed-before-limit', all(isXmlEndpoint, isNoXml), unreadable, 'rate-limit'),
  early(
    'dtd-first',
    all(isXmlEndpoint, ({ rawBody }) => rawBody.includes('<!DOCTYPE')),
  ),
  early('empty-document-first', all(isXmlEndpoint, isEmpty)),
  early('xml-type-first', all(isXmlEndpoint, not(isOfType(/xml/i))), otherType),
  early('json-parsed-first', all(takesJson, isNoJson)),
  early('json-parsed-before-subscription', all(takesJson, isNoJson), unreadable, 'subscription'),
  early('json-type-first', all(takesJson, not(isOfType(/json/i))), otherType),
  early('upload-without-parts-first', all(isOf('certificado-association'), not(isOfType(/boundary=/i)))),
  early('chave-read-first', all(isOf('chave-lookup'), not(endsIn(/\/\d{44}$/)))),
  early('cnpj-read-first', all(isOf('cnpj-lookup'), not(endsIn(/\/\d{14}$/)))),
];

/** A retired path whose body is read before its request is authenticated. */
const retiredFirst: readonly Mutant[] = [
  ['no-json-first', isNoJson, ['retirement.after-authentication', 'retirement.gone']] as const,
  ['long-body-first', isLonger(131_072), ['retirement.after-authentication']] as const,
].map(([what, isSo, breaks]) =>
  stageMutant(
    `retirement.${what}`,
    breaks,
    'required-headers',
    (request: RequestFacts, context: Context, original: Stage) =>
      request.method === 'POST' && request.path.startsWith('/openapi/nfe/') && isSo(request)
        ? unreadable
        : original.answer(request, context),
  ),
);

/** The text without its DTD, if that begins behind so many characters; what a comment or a CDATA section says of one stays. */
function withoutDtd(text: string, from = 0): string {
  const start = [...text.matchAll(/<!--.*?-->|<!\[CDATA\[.*?\]\]>|<!DOCTYPE/gs)].find(
    ([found]) => found === '<!DOCTYPE',
  )?.index;
  if (start === undefined || start < from) return text;
  const [end, subset] = [text.indexOf('>', start), text.indexOf('[', start)];
  const last = subset > start && subset < end ? text.indexOf('>', text.indexOf(']', subset)) : end;
  return text.slice(0, start) + text.slice(last + 1);
}

/** A reader that looks for a DTD in the beginning only, and takes none for harmless behind that. */
function dtdIn(bytes: number): Mutant {
  return mutant(`nfe-verification.dtd-within-${bytes}-bytes`, ['nfe-verification.dtd-refused'], 'nfeVerification', {
    decode: (rawBody) => {
      const decoded = referenceRules.nfeVerification.decode(rawBody);
      return decoded === undefined ? undefined : withoutDtd(decoded, bytes);
    },
  });
}

/** A reader that looks for no DTD in documents that come so. */
function dtdTaken(what: string, isSo: Which): Mutant {
  const id = `nfe-verification.dtd-taken-${what}`;
  return endpointMutant(id, ['nfe-verification.dtd-refused'], 'nfe-verification', (request, context, answer) => {
    const text = referenceRules.nfeVerification.decode(request.rawBody);
    if (!isSo(request) || text === undefined) return answer(request, context);
    const declared = withoutDtd(text).replace(/(?<=encoding=")utf-16/i, 'UTF-8');
    return answer({ ...request, rawBody: Buffer.from(declared) }, context);
  });
}

const isUtf16: Which = ({ rawBody }) => ['fffe', 'feff'].includes(rawBody.subarray(0, 2).toString('hex'));

const isChunked: Which = ({ headers }) => headers['transfer-encoding'] !== undefined;
const isExpecting: Which = ({ headers }) => headers.expect !== undefined;

/** Signs with other bytes of a body that is sent in that way, where the right ones are not what `sign` is of. */
function transferred(what: string, isSo: Which, body: (right: Buffer) => Buffer): Mutant {
  return lenientMutant(`signature.${what}`, ['signature.body-bound'], {
    signedBody(request) {
      const right = signatureRules.signedBody(request);
      return isSo(request) ? body(right) : right;
    },
  });
}

/** Wrong treatment of bodies whose length does not go before them, or that are to be asked for. */
const sentOtherwise: readonly Mutant[] = [
  ...[
    { how: 'chunked', isSo: isChunked },
    { how: 'expecting', isSo: isExpecting },
  ].flatMap(({ how, isSo }) => [
    stageMutant(`signature.${how}-refused`, ['signature.accepted'], 'signature', (request, context, original) =>
      isSo(request) ? refuse('signMismatch', request, context.rules) : original.answer(request, context),
    ),
    stageMutant(`signature.${how}-unchecked`, ['signature.body-bound'], 'signature', (request, context, original) =>
      isSo(request) && /^[0-9a-f]{32}$/.test(context.sent.sign) ? undefined : original.answer(request, context),
    ),
    transferred(`${how}-signed-as-empty`, isSo, () => Buffer.alloc(0)),
  ]),
  transferred('first-chunk-taken', isChunked, (right) => right.subarray(0, Math.ceil(right.length / 2))),
];

/** Wrong answers to requests of another kind than usual: another body, size or media type, a query. */
export const kindsOfRequestMutants: readonly Mutant[] = [
  ...retired,
  ...queried,
  ...beforeGateway,
  ...retiredFirst,
  ...sentOtherwise,
  ...[500, 2_048, 16_384, 65_536].map(dtdIn),
  dtdTaken('in-utf-16', isUtf16),
  dtdTaken('in-chunks', isChunked),
];

/** A gateway whose rules of one topic are wrong at one endpoint, and right at all others; so for each endpoint. */
function everywhere<Topic extends 'timestamp' | 'signature' | 'language'>(
  what: string,
  breaks: Mutant['breaks'],
  topic: Topic,
  change: Partial<Rules[Topic]>,
  names: readonly EndpointName[] = endpoints.map(({ name }) => name),
): readonly Mutant[] {
  return names.map((name) => mutantWhere(`${what}-at-${name}`, breaks, topic, isOf(name), change));
}

const { signature } = referenceRules;

/** Wrong at one endpoint only, whichever it is. */
export const oneEndpointMutants: readonly Mutant[] = [
  ...everywhere('timestamp.never-too-old', ['timestamp.past-refused'], 'timestamp', {
    isWithin: (sent, server, tolerance) => sent - server <= tolerance,
  }),
  ...everywhere(
    'signature.case-ignored',
    ['signature.upper-case-refused'],
    'signature',
    { matches: (sent, right) => signature.matches(sent.toLowerCase(), right) },
    ['nfe-cancellation', 'certificado-association', 'nfe-verification', 'cpf-lookup'],
  ),
  ...everywhere(
    'language.portuguese-only',
    ['language.language-header', 'language.accept-language-header', 'language.on-403'],
    'language',
    { choose: () => 'pt' },
    ['nfe-cancellation', 'certificado-association', 'nfe-verification', 'cpf-lookup', 'webhook-registration'],
  ),
];
