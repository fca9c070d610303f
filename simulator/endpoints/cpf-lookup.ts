import type { Context } from '../gateway/stage.ts';
import type { PathVariables } from '../http/path.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import { isBirthDate, isBornOn, personOf } from '../registry/person.ts';
import { isPersonKnown } from '../registry/situations.ts';
import { isCpf } from '../tax-numbers.ts';
import { refuseWith } from './code-message.ts';
import { lookupRefusals, type LookupRefusals } from './lookup-refusals.ts';

/** What is told of a CPF. Sections 2.2, 4.1 and 7.3. */
export interface CpfLookupRules {
  readonly status: number;
  readonly refusals: LookupRefusals;
  readonly isCpf: (text: string) => boolean;
  /** Whether somebody can have been born on that day; Unix milliseconds. */
  readonly isBirthDate: (text: string, nowMs: number) => boolean;
  /** Whether the service itself fails with that number. */
  readonly fails: (cpf: string) => boolean;
  readonly isKnown: (cpf: string) => boolean;
  readonly isBornOn: (cpf: string, nascimento: string) => boolean;
  readonly person: (cpf: string, nascimento: string) => Promise<object>;
}

export const cpfLookupRules: CpfLookupRules = {
  status: 200,
  refusals: lookupRefusals,
  isCpf,
  isBirthDate,
  fails: (cpf) => cpf === '99999950043',
  isKnown: isPersonKnown,
  isBornOn,
  person: personOf,
};

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
