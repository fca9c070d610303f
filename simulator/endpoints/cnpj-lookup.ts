import type { Context } from '../gateway/stage.ts';
import type { PathVariables } from '../http/path.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import { refuseWith } from './code-message.ts';

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
