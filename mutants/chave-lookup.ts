import type { Reply } from '../simulator/http/reply.ts';
import { verificationRefusals } from '../simulator/rules/refusal.ts';
import { endpointMutant, mutant, type Mutant, replyMutant, withMembers, wrapped } from './mutant.ts';

const name = 'chave-lookup';

/** Every refusal as something else. */
function refusedAs(what: string, breaks: Mutant['breaks'], wrong: Reply): Mutant {
  return endpointMutant(`chave-lookup.${what}`, breaks, name, async (request, context, answer) => {
    const reply = await answer(request, context);
    return reply.status === 200 ? reply : wrong;
  });
}

/** Wrong lookups of a chave. */
export const chaveLookupMutants: readonly Mutant[] = [
  replyMutant('chave-lookup.in-envelope', ['chave-lookup.bare'], name, wrapped),
  replyMutant('chave-lookup.without-validation', ['chave-lookup.shape-of-verification'], name, (reply) =>
    withMembers(reply, { validation: undefined }),
  ),
  replyMutant('chave-lookup.verdict-as-text', ['chave-lookup.shape-of-verification'], name, (reply) =>
    withMembers(reply, { validation: 'VALIDATED' }),
  ),
  mutant('chave-lookup.asks-the-authority', ['chave-lookup.reads-latest-verdict'], 'chaveLookup', {
    readsLatest: () => false,
    body: (verdict) => ({ validation: { ...verdict, validationStatus: 'VALIDATED' } }),
  }),
  mutant('chave-lookup.revalidates', ['chave-lookup.no-revalidation'], 'chaveLookup', {
    readsLatest: ({ headers }) => headers['forcerevalidate'] !== 'true',
  }),
  refusedAs('unknown-as-200', ['chave-lookup.unknown', 'chave-lookup.malformed'], {
    status: 200,
    body: { validation: { validationStatus: 'REJECTED' } },
  }),
  refusedAs('unknown-as-500', ['chave-lookup.unknown', 'chave-lookup.malformed'], {
    status: 500,
    body: { code: 1, message: 'IndexOutOfBoundsException' },
  }),
  endpointMutant('chave-lookup.cut', ['chave-lookup.malformed'], name, (request, context, answer) =>
    answer({ ...request, path: request.path.replace(/(\/\d{44})\d+$/, '$1') }, context),
  ),
  mutant('chave-lookup.another-code', ['chave-lookup.unknown-code'], 'chaveLookup', {
    refusals: { ...verificationRefusals, chaveUnknown: { ...verificationRefusals.chaveUnknown, code: 404 } },
  }),
];
