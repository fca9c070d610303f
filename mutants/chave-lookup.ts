import { member } from '../schemas/values.ts';
import type { Reply } from '../simulator/http/reply.ts';
import { verificationRefusals } from '../simulator/rules/refusal.ts';
import { findRoute } from '../simulator/rules/route.ts';
import { endpointMutants, type Mutant, remembering, ruleMutants, stageMutant, withMembers, wrapped } from './mutant.ts';

const { answered, changed, replied } = endpointMutants('chave-lookup');
const ruled = ruleMutants('chave-lookup', 'chaveLookup');

/** Every refusal as something else. */
function refusedAs(what: string, breaks: Mutant['breaks'], wrong: Reply): Mutant {
  return answered(what, breaks, (reply) => (reply.status === 200 ? reply : wrong));
}

/** A verdict on an invoice that nobody asked for: the next one of its series. */
export function ofAnotherChave(reply: Reply): Reply {
  const chave = String(member(reply.body, 'chaveAcesso'));
  const next = String(BigInt(chave) + 1n).padStart(44, '0');
  return { ...reply, body: JSON.parse(JSON.stringify(reply.body).replaceAll(chave, next)) };
}

/** Knows of each account only what the document is worth that was verified last, and takes every other one for right. */
function knowingTheLast(): Mutant {
  const last = new Map<string, string>();
  const breaks = ['chave-lookup.reads-latest-verdict'] as const;
  return stageMutant('chave-lookup.knows-the-last-alone', breaks, 'endpoint', async (request, context, original) => {
    const account = context.application?.integratorId ?? '';
    const name = findRoute(request.method, request.path)?.endpoint.name;
    const chave = /Id="NFe(\d{44})"/.exec(request.rawBody.toString('latin1'))?.[1];
    if (name === 'nfe-verification' && chave !== undefined) last.set(account, chave);
    const reply = await original.answer(request, context);
    const isOther = name === 'chave-lookup' && !request.path.endsWith(last.get(account) ?? '');
    if (!isOther || reply?.status !== 200) return reply;
    return withMembers(reply, { validation: { validationStatus: 'VALIDATED' } });
  });
}

/** What one secret had verified is known to no other: each is thought to be another account. */
function forgottenByRotation(): Mutant {
  const asked = new Map<string, string>();
  const breaks = ['chave-lookup.reads-latest-verdict'] as const;
  return stageMutant('chave-lookup.forgotten-by-a-rotation', breaks, 'endpoint', async (request, context, original) => {
    const { appKey = '' } = context.application ?? {};
    const name = findRoute(request.method, request.path)?.endpoint.name;
    const reply = await original.answer(request, context);
    const chave = name === 'nfe-verification' ? member(reply?.body, 'chaveAcesso') : request.path.split('/').at(-1);
    const key = `${appKey} ${String(chave)}`;
    if (name === 'nfe-verification') asked.set(key, context.sent.token);
    const isOther = name === 'chave-lookup' && (asked.get(key) ?? context.sent.token) !== context.sent.token;
    return isOther ? { status: 404, body: { code: 10015004, message: 'not found' } } : reply;
  });
}

/** Wrong lookups of a chave. */
export const chaveLookupMutants: readonly Mutant[] = [
  forgottenByRotation(),
  replied('in-envelope', ['chave-lookup.bare'], wrapped),
  // Known to nobody, or broken, whatever is looked up.
  ...(
    [
      ['nothing-found', { status: 404, body: { code: '10015004', message: 'not found' } }],
      ['always-fails', { status: 500, body: { code: 'ERRO', message: 'system error' } }],
    ] as const
  ).map(([what, reply]) => replied(what, ['chave-lookup.shape-of-verification'], () => reply)),
  replied('rejected-as-422', ['chave-lookup.shape-of-verification'], (reply) =>
    member(reply.body, 'validation', 'validationStatus') === 'REJECTED' ? { ...reply, status: 422 } : reply,
  ),
  replied('without-validation', ['chave-lookup.shape-of-verification'], (reply) =>
    withMembers(reply, { validation: undefined }),
  ),
  replied('verdict-as-text', ['chave-lookup.shape-of-verification'], (reply) =>
    withMembers(reply, { validation: 'VALIDATED' }),
  ),
  replied('of-another-chave', ['chave-lookup.shape-of-verification'], ofAnotherChave),
  ruled('asks-the-authority', ['chave-lookup.reads-latest-verdict'], {
    readsLatest: () => false,
    body: (verdict) => ({ validation: { ...verdict, validationStatus: 'VALIDATED' } }),
  }),
  changed(
    'first-verdict-kept',
    ['chave-lookup.reads-latest-verdict'],
    remembering(({ path }, { application }) => `${application?.appKey} ${path}`),
  ),
  knowingTheLast(),
  ruled('revalidates', ['chave-lookup.no-revalidation'], {
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
  changed('cut', ['chave-lookup.malformed'], (request, context, answer) =>
    answer({ ...request, path: request.path.replace(/(\/\d{44})\d+$/, '$1') }, context),
  ),
  ruled('another-code', ['chave-lookup.unknown-code'], {
    refusals: { ...verificationRefusals, chaveUnknown: { ...verificationRefusals.chaveUnknown, code: 404 } },
  }),
];
