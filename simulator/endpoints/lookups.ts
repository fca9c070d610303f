import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { PathVariables } from '../rules/route.ts';
import { verdictOn } from '../verification/verdict.ts';
import type { Call } from './call.ts';

/**
 * The verdict on the chave that the caller's account had last, or what the authority says of it where there was none; 404
 * where there is neither. It starts nothing and sends no event. Sections 1 and 4.1.
 */
export function chaveLookupEndpoint(request: RequestFacts, call: Call, { chave = '' }: PathVariables): Reply {
  const { state, rules, caller, nowMs } = call;
  const { status, body, refusals, isChave, fails, readsLatest, isFound } = rules.chaveLookup;
  if (!isChave(chave)) return call.refuse(refusals.chaveMalformed);
  if (fails(chave)) return call.refuse(refusals.systemError);
  const latest = state.verifications.latest(caller.integratorId, chave);
  if (latest?.verdict && rules.verdict.isFinal(latest.verdict) && readsLatest(request)) {
    return { status, body: body(latest.verdict) };
  }
  const verdict = verdictOn(latest?.findings ?? { chave }, caller, nowMs, call);
  if (!latest && !isFound(verdict)) return call.refuse(refusals.chaveUnknown);
  return { status, body: body(verdict) };
}

/** Shows a company; 404 for one that the registry does not have. Section 4.1. */
export async function cnpjLookupEndpoint(
  _request: RequestFacts,
  call: Call,
  { cnpj = '' }: PathVariables,
): Promise<Reply> {
  const { status, refusals, isCnpj, fails, isKnown, company } = call.rules.cnpjLookup;
  if (!isCnpj(cnpj)) return call.refuse(refusals.cnpjMalformed);
  if (fails(cnpj)) return call.refuse(refusals.systemError);
  if (!isKnown(cnpj)) return call.refuse(refusals.cnpjUnknown);
  return { status, body: await company(cnpj) };
}

/** Shows a person; 404 for one that the registry does not have, or has with another birth date. Section 4.1. */
export async function cpfLookupEndpoint(
  _request: RequestFacts,
  call: Call,
  { cpf = '', nascimento = '' }: PathVariables,
): Promise<Reply> {
  const rules = call.rules.cpfLookup;
  const { refusals } = rules;
  if (!rules.isCpf(cpf)) return call.refuse(refusals.cpfMalformed);
  if (!rules.isBirthDate(nascimento, call.nowMs)) return call.refuse(refusals.nascimentoMalformed);
  if (rules.fails(cpf)) return call.refuse(refusals.systemError);
  if (!rules.isKnown(cpf)) return call.refuse(refusals.cpfUnknown);
  if (!rules.isBornOn(cpf, nascimento)) return call.refuse(refusals.nascimentoMismatch);
  return { status: rules.status, body: await rules.person(cpf, nascimento) };
}
