import { codes } from '../contract/values.ts';
import { endpointMutant, replyMutant, wrapped, type Mutant } from './mutant.ts';

const name = 'certificado-association';

/** Wrong answers to the upload of a certificate. */
export const certificadoAssociationMutants: readonly Mutant[] = [
  endpointMutant(
    'certificado-association.upload-not-signed-for',
    ['certificado-association.multipart-upload'],
    name,
    () => ({ status: 401, body: { success: false, errorType: 1, code: codes.signMismatch.code, message: 'sign' } }),
  ),
  endpointMutant('certificado-association.as-500', ['certificado-association.multipart-upload'], name, () => ({
    status: 500,
  })),
  endpointMutant('certificado-association.json-only', ['certificado-association.multipart-upload'], name, () => ({
    status: 415,
  })),
  replyMutant('certificado-association.in-envelope', ['certificado-association.bare'], name, wrapped),
  replyMutant('certificado-association.as-204', ['certificado-association.status-200'], name, () => ({ status: 204 })),
  replyMutant('certificado-association.as-201', ['certificado-association.status-200'], name, (reply) => ({
    ...reply,
    status: 201,
  })),
];
