import { parseJsonObject } from '../http/json.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import { refuseFaults, type Fault } from '../rules/faults.ts';
import { registerCallback } from '../webhooks/registration.ts';
import type { Call } from './call.ts';

/** Adds an address, or replaces the token of a known one and restores its deliveries; 400 for a body that it can't take. */
export async function webhookRegistrationEndpoint(request: RequestFacts, call: Call): Promise<Reply> {
  const { rules, caller, sender } = call;
  if (request.isBodyTooLarge) return refuseFaults([tooLarge], rules.faults);
  const sent = parseJsonObject(request.rawBody);
  if (!sent) return refuseFaults([noObject], rules.faults);
  const { uri, token } = sent;
  const isCallable = typeof uri === 'string' && rules.webhookUrl.isCallable(uri);
  const { status, body, isToken } = rules.webhookRegistration;
  const refusal = isCallable ? await sender.refusal(uri) : undefined;
  const faults = [
    ...(isCallable ? [] : [badUri]),
    ...(refusal === undefined ? [] : [notPublicUri]),
    ...(isToken(token) ? [] : [badToken]),
  ];
  if (faults.length > 0 || !isCallable || !isToken(token)) return refuseFaults(faults, rules.faults);
  const { appKey } = caller;
  registerCallback({ appKey, url: uri, token }, call.nowMs, call);
  return { status, body: body(uri), after: () => call.timeline.touch(appKey) };
}

const tooLarge: Fault = { codigo: 'SIM-WEBHOOK-CORPO', mensagem: 'O corpo da requisição é grande demais.' };
const noObject: Fault = { codigo: 'SIM-WEBHOOK-CORPO', mensagem: 'O corpo deve ser um objeto JSON em UTF-8.' };
const badUri: Fault = {
  codigo: 'SIM-WEBHOOK-URI',
  mensagem: 'O campo uri deve ser um endereço http ou https absoluto de até 2048 caracteres.',
};
const notPublicUri: Fault = {
  codigo: 'SIM-WEBHOOK-URI-PRIVADA',
  mensagem: 'O campo uri deve levar a um endereço público da internet.',
};
const badToken: Fault = {
  codigo: 'SIM-WEBHOOK-TOKEN',
  mensagem: 'O campo token deve ser um texto de 1 a 500 caracteres ASCII visíveis.',
};
