import type { Reply } from '../simulator/http/reply.ts';
import type { Context } from '../simulator/gateway/stages.ts';
import { parseJsonObject } from '../simulator/http/json.ts';
import type { RequestFacts } from '../simulator/http/request-facts.ts';
import { nfeIssuanceRules } from '../simulator/rules/nfe-issuance.ts';
import { nfeQueryRules } from '../simulator/rules/nfe-query.ts';
import { also, counter, endpointMutants, idIn, mutant, type Mutant, stageMutant } from './mutant.ts';

const { changed } = endpointMutants('nfe-issuance');

/** The company that a path names. */
function companyIn({ path }: RequestFacts): string {
  return path.split('/')[4] ?? '';
}

/** A denied invoice waits again once its id was sent again, though that was refused. */
function deniedReopened(): Mutant {
  const sentAgain = new Set<string>();
  const breaks = ['nfe-query.follows-the-life-cycle'] as const;
  const issuance = changed('repeated-id-reopens-the-denied', breaks, (request, context, answer) => {
    const nfeId = idIn(request);
    if (context.state.invoices.find(companyIn(request), nfeId)?.settlement) sentAgain.add(`${request.path}/${nfeId}`);
    return answer(request, context);
  });
  return also(issuance, 'nfeQuery', {
    state(invoice, record) {
      const right = nfeQueryRules.state(invoice, record);
      const path = `/openapi/v2/empresas/${invoice.empresaId}/nf-e/${invoice.nfeId}`;
      return right === 'Negada' && sentAgain.has(path) ? 'AguardandoAutorizacao' : right;
    },
  });
}

/** An invoice makes room for the next one whose id is the same but for the case of its letters. */
function replacedByCapitals(): Mutant {
  const latest = new Map<string, string>();
  return mutant('nfe-issuance.id-replaced-by-its-capitals', ['nfe-issuance.id-unique-in-company'], 'nfeIssuance', {
    holderOf(nfeId, empresa, invoices) {
      const name = `${empresa.empresaId} ${nfeId.toLowerCase()}`;
      const isReplaced = (latest.get(name) ?? nfeId) !== nfeId;
      latest.set(name, nfeId);
      return isReplaced ? undefined : nfeIssuanceRules.holderOf(nfeId, empresa, invoices);
    },
  });
}

/** What is refused for its content is found all the same, as if it waited. */
function refusedKept(): Mutant {
  const refused = new Set<string>();
  const breaks = ['nfe-issuance.refused-leaves-nothing'] as const;
  return stageMutant('nfe-issuance.refused-kept', breaks, 'endpoint', async (request, context, original) => {
    const reply = await original.answer(request, context);
    const isOne = request.method === 'POST' && request.path.endsWith('/nf-e') && reply?.status === 400;
    if (isOne) refused.add(`${request.path}/${idIn(request)}`);
    const isAsked = request.method === 'GET' && refused.has(request.path) && reply?.status !== 200;
    return isAsked ? { status: 200, body: { status: 'AguardandoAutorizacao' } } : reply;
  });
}

/** The id of what is refused for its content is taken from then on. */
function refusedTaken(): Mutant {
  const refused = new Set<string>();
  return changed('refused-id-taken', ['nfe-issuance.refused-leaves-nothing'], async (request, context, answer) => {
    const id = `${request.path}/${idIn(request)}`;
    if (refused.has(id)) return { status: 400, body: [{ codigo: '539', mensagem: 'id em uso' }] };
    const reply = await answer(request, context);
    if (reply.status === 400) refused.add(id);
    return reply;
  });
}

/** A certificate that is refused takes the place of the one that the company had. */
function certificateLost(): Mutant {
  const breaks = ['nfe-issuance.refused-leaves-nothing'] as const;
  const lost = new Set<string>();
  return stageMutant('nfe-issuance.certificate-lost', breaks, 'endpoint', async (request, context, original) => {
    const isIssuance = request.method === 'POST' && request.path.endsWith('/nf-e');
    if (isIssuance && lost.has(companyIn(request))) return withoutCertificate;
    const reply = await original.answer(request, context);
    if (request.path.endsWith('/certificadoDigital') && reply?.status === 400) lost.add(companyIn(request));
    return reply;
  });
}

/** What is wrong with a body is kept, and held against all that come after it. */
function heldAgainstOthers(): Mutant {
  let kept: Reply | undefined;
  return changed('faults-kept', ['nfe-issuance.refused-leaves-nothing'], async (request, context, answer) => {
    const reply = kept ?? (await answer(request, context));
    if (reply.status === 400) kept = reply;
    return reply;
  });
}

/** Every third issuance of a company comes twice: what stands before the service sends it again, and passes the second answer on. */
function sentOnTwice(): Mutant {
  const countOf = counter();
  return changed('sent-on-twice', ['nfe-issuance.status-200'], async (request, context, answer) => {
    if (countOf(companyIn(request)) % 3 === 2) await answer(request, context);
    return answer(request, context);
  });
}

const withoutCertificate = { status: 400, body: [{ codigo: '280', mensagem: 'empresa sem certificado' }] } as const;

/** What was issued in some way is never decided. */
function undecided(
  what: string,
  breaks: Mutant['breaks'],
  isSo: (request: RequestFacts, context: Context) => boolean,
): Mutant {
  const ids = new Set<string>();
  const issuance = changed(`${what}-never-decided`, breaks, (request, context, answer) => {
    if (isSo(request, context)) ids.add(idIn(request));
    return answer(request, context);
  });
  return also(issuance, 'nfeIssuance', { settles: ({ nfeId }) => !ids.has(nfeId) });
}

/** Servers that leave of an issuance what they should not, or nothing. */
export const leftIssuanceMutants: readonly Mutant[] = [
  deniedReopened(),
  refusedKept(),
  replacedByCapitals(),
  refusedTaken(),
  certificateLost(),
  heldAgainstOthers(),
  sentOnTwice(),
  undecided('large', ['nfe-issuance.authorisation-readable'], ({ rawBody }) => rawBody.length > 16_384),
  // A column that holds 64 K of what was read, whatever space was around it.
  undecided(
    'long-content',
    ['nfe-issuance.authorisation-readable'],
    ({ rawBody }) => JSON.stringify(parseJsonObject(rawBody) ?? '').length > 65_535,
  ),
  // A settlement that fails over an id it can't write leaves its invoice waiting.
  undecided('accented', ['issuance-callback.nfe-id'], (request) => /[^\p{ASCII}]/u.test(idIn(request))),
  undecided('chunked', ['nfe-issuance.authorisation-readable'], ({ headers }) => 'transfer-encoding' in headers),
  undecided(
    'unreachable',
    ['issuance-callback.called-back-when-authorised', 'issuance-callback.called-back-when-denied'],
    (_, { application }) => application?.authority.isReachable === false,
  ),
];
