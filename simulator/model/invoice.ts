import type { FiscalState, NfeOutcome } from '../../contract/values.ts';
import type { Ambiente } from '../../schemas/messages.ts';
import type { InvoiceContent } from '../issuance/schema.ts';

/** What an issuance asked for, numbered. */
export interface Issued {
  readonly empresaId: string;
  /** The `id` that the integrator sent. Section 2.2. */
  readonly nfeId: string;
  /** The application that issued it, by whose clock it settles. */
  readonly appKey: string;
  readonly ambiente: Ambiente;
  readonly content: InvoiceContent;
  readonly serie: number;
  readonly numero: number;
  /** 44 digits. */
  readonly chave: string;
  /** Unix milliseconds. */
  readonly issuedMs: number;
  /** When the authority is asked; it stands in the past while the authority can't be reached. */
  readonly dueMs: number;
}

/** What the tax authority decided. */
export interface Settlement {
  readonly outcome: NfeOutcome;
  readonly settledMs: number;
  /** Status code and description of a denial; empty for an authorisation. */
  readonly motivo: string;
  /** Protocol number of an authorisation. */
  readonly protocolo?: string;
}

/** The same as it is decided: with the document of an authorisation, which is read on its own from then on. */
export interface Decision extends Settlement {
  readonly xml?: Buffer;
}

/** An invoice that was accepted. */
export interface Invoice extends Issued {
  readonly id: number;
  readonly settlement?: Settlement;
}

/** The documents of an invoice that a link can lead to. */
export const documentKinds = ['xml', 'danfe'] as const;

export type DocumentKind = (typeof documentKinds)[number];

/** What a link leads to, and until when. */
export interface Link {
  readonly invoiceId: number;
  readonly kind: DocumentKind;
  /** Unix milliseconds. */
  readonly expiresMs: number;
}

/** An event that the authority registered against an invoice. */
export type AuthorityEvent = Readonly<Record<string, unknown>>;

/** What the tax authority knows of an invoice. Section 2.4. */
export interface AuthorityRecord {
  readonly status: FiscalState;
  readonly cStat: string | null;
  readonly xMotivo: string | null;
  readonly protocolo: { readonly numero: string; readonly digestValue: string } | null;
  /** ISO 8601, UTC. */
  readonly dataAutorizacao: string | null;
  readonly eventos: readonly AuthorityEvent[];
}
