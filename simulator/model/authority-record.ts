import type { FiscalState } from '../../contract/values.ts';

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
