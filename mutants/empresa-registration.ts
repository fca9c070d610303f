import { parseJsonObject } from '../simulator/http/json.ts';
import { member } from '../schemas/values.ts';
import { endpointMutants, refusedTheFirstTime, withMembers, wrapped, type Mutant } from './mutant.ts';

const { changed, replied } = endpointMutants('empresa-registration');

/** A company that is there already has no id in the answer. */
function namelessAgain(): Mutant {
  const known = new Set<string>();
  return changed('again-without-id', ['empresa-registration.empresa-id'], async (request, context, answer) => {
    const reply = await answer(request, context);
    const name = `${context.application?.appKey} ${JSON.stringify(parseJsonObject(request.rawBody))}`;
    if (known.has(name)) return { status: 200, body: { empresaId: null } };
    known.add(name);
    return reply;
  });
}

/** Wrong answers to a registration. */
export const empresaRegistrationMutants: readonly Mutant[] = [
  replied('without-id', ['empresa-registration.empresa-id'], (reply) => ({ ...reply, body: {} })),
  replied('id-as-number', ['empresa-registration.empresa-id'], (reply) => withMembers(reply, { empresaId: 17 })),
  replied('id-empty', ['empresa-registration.empresa-id'], (reply) => withMembers(reply, { empresaId: '' })),
  namelessAgain(),
  replied('id-as-bare-text', ['empresa-registration.empresa-id'], (reply) => ({
    status: 200,
    content: { type: 'text/plain', bytes: Buffer.from(String(member(reply.body, 'empresaId'))) },
  })),
  replied('in-envelope', ['empresa-registration.bare'], wrapped),
  replied('as-201', ['empresa-registration.status-200'], (reply) => ({ ...reply, status: 201 })),
  refusedTheFirstTime('empresa-registration', 'empresa-registration.status-200'),
  replied('another-id', ['empresa-registration.id-names-company'], (reply) =>
    withMembers(reply, { empresaId: 'another-company' }),
  ),
];
