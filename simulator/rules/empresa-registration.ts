import { isCnpj } from '../documents/tax-numbers.ts';
import type { Empresa } from '../model.ts';

/** What a registration is answered with. Sections 2.2, 4.1 and 4.2. */
export interface EmpresaRegistrationRules {
  readonly status: number;
  readonly isCnpj: (text: string) => boolean;
  readonly empresaId: (empresa: Empresa) => unknown;
  /** Of that `empresaId`. */
  readonly body: (empresaId: unknown) => unknown;
}

export const empresaRegistrationRules: EmpresaRegistrationRules = {
  status: 200,
  isCnpj,
  empresaId: ({ empresaId }) => empresaId,
  // Bare: only the echo has the platform's envelope.
  body: (empresaId) => ({ empresaId }),
};
