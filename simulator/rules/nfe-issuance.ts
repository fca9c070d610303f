import { type Ambiente, ambientes } from '../../schemas/messages.ts';
import type { Certificate, Empresa, Invoice } from '../model.ts';
import type { Refusal } from './refusal.ts';

/** The invoices of a service, by company and id. */
interface IssuedInvoices {
  find(empresaId: string, nfeId: string): Invoice | undefined;
}

/** What is accepted as an issuance, and how. Sections 2.2, 4.1 and 8. */
export interface NfeIssuanceRules {
  readonly status: number;
  /** `undefined`: no content. */
  readonly body: unknown;
  readonly isId: (id: unknown) => id is string;
  /** The environment that a value names; `undefined` for none. */
  readonly ambienteOf: (value: unknown) => Ambiente | undefined;
  /** Whether a company that receives may have that number, apart from its check digits. */
  readonly isCnpj: (text: string) => boolean;
  /** What is wrong with its fields beside what is judged of each. */
  readonly contentFaults: (body: Readonly<Record<string, unknown>>) => readonly Refusal[];
  /** Why the company's certificate is refused; `undefined` leaves it to the tax authority. */
  readonly certificateFault: CertificateFault;
  /** The invoice that has the id already. */
  readonly holderOf: (nfeId: string, empresa: Empresa, invoices: IssuedInvoices) => Invoice | undefined;
  /** Whether the authority is asked at all. */
  readonly settles: (invoice: Invoice) => boolean;
}

/** Why a company can't sign with a certificate at that time, Unix milliseconds; `undefined` where it is not refused. */
export type CertificateFault = (certificate: Certificate, empresa: Empresa, nowMs: number) => Refusal | undefined;

/** The longest id that an invoice may have, in UTF-16 units. */
export const longestId = 200;

export const nfeIssuanceRules: NfeIssuanceRules = {
  status: 200,
  body: undefined,
  isId: (id): id is string => typeof id === 'string' && id.trim() !== '' && id.length <= longestId,
  ambienteOf: (value) => ambientes.find((ambiente) => ambiente === value),
  isCnpj: (text) => /^\d{14}$/.test(text),
  contentFaults: () => [],
  certificateFault: () => undefined,
  holderOf: (nfeId, { empresaId }, invoices) => invoices.find(empresaId, nfeId),
  settles: () => true,
};
