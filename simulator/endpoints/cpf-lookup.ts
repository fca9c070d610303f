import type { PathVariables } from '../http/path.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Call } from './call.ts';
import { refuseWith } from './code-message.ts';

/** Shows a person; 404 for one that the registry does not have, or has with another birth date. Section 4.1. */
export async function cpfLookupEndpoint(
  request: RequestFacts,
  call: Call,
  { cpf = '', nascimento = '' }: PathVariables,
): Promise<Reply> {
  const rules = call.rules.cpfLookup;
  const { refusals } = rules;
  if (!rules.isCpf(cpf)) return refuseWith(refusals.cpfMalformed, request, call);
  if (!rules.isBirthDate(nascimento, call.nowMs)) return refuseWith(refusals.nascimentoMalformed, request, call);
  if (rules.fails(cpf)) return refuseWith(refusals.systemError, request, call);
  if (!rules.isKnown(cpf)) return refuseWith(refusals.cpfUnknown, request, call);
  if (!rules.isBornOn(cpf, nascimento)) return refuseWith(refusals.nascimentoMismatch, request, call);
  return { status: rules.status, body: await rules.person(cpf, nascimento) };
}
