import type { PathVariables } from '../http/path.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Call } from './call.ts';

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
