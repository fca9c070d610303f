import type { Ambiente } from '../../schemas/messages.ts';
import type { InvoiceContent } from '../issuance/schema/invoice.ts';
import type { Empresa } from '../model/empresa.ts';

/** What the tax authority answered to an invoice that it authorised. */
export interface Protocol {
  /** 15 digits. */
  readonly numero: string;
  /** Unix milliseconds. */
  readonly authorizedAtMs: number;
  readonly cStat: string;
  readonly xMotivo: string;
}

/** All that a document says of an invoice. */
export interface DocumentInput {
  /** With its certificate. */
  readonly empresa: Empresa;
  readonly content: InvoiceContent;
  readonly ambiente: Ambiente;
  /** 44 digits. */
  readonly chave: string;
  readonly serie: number;
  readonly numero: number;
  /** Unix milliseconds. */
  readonly issuedAtMs: number;
  readonly protocol: Protocol;
}
