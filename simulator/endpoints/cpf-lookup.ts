import type { PathVariables } from '../http/path.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Call } from './call.ts';

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
