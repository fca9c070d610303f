import { webhookDeliveryRules } from '../simulator/rules/webhook-delivery.ts';
import { webhookUrlRules } from '../simulator/rules/webhook-url.ts';
import { also, ruleMutants, asking, endpointMutant, mutant, type Mutant, replyMutant, wrapped } from './mutant.ts';
import { verdictEventRules } from '../simulator/rules/verdict-event.ts';
import { parseJsonObject } from '../simulator/http/json.ts';

const ruled = ruleMutants('webhook-url', 'webhookUrl');

const name = 'webhook-registration';

/** Keeps another address than the one that was registered. */
function keeping(what: string, change: (uri: string) => string): Mutant {
  return endpointMutant(`webhook-url.${what}`, ['webhook-url.called-exactly'], name, (request, context, answer) => {
    const uri = parseJsonObject(request.rawBody)?.['uri'];
    return answer(typeof uri === 'string' ? asking(request, { uri: change(uri) }) : request, context);
  });
}

/** The addresses of a list that were in none before. */
function unknownOnly(): (urls: readonly string[]) => readonly string[] {
  const known = new Set<string>();
  return (urls) => {
    const fresh = urls.filter((url) => !known.has(url));
    for (const url of fresh) known.add(url);
    return fresh;
  };
}

/** Takes more addresses than it may. */
function taking(what: string, isCallable: (url: string) => boolean): Mutant {
  return ruled(what, ['webhook-url.absolute-http-only'], {
    isCallable: (url) => webhookUrlRules.isCallable(url) || isCallable(url),
  });
}

/** The addresses that were saved before are lost with those that could not be saved. */
function oldListLost(): Mutant {
  const lost = new Set<string>();
  const owners = new Map<string, string>();
  const delivery = mutant('webhook-url.old-addresses-lost', ['webhook-url.not-saved-otherwise'], 'webhookDelivery', {
    request(request, { eventType, appKey }) {
      if (eventType !== verdictEventRules.testEventType) return request;
      owners.set(request.url, appKey);
      lost.delete(appKey);
      return request;
    },
    receivers: (targets) => targets.filter(({ channel, appKey }) => channel === 'issuance' || !lost.has(appKey)),
  });
  return also(delivery, 'webhookUrl', {
    isSaved(failures) {
      for (const failure of failures) lost.add(owners.get(failure.split(' ', 1).join('')) ?? '');
      return failures.length === 0;
    },
  });
}

/** Where an address was refused, the one that was registered before gets nothing any more. */
function oldAddressLost(): Mutant {
  const lost = new Set<string>();
  const registration = endpointMutant(
    'webhook-url.address-lost-with-a-refused-one',
    ['nfe-issuance.refused-leaves-nothing'],
    name,
    async (request, context, answer) => {
      const reply = await answer(request, context);
      const { appKey = '' } = context.application ?? {};
      if (reply.status >= 400) lost.add(appKey);
      else lost.delete(appKey);
      return reply;
    },
  );
  return also(registration, 'webhookDelivery', {
    receivers: (targets) => targets.filter(({ channel, appKey }) => channel === 'verification' || !lost.has(appKey)),
  });
}

const noUriTaken = endpointMutant(
  'webhook-url.no-uri-taken',
  ['webhook-url.absolute-http-only'],
  'webhook-registration',
  (request, context, answer) =>
    /"uri":\s*"/.test(request.rawBody.toString('utf8')) ? answer(request, context) : { status: 200, body: {} },
);

/** Wrong treatment of addresses. */
export const webhookUrlMutants: readonly Mutant[] = [
  oldAddressLost(),
  replyMutant('webhook-url.registration-in-envelope', ['webhook-url.registration-bare'], name, wrapped),
  replyMutant('webhook-url.registration-as-201', ['webhook-url.registration-status-200'], name, (reply) => ({
    ...reply,
    status: 201,
  })),
  keeping('without-query', (uri) => uri.replace(/\?.*/, '')),
  keeping('query-written-anew', (uri) => {
    const url = new URL(uri);
    return `${url.origin}${url.pathname}?${new URLSearchParams(url.search).toString()}`;
  }),
  endpointMutant('webhook-url.as-spelt', ['webhook-url.called-exactly'], name, (request, context, answer) => {
    const uri = /"uri"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(request.rawBody.toString('utf8'))?.[1];
    return answer(uri === undefined ? request : asking(request, { uri }), context);
  }),
  keeping('in-lower-case', (uri) => uri.toLowerCase()),
  keeping('with-slash', (uri) => `${uri}/`),
  keeping('slashes-joined', (uri) => uri.replaceAll(/(?<!:)\/{2,}/g, '/')),
  keeping('without-last-slash', (uri) => uri.replace(/\/(?=\?|$)/, '')),
  keeping('without-slash-at-its-end', (uri) => uri.replace(/\/$/, '')),
  keeping('cut-at-semicolon', (uri) => uri.replaceAll(/;[^/?&]*/g, '')),
  keeping('slash-unescaped', (uri) => uri.replaceAll(/%2f/gi, '/')),
  keeping('path-unescaped', (uri) => uri.replace(/^[^?]*/, (path) => path.replaceAll('%2F', '/'))),
  keeping('cut-at-second-question-mark', (uri) => uri.split('?').slice(0, 2).join('?')),
  keeping('cut-at-1024', (uri) => uri.slice(0, 1024)),
  keeping('plus-as-a-space', (uri) => uri.replaceAll('+', '%20')),
  taking('relative-taken', (url) => url.startsWith('/')),
  taking('line-with-one-taken', (url) => /^https?:\/\//m.test(url)),
  taking('ftp-taken', (url) => url.startsWith('ftp:')),
  taking('what-begins-with-http-taken', (url) => url.startsWith('http')),
  taking('any-url-taken', (url) => URL.canParse(url)),
  taking('empty-taken', (url) => url === ''),
  endpointMutant(
    'webhook-url.refused-as-500',
    ['webhook-url.absolute-http-only'],
    name,
    async (request, context, answer) => {
      const reply = await answer(request, context);
      return reply.status === 400 ? { ...reply, status: 500 } : reply;
    },
  ),
  mutant('webhook-url.other-test-type', ['webhook-url.test-delivery'], 'verdictEvent', {
    testEventType: 'webhook.test',
  }),
  ruled('not-tested', ['webhook-url.test-delivery', 'webhook-url.not-saved-otherwise'], { tested: () => [] }),
  ruled('known-not-tested-again', ['webhook-url.test-delivery'], { tested: unknownOnly() }),
  ruled('first-one-tested-only', ['webhook-url.test-delivery'], { tested: (urls) => urls.slice(0, 1) }),
  ruled('saved-where-one-acknowledged', ['webhook-url.not-saved-otherwise'], {
    isSaved: (failures, urls) => failures.length === 0 || failures.length < urls.length,
  }),
  ruled('saved-though-refused', ['webhook-url.not-saved-otherwise'], { isSaved: () => true }),
  ruled('saved-though-nobody-listens', ['webhook-url.not-saved-otherwise'], {
    isSaved: (failures) => failures.every((failure) => failure.includes('ECONNREFUSED')),
  }),
  mutant('webhook-url.saved-after-200-only', ['webhook-url.saved-when-acknowledged'], 'webhookDelivery', {
    isAcknowledged: (status) => status === 200,
  }),
  mutant('webhook-url.saved-after-redirect', ['webhook-url.not-saved-otherwise'], 'webhookDelivery', {
    isAcknowledged: (status) => webhookDeliveryRules.isAcknowledged(status) || status === 302,
  }),
  mutant('webhook-url.saved-after-login', ['webhook-url.not-saved-otherwise'], 'webhookDelivery', {
    isAcknowledged: (status) => webhookDeliveryRules.isAcknowledged(status) || status === 401,
  }),
  ruled('never-saved', ['webhook-url.saved-when-acknowledged'], { isSaved: () => false }),
  oldListLost(),
  noUriTaken,
];
