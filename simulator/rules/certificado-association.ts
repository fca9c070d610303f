import type { Certificate } from '../model.ts';
import type { CertificateFault } from './nfe-issuance.ts';

/** What an association is answered with. Sections 4.1 and 4.2. */
export interface CertificadoAssociationRules {
  readonly status: number;
  /** Why a certificate is refused that can be opened; `undefined` leaves it to the tax authority. */
  readonly certificateFault: CertificateFault;
  readonly body: (empresaId: string, certificate: Certificate) => unknown;
}

export const certificadoAssociationRules: CertificadoAssociationRules = {
  status: 200,
  certificateFault: () => undefined,
  // Bare: only the echo has the platform's envelope. The contract shows no field of it.
  body: (empresaId, { commonName, notAfterMs }) => ({
    empresaId,
    titular: commonName,
    validoAte: new Date(notAfterMs).toISOString(),
  }),
};
