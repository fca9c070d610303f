import type { VerdictState } from '../../contract/values.ts';
import type { AuthorityRecord } from './authority-record.ts';

/** What a verification came to, with what the authority has on record. Section 2.4. */
export interface Verdict extends AuthorityRecord {
  readonly chaveAcesso: string;
  readonly validationStatus: VerdictState;
  /** ISO 8601, UTC. */
  readonly verifiedAt: string;
  /** In English; absent for `VALIDATED`. */
  readonly reason?: string;
}
