import { member } from '../schemas/values.ts';
import { endpointMutants, withMembers, wrapped, type Mutant } from './mutant.ts';

const { replied } = endpointMutants('empresa-registration');

/** Wrong answers to a registration. */
export const empresaRegistrationMutants: readonly Mutant[] = [
  replied('without-id', ['empresa-registration.empresa-id'], (reply) => ({
    ...reply,
    body: {},
  })),
  replied('id-as-number', ['empresa-registration.empresa-id'], (reply) => withMembers(reply, { empresaId: 17 })),
  replied('id-empty', ['empresa-registration.empresa-id'], (reply) => withMembers(reply, { empresaId: '' })),
  replied('id-as-bare-text', ['empresa-registration.empresa-id'], (reply) => ({
    status: 200,
    content: { type: 'text/plain', bytes: Buffer.from(String(member(reply.body, 'empresaId'))) },
  })),
  replied('in-envelope', ['empresa-registration.bare'], wrapped),
  replied('as-201', ['empresa-registration.status-200'], (reply) => ({
    ...reply,
    status: 201,
  })),
  replied('another-id', ['empresa-registration.id-names-company'], (reply) =>
    withMembers(reply, { empresaId: 'another-company' }),
  ),
];
