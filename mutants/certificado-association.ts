import { codes } from '../contract/values.ts';
import { counter, endpointMutants, refusedTheFirstTime, wrapped, type Mutant } from './mutant.ts';

const { changed, replied } = endpointMutants('certificado-association');

/** Answers with another status once a company has a certificate. */
function renewedAs(status: number): Mutant {
  const timesTaken = counter();
  return changed(`renewed-as-${status}`, ['certificado-association.status-200'], async (request, context, answer) => {
    const reply = await answer(request, context);
    return reply.status === 200 && timesTaken(request.path) > 0 ? { status } : reply;
  });
}

/** Wrong answers to the upload of a certificate. */
export const certificadoAssociationMutants: readonly Mutant[] = [
  changed(
    'upload-not-signed-for',
    ['certificado-association.multipart-upload', 'signature.body-empty-for-multipart'],
    () => ({
      status: 401,
      body: { success: false, errorType: 1, code: codes.signMismatch.code, message: 'sign' },
    }),
  ),
  changed('as-500', ['certificado-association.multipart-upload'], () => ({ status: 500 })),
  changed('json-only', ['certificado-association.multipart-upload'], () => ({ status: 415 })),
  refusedTheFirstTime('certificado-association', 'certificado-association.status-200'),
  replied('in-envelope', ['certificado-association.bare'], wrapped),
  renewedAs(204),
  replied('as-204', ['certificado-association.status-200'], () => ({ status: 204 })),
  replied('as-201', ['certificado-association.status-200'], (reply) => ({ ...reply, status: 201 })),
];
