import { setTimeout as sleep } from 'node:timers/promises';
import { signatureHeaders } from '../../contract/request.ts';
import { type StagedRules, stagesOf } from '../../simulator/gateway/gateway.ts';
import type { Stage } from '../../simulator/gateway/stages.ts';
import type { Reply } from '../../simulator/http/reply.ts';
import type { RequestFacts } from '../../simulator/http/request-facts.ts';
import { refuse } from '../../simulator/rules/envelope.ts';
import { findRoute } from '../../simulator/rules/route.ts';
import { queueIssuanceCallback } from '../../simulator/webhooks/events.ts';
import { behindStages, idIn, type StageChange, withStages } from '../mutant.ts';
import { type Variant, withRepliesOf, withTopic } from './variant.ts';
import { parseJsonObject } from '../../simulator/http/json.ts';
import { isObject } from '../../schemas/values.ts';

/** The same stages with some of them moved to stand before another. */
function moved(stageName: string, before: string): Variant['change'] {
  return (rules) => {
    const ahead = rules.stages.filter((name) => name === stageName);
    const stages = rules.stages.flatMap((name) => (name === before ? [...ahead, name] : [name]));
    return { ...rules, stages: stages.filter((name, at) => name !== stageName || stages[at + 1] === before) };
  };
}

/** In which order the gateway tells of several faults. Reading 1. */
export const orderVariants: readonly Variant[] = [
  { id: 'variant.other-order-of-401-codes', unlike: ['precedence.order-of-401'], change: moved('token', 'timestamp') },
  {
    id: 'variant.other-order-of-403-codes',
    unlike: ['precedence.order-of-403'],
    change: moved('subscription', 'application'),
  },
  {
    id: 'variant.limit-before-authorisation',
    unlike: ['precedence.403-before-429'],
    change: moved('rate-limit', 'application'),
  },
];

/** Refuses, before it is looked at, what is sent in a way that HTTP lets a server refuse. */
function refusingSent(
  what: string,
  isSo: (request: RequestFacts) => boolean,
  status: number,
  said: Pick<Reply, 'body' | 'content'> = { body: { code: status, message: what } },
): Variant {
  const stage: Stage = {
    name: what,
    answer: (request) => (isSo(request) ? { status, ...said } : undefined),
  };
  return { id: `variant.${what}`, change: (rules) => withStages(rules, [stage, ...stagesOf(rules)]) };
}

/** Serves an application only so many requests at one moment, and refuses more by the code of a limit: thresholds are not shown. */
function servingAtOnce(most: number): Variant {
  const held = (rules: StagedRules): StagedRules => {
    const underWay = new Map<string, number>();
    const answer: StageChange = async (request, context, endpoint) => {
      const { token } = context.sent;
      const others = underWay.get(token) ?? 0;
      if (others >= most) return refuse('rateLimited', request, rules);
      underWay.set(token, others + 1);
      await sleep(5);
      const reply = await endpoint.answer(request, context);
      underWay.set(token, (underWay.get(token) ?? 1) - 1);
      return reply;
    };
    return behindStages(rules, answer, 'endpoint');
  };
  return { id: `variant.${most}-at-once`, change: held };
}

/** How many requests of one application are served at the same time. Section 8. */
export const crowdVariants: readonly Variant[] = [servingAtOnce(4)];

/** Only of documents to verify a size is shown. Section 8. */
const smallOnly: StageChange = (request, context, original) => {
  const name = findRoute(request.method, request.path)?.endpoint.name;
  const isTaken = name === undefined || name === 'nfe-verification' || request.rawBody.length <= 16_384;
  if (isTaken) return original.answer(request, context);
  const [code, message] = [413, 'too large'];
  return name === 'nfe-issuance'
    ? { status: 400, body: [{ codigo: code, mensagem: message }] }
    : { status: 413, body: { code, message } };
};

function isDocument({ method, path }: RequestFacts): boolean {
  return findRoute(method, path)?.endpoint.name === 'nfe-verification';
}

/**
 * The path as many frameworks hand it on: decoded, but for the id of a company, which its service has made as it is. One that can't be
 * decoded stays as it is.
 */
function decoded(path: string): string {
  const [, company = '', rest = path] = /^(.*\/empresas\/[^/]*)(.*)$/.exec(path) ?? [];
  try {
    return company + decodeURIComponent(rest);
  } catch {
    return path;
  }
}

const badRequest = {
  type: 'text/html',
  bytes: Buffer.from('<html><head><title>400 Bad Request</title></head></html>'),
};

/** In which ways a body may be sent, by RFC 9110, sections 10.1.1 and 15.5.12, and which path is signed of one that is encoded. Reading 7. */
export const transferVariants: readonly Variant[] = [
  {
    id: 'variant.decoded-path-signed',
    change: withTopic('signature', ({ signedPath }) => ({ signedPath: (request) => decoded(signedPath(request)) })),
  },
  refusingSent('length-required', ({ headers }) => headers['transfer-encoding'] !== undefined, 411),
  // Proxies and servers know no path with a NUL, whatever the service behind them takes for an id.
  refusingSent('nul-in-path-turned-away', ({ path }) => path.includes('%00'), 400, { content: badRequest }),
  refusingSent('expectation-failed', ({ headers }) => headers.expect !== undefined, 417),
  // A front that takes no such body can't say anything of its sign: that of documents the endpoint says so is shown, of no other.
  refusingSent(
    'too-large-before-the-gateway',
    (request) => request.rawBody.length > 131_072 && !isDocument(request),
    413,
  ),
  {
    id: 'variant.of-bodies-above-16-kib-none-but-documents-taken',
    change: (rules) => behindStages(rules, smallOnly, 'endpoint'),
  },
  // What reads HTTP need not take what is not ASCII in a header, nor show it.
  refusingSent('beyond-ascii-turned-away', hasHeaderBeyondAscii, 400, { content: badRequest }),
  {
    id: 'variant.beyond-ascii-as-missing',
    change: (rules) =>
      behindStages(
        rules,
        (request, context, original) =>
          hasHeaderBeyondAscii(request) ? refuse('headersMissing', request, rules) : original.answer(request, context),
        'required-headers',
      ),
  },
  // Frameworks read what they know: JSON, XML and parts. Of no other type is it shown that it is taken.
  refusingSent(
    'other-media-types-turned-away',
    ({ rawBody, contentType }) =>
      rawBody.length > 0 && !/^(?:application\/json|(?:application|text)\/xml|multipart\/)/i.test(contentType),
    415,
    { content: { type: 'text/html', bytes: Buffer.from('<html><body>Unsupported Media Type</body></html>') } },
  ),
];

function hasHeaderBeyondAscii({ headers }: RequestFacts): boolean {
  return signatureHeaders.some((name) => !/^[\x20-\x7e]*$/.test(String(headers[name] ?? '')));
}

/** Refuses an echo of more members than the one that the contract shows. Section 4.1. */
function messageAlone(what: string, status: number): Variant {
  return {
    id: `variant.echo-of-a-message-alone${what}`,
    change: withRepliesOf(['echo'], (reply, { rawBody }) => {
      const members: unknown = reply.status === 200 && JSON.parse(rawBody.toString('utf8'));
      return isObject(members) && Object.keys(members).length > 1
        ? { ...reply, status, body: { code: status, message: 'Campo desconhecido' } }
        : reply;
    }),
  };
}

/** Which addresses get callbacks, of those that were registered. Reading 30. */
export const registrationVariants: readonly Variant[] = [
  {
    id: 'variant.long-tokens-refused',
    change: (rules) => behindStages(rules, refusingLongTokens, 'endpoint'),
  },
  messageAlone('', 400),
  { id: 'variant.registration-replaces', change: replacingRegistrations },
  { id: 'variant.first-address-told-of-before', change: (rules) => behindStages(rules, tellingOfBefore(), 'endpoint') },
  {
    id: 'variant.registration-answers-more',
    change: withTopic('webhookRegistration', () => ({
      body: (uri) => ({
        id: 17,
        uri,
        events: ['authorized', 'denied'],
        success: true,
        createdAt: new Date().toISOString(),
      }),
    })),
  },
  messageAlone('-or-422', 422),
];

const isRegistration = ({ method, path }: RequestFacts): boolean =>
  findRoute(method, path)?.endpoint.name === 'webhook-registration';

const refusingLongTokens: StageChange = (request, context, endpoint) => {
  const token = isRegistration(request) ? parseJsonObject(request.rawBody)?.['token'] : undefined;
  if (typeof token === 'string' && token.length > 100) return { status: 400, body: { message: 'token longo' } };
  return endpoint.answer(request, context);
};

/** What was decided while an application had no address is told to the first one. Section 6. */
function tellingOfBefore(): StageChange {
  const issued = new Map<string, { empresaId: string; nfeId: string }[]>();
  return async (request, context, endpoint) => {
    const { state } = context;
    const appKey = context.application?.appKey ?? '';
    const isFirst = isRegistration(request) && state.webhooks.targetsOf(appKey, 'issuance').length === 0;
    const reply = await endpoint.answer(request, context);
    const { endpoint: called, variables = {} } = findRoute(request.method, request.path) ?? {};
    const own = issued.get(appKey) ?? [];
    if (reply?.status === 200 && called?.name === 'nfe-issuance')
      issued.set(appKey, [...own, { empresaId: variables['empresaId'] ?? '', nfeId: idIn(request) }]);
    if (!isFirst || reply?.status !== 200) return reply;
    const invoices = own.flatMap(({ empresaId, nfeId }) => state.invoices.find(empresaId, nfeId) ?? []);
    for (const invoice of invoices.filter(({ settlement }) => settlement)) queueIssuanceCallback(invoice, context);
    return reply;
  };
}

/** The address that was registered last is the only one that gets callbacks. */
export function replacingRegistrations(rules: StagedRules): StagedRules {
  const latest = new Map<string, unknown>();
  const answer: StageChange = async (request, context, endpoint) => {
    const reply = await endpoint.answer(request, context);
    if (isRegistration(request) && reply?.status === 200)
      latest.set(context.application?.appKey ?? '', parseJsonObject(request.rawBody)?.['uri']);
    return reply;
  };
  const replaced = withTopic('webhookDelivery', ({ receivers }) => ({
    receivers: (targets, targetsOf) =>
      receivers(targets, targetsOf).filter(
        ({ channel, appKey, url }) => channel === 'verification' || latest.get(appKey) === url,
      ),
  }));
  return replaced(behindStages(rules, answer, 'endpoint'));
}
