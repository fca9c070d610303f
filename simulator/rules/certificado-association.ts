import type { Certificate } from '../model/empresa.ts';

/** What an association is answered with. Sections 4.1 and 4.2. */
export interface CertificadoAssociationRules {
  readonly status: number;
  readonly body: (empresaId: string, certificate: Certificate) => unknown;
}

export const certificadoAssociationRules: CertificadoAssociationRules = {
  status: 200,
  // Bare: only the echo has the platform's envelope. The contract shows no field of it.
  body: (empresaId, { commonName, notAfterMs }) => ({
    empresaId,
    titular: commonName,
    validoAte: new Date(notAfterMs).toISOString(),
  }),
};
