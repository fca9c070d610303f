import { parseJsonObject } from '../simulator/http/json.ts';
import type { RequestFacts } from '../simulator/http/request-facts.ts';
import { webhookDeliveryRules } from '../simulator/rules/webhook-delivery.ts';
import { also, asking, endpointMutant, type EndpointChange, firstOf, type Mutant, ruleMutants } from './mutant.ts';

const clauses = ['issuance-callback.token'] as const;
const ruled = ruleMutants('issuance-callback', 'webhookDelivery');
const { token: right } = webhookDeliveryRules;

/** The token of each callback, told otherwise. */
function told(what: string, change: (token: string) => string): Mutant {
  return ruled(what, clauses, {
    token(outgoing) {
      const token = right(outgoing);
      return token === undefined ? undefined : change(token);
    },
  });
}

/** A registration that is handled otherwise. */
function registering(what: string, change: EndpointChange): Mutant {
  return endpointMutant(`issuance-callback.${what}`, clauses, 'webhook-registration', change);
}

function registered({ rawBody }: RequestFacts): { readonly uri: unknown; readonly token: unknown } {
  const { uri, token } = parseJsonObject(rawBody) ?? {};
  return { uri, token };
}

/** Keeps one token for an address, whichever application registers it. */
function tokenOfTheAddress(): Mutant {
  const tokens = new Map<string, string>();
  const registration = registering('token-of-another-application', async (request, context, answer) => {
    const reply = await answer(request, context);
    const { uri, token } = registered(request);
    if (reply.status === 200 && typeof uri === 'string' && typeof token === 'string') tokens.set(uri, token);
    return reply;
  });
  return also(registration, 'webhookDelivery', {
    token: (outgoing) => (right(outgoing) === undefined ? undefined : tokens.get(outgoing.url)),
  });
}

/** An address that is registered again keeps the token that it had first. */
function firstTokenKept(): Mutant {
  const first = firstOf<string>();
  return registering('first-token-kept', (request, context, answer) => {
    const { uri, token } = registered(request);
    if (typeof uri !== 'string' || typeof token !== 'string' || token === '') return answer(request, context);
    const kept = first(`${context.application?.appKey} ${uri}`, token);
    return answer(asking(request, { token: kept }), context);
  });
}

/** An address that is registered again keeps its token where the new one is the same but for the case of its letters. */
function spellingKept(): Mutant {
  const latest = new Map<string, string>();
  return registering('token-kept-but-for-case', (request, context, answer) => {
    const { uri, token } = registered(request);
    if (typeof uri !== 'string' || typeof token !== 'string') return answer(request, context);
    const name = `${context.application?.appKey} ${uri}`;
    const known = latest.get(name);
    const kept = known?.toLowerCase() === token.toLowerCase() ? known : token;
    latest.set(name, kept);
    return answer(asking(request, { token: kept }), context);
  });
}

/** All addresses of an application get the token that was registered last. */
function oneToken(): Mutant {
  const last = new Map<string, string>();
  const registration = registering('last-token-for-all', (request, context, answer) => {
    const { token } = registered(request);
    if (typeof token === 'string') last.set(context.application?.appKey ?? '', token);
    return answer(request, context);
  });
  return also(registration, 'webhookDelivery', {
    token: (outgoing) => right(outgoing) && last.get(outgoing.appKey),
  });
}

/** What is refused as an address makes the addresses of before lose their token. */
const refusedTakesTokens = registering('token-lost-by-refused-address', async (request, context, answer) => {
  const reply = await answer(request, context);
  const { webhooks } = context.state;
  const appKey = context.application?.appKey ?? '';
  if (reply.status >= 400)
    for (const { url } of webhooks.targetsOf(appKey, 'issuance')) webhooks.register(appKey, url, '-');
  return reply;
});

/** Callbacks with another token than their address was registered with. */
export const callbackTokenMutants: readonly Mutant[] = [
  ruled('without-token', clauses, { token: () => undefined }),
  told('another-token', () => 'token'),
  told('token-cut', (token) => token.slice(0, 64)),
  told('token-cut-at-255', (token) => token.slice(0, 255)),
  told('token-unescaped', (token) => token.replaceAll(/%[\da-f]{2}/gi, decodeURIComponent)),
  told('token-as-html', (token) => token.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
  told('token-cut-at-comma', (token) => token.replace(/,.*/, '')),
  told('token-as-a-number', (token) => token.replace(/^0+/, '')),
  told('token-in-capitals', (token) => token.toUpperCase()),
  told('token-spaces-squeezed', (token) => token.replaceAll(/ +/g, ' ')),
  tokenOfTheAddress(),
  firstTokenKept(),
  spellingKept(),
  refusedTakesTokens,
  oneToken(),
];
