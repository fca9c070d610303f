import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Refusal } from '../rules/refusal.ts';
import type { ServiceParts } from '../service.ts';
import type { Call } from './call.ts';
import { parseJsonObject } from '../http/json.ts';

/** Adds an address, or replaces the token of a known one and restores its deliveries; 400 for a body that it can't take. */
export async function webhookRegistrationEndpoint(request: RequestFacts, call: Call): Promise<Reply> {
  const { rules, caller, sender } = call;
  if (request.isBodyTooLarge) return call.refuse(tooLarge);
  const sent = parseJsonObject(request.rawBody);
  if (!sent) return call.refuse(noObject);
  const { uri, token } = sent;
  const isCallable = typeof uri === 'string' && rules.webhookUrl.isCallable(uri);
  const { status, body, isToken } = rules.webhookRegistration;
  const refusal = isCallable ? await sender.refusal(uri) : undefined;
  const faults = [
    ...(isCallable ? [] : [badUri]),
    ...(refusal === undefined ? [] : [notPublicUri]),
    ...(isToken(token) ? [] : [badToken]),
  ];
  if (faults.length > 0 || !isCallable || !isToken(token)) return call.refuse(...faults);
  const { appKey } = caller;
  registerCallback({ appKey, url: uri, token }, call.nowMs, call);
  return { status, body: body(uri), after: () => call.timeline.touch(appKey) };
}

const tooLarge: Refusal = { code: 'SIM-WEBHOOK-CORPO', message: 'O corpo da requisição é grande demais.' };
const noObject: Refusal = { code: 'SIM-WEBHOOK-CORPO', message: 'O corpo deve ser um objeto JSON em UTF-8.' };
const badUri: Refusal = {
  code: 'SIM-WEBHOOK-URI',
  message: 'O campo uri deve ser um endereço http ou https absoluto de até 2048 caracteres.',
};
const notPublicUri: Refusal = {
  code: 'SIM-WEBHOOK-URI-PRIVADA',
  message: 'O campo uri deve levar a um endereço público da internet.',
};
const badToken: Refusal = {
  code: 'SIM-WEBHOOK-TOKEN',
  message: 'O campo token deve ser um texto de 1 a 500 caracteres ASCII visíveis.',
};

/**
 * Adds an address for issuance callbacks, or replaces the token of a known one, whose breaker closes: what was held for it is
 * due at that time. A transaction of its own; a touch of the timeline sends it. Unix milliseconds. Section 6.4.
 */
export function registerCallback(
  { appKey, url, token }: { readonly appKey: string; readonly url: string; readonly token: string },
  nowMs: number,
  { state, rules }: ServiceParts,
): void {
  state.transaction(() => {
    const target = state.webhooks.register(appKey, url, token);
    if (!rules.webhookRegistration.restoresDelivery) return;
    state.webhooks.setBreaker(target.id, { failuresInARow: 0, isOpen: false });
    state.outbox.release(target.id, nowMs);
  });
}
