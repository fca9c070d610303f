import type { CodeName } from '../contract/values.ts';
import { stagesOf } from '../simulator/gateway/gateway.ts';
import { parseJsonObject } from '../simulator/http/json.ts';
import { refuse } from '../simulator/rules/envelope.ts';
import { findRoute } from '../simulator/rules/route.ts';
import { referenceRules } from '../simulator/rules/rules.ts';
import { type Mutant, stageMutant, moved } from './mutant.ts';

const authentication = stagesOf(referenceRules).slice(0, 4);

/** Wrong orders. */
export const precedenceMutants: readonly Mutant[] = [
  moved(
    'precedence.403-before-401',
    ['precedence.401-before-403'],
    ['application', 'subscription'],
    'required-headers',
  ),
  moved('precedence.403-before-signature', ['precedence.401-before-403'], ['application', 'subscription'], 'signature'),
  moved(
    'precedence.410-before-401',
    ['precedence.401-before-410', 'retirement.after-authentication'],
    ['retirement'],
    'required-headers',
  ),
  moved('precedence.403-before-410', ['precedence.410-before-403'], ['application', 'subscription'], 'retirement'),
  moved('precedence.429-before-410', ['precedence.410-before-429'], ['rate-limit'], 'retirement'),
  moved('precedence.429-before-401', ['precedence.401-before-429'], ['rate-limit'], 'required-headers'),
  moved('precedence.429-before-403', ['precedence.403-before-429'], ['rate-limit'], 'application'),
  stageMutant(
    'precedence.json-of-issuances-read-first',
    ['precedence.gateway-before-endpoint'],
    'required-headers',
    (request, context, original) =>
      findRoute(request.method, request.path)?.endpoint.name === 'nfe-issuance' && !parseJsonObject(request.rawBody)
        ? { status: 400, body: [{ codigo: 'JSON', mensagem: 'JSON inválido' }] }
        : original.answer(request, context),
  ),
  ...(['nfe-verification', 'empresa-registration'] as const).map((name) =>
    stageMutant(
      `precedence.${name}-read-before-subscription`,
      ['precedence.gateway-before-endpoint'],
      'subscription',
      (request, context, original) => {
        const isHere = findRoute(request.method, request.path)?.endpoint.name === name;
        const isUnread = name === 'nfe-verification' ? request.rawBody.length === 0 : !parseJsonObject(request.rawBody);
        return isHere && isUnread
          ? { status: 400, body: { code: 'CORPO', message: 'corpo inválido' } }
          : original.answer(request, context);
      },
    ),
  ),
  moved(
    'precedence.endpoint-before-401',
    ['precedence.gateway-before-endpoint', 'signature.mismatch-refused'],
    ['endpoint'],
    'required-headers',
  ),
  moved('precedence.endpoint-before-signature', ['precedence.gateway-before-endpoint'], ['endpoint'], 'signature'),
  moved('precedence.endpoint-before-403', ['precedence.gateway-before-endpoint'], ['endpoint'], 'application'),
  moved('precedence.token-before-timestamp', ['precedence.order-of-401'], ['token'], 'timestamp'),
  moved('precedence.subscription-before-state', ['precedence.order-of-403'], ['subscription'], 'application'),
  stageMutant(
    'precedence.third-code-for-two-401s',
    ['precedence.one-of-two-401'],
    'required-headers',
    async (request, context, original) => {
      const replies = await Promise.all(authentication.map(async (stage) => stage.answer(request, context)));
      const codes: readonly CodeName[] = ['headersMissing', 'timestampInvalid', 'tokenInvalid', 'signMismatch'];
      const other = codes.find((_, at) => !replies[at]);
      const isTwofold = replies.filter(Boolean).length > 1;
      return isTwofold && other ? refuse(other, request, context.rules) : original.answer(request, context);
    },
  ),
  stageMutant(
    'precedence.third-code-for-two-403s',
    ['precedence.one-of-two-403'],
    'application',
    (request, context, original) => {
      const { state, integratorState, subscriptions } = context.application ?? {};
      const faults = [state !== 'active', integratorState !== 'active', subscriptions !== 'all'];
      if (faults.filter(Boolean).length < 2) return original.answer(request, context);
      const others: readonly CodeName[] = ['applicationNotEffective', 'integratorDisabled', 'notSubscribed'];
      const other = state === 'disabled' ? 'applicationNotEffective' : others.find((_, at) => !faults[at]);
      return refuse(other ?? 'rateLimited', request, context.rules);
    },
  ),
];
