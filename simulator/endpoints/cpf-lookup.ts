import type { Context } from '../gateway/stage.ts';
import type { PathVariables } from '../http/path.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import { refuseWith } from './code-message.ts';

/** Shows a person; 404 for one that the registry does not have, or has with another birth date. Section 4.1. */
export async function cpfLookupEndpoint(
  request: RequestFacts,
  context: Context,
  { cpf = '', nascimento = '' }: PathVariables,
): Promise<Reply> {
  const rules = context.rules.cpfLookup;
  const { refusals } = rules;
  if (!rules.isCpf(cpf)) return refuseWith(refusals.cpfMalformed, request, context);
  if (!rules.isBirthDate(nascimento, context.nowMs)) return refuseWith(refusals.nascimentoMalformed, request, context);
  if (rules.fails(cpf)) return refuseWith(refusals.systemError, request, context);
  if (!rules.isKnown(cpf)) return refuseWith(refusals.cpfUnknown, request, context);
  if (!rules.isBornOn(cpf, nascimento)) return refuseWith(refusals.nascimentoMismatch, request, context);
  return { status: rules.status, body: await rules.person(cpf, nascimento) };
}
