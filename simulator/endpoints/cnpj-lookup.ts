import type { PathVariables } from '../http/path.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Call } from './call.ts';
import { refuseWith } from './code-message.ts';

/** Shows a company; 404 for one that the registry does not have. Section 4.1. */
export async function cnpjLookupEndpoint(
  request: RequestFacts,
  call: Call,
  { cnpj = '' }: PathVariables,
): Promise<Reply> {
  const { status, refusals, isCnpj, fails, isKnown, company } = call.rules.cnpjLookup;
  if (!isCnpj(cnpj)) return refuseWith(refusals.cnpjMalformed, request, call);
  if (fails(cnpj)) return refuseWith(refusals.systemError, request, call);
  if (!isKnown(cnpj)) return refuseWith(refusals.cnpjUnknown, request, call);
  return { status, body: await company(cnpj) };
}
