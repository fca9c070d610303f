import type { Context } from '../gateway/stage.ts';
import type { PathVariables } from '../http/path.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import { companyOf } from '../registry/company.ts';
import { isCompanyKnown } from '../registry/situations.ts';
import { isCnpj } from '../tax-numbers.ts';
import { refuseWith } from './code-message.ts';
import { lookupRefusals, type LookupRefusals } from './lookup-refusals.ts';

/** What is told of a CNPJ. Sections 4.1 and 7.3. */
export interface CnpjLookupRules {
  readonly status: number;
  readonly refusals: LookupRefusals;
  readonly isCnpj: (text: string) => boolean;
  /** Whether the service itself fails with that number. */
  readonly fails: (cnpj: string) => boolean;
  readonly isKnown: (cnpj: string) => boolean;
  readonly company: (cnpj: string) => Promise<object>;
}

export const cnpjLookupRules: CnpjLookupRules = {
  status: 200,
  refusals: lookupRefusals,
  isCnpj,
  fails: (cnpj) => cnpj === '99999995050046',
  isKnown: isCompanyKnown,
  company: companyOf,
};

/** Shows a company; 404 for one that the registry does not have. Section 4.1. */
export async function cnpjLookupEndpoint(
  request: RequestFacts,
  context: Context,
  { cnpj = '' }: PathVariables,
): Promise<Reply> {
  const { status, refusals, isCnpj, fails, isKnown, company } = context.rules.cnpjLookup;
  if (!isCnpj(cnpj)) return refuseWith(refusals.cnpjMalformed, request, context);
  if (fails(cnpj)) return refuseWith(refusals.systemError, request, context);
  if (!isKnown(cnpj)) return refuseWith(refusals.cnpjUnknown, request, context);
  return { status, body: await company(cnpj) };
}
