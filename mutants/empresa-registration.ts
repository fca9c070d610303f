import { member } from '../schemas/values.ts';
import { replyMutant, withMembers, wrapped, type Mutant } from './mutant.ts';

const name = 'empresa-registration';

/** Wrong answers to a registration. */
export const empresaRegistrationMutants: readonly Mutant[] = [
  replyMutant('empresa-registration.without-id', ['empresa-registration.empresa-id'], name, (reply) => ({
    ...reply,
    body: {},
  })),
  replyMutant('empresa-registration.id-as-number', ['empresa-registration.empresa-id'], name, (reply) =>
    withMembers(reply, { empresaId: 17 }),
  ),
  replyMutant('empresa-registration.id-empty', ['empresa-registration.empresa-id'], name, (reply) =>
    withMembers(reply, { empresaId: '' }),
  ),
  replyMutant('empresa-registration.id-as-bare-text', ['empresa-registration.empresa-id'], name, (reply) => ({
    status: 200,
    content: { type: 'text/plain', bytes: Buffer.from(String(member(reply.body, 'empresaId'))) },
  })),
  replyMutant('empresa-registration.in-envelope', ['empresa-registration.bare'], name, wrapped),
  replyMutant('empresa-registration.as-201', ['empresa-registration.status-200'], name, (reply) => ({
    ...reply,
    status: 201,
  })),
  replyMutant('empresa-registration.another-id', ['empresa-registration.id-names-company'], name, (reply) =>
    withMembers(reply, { empresaId: 'another-company' }),
  ),
];
