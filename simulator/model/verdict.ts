import type { FiscalState, VerdictState } from '../../contract/states.ts';
import type { AuthorityEvent } from './authority-record.ts';

/** What a verification came to. Section 2.4. */
export interface Verdict {
  readonly chaveAcesso: string;
  readonly validationStatus: VerdictState;
  readonly status: FiscalState;
  readonly cStat: string | null;
  readonly xMotivo: string | null;
  readonly protocolo: { readonly numero: string; readonly digestValue: string } | null;
  /** ISO 8601, UTC. */
  readonly dataAutorizacao: string | null;
  readonly eventos: readonly AuthorityEvent[];
  readonly verifiedAt: string;
  /** In English; absent for `VALIDATED`. */
  readonly reason?: string;
}
