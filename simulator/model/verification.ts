import type { VerdictState } from '../../contract/values.ts';
import type { AuthorityRecord } from './invoice.ts';

/** What a document says that the authority said of it. Nothing guards it: it is not signed. */
export interface ProtocolClaim {
  readonly chave: string;
  /** `nProt`. */
  readonly numero: string;
  readonly digestValue: string;
  readonly cStat: string;
  readonly xMotivo: string;
  /** ISO 8601, UTC; null where it is not to be read. */
  readonly receivedAt: string | null;
}

/** All that the verdict on a document needs to know of it; for a chave alone there is no more than that. */
export interface Findings {
  readonly chave: string;
  /** What is wrong with the document by itself, in English; absent where nothing is. */
  readonly fault?: string;
  /** The digest that was signed. */
  readonly digestValue?: string;
  readonly protocol?: ProtocolClaim;
}

/** What a verification came to, with what the authority has on record. Section 2.4. */
export interface Verdict extends AuthorityRecord {
  readonly chaveAcesso: string;
  readonly validationStatus: VerdictState;
  /** ISO 8601, UTC. */
  readonly verifiedAt: string;
  /** In English; absent for `VALIDATED`. */
  readonly reason?: string;
}

/** A document that an integrator had verified. */
export interface Asked {
  /** The application that asked, by whose clock it settles. */
  readonly appKey: string;
  readonly integratorId: string;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly documentHash: string;
  readonly findings: Findings;
  /** As it is known so far; `undefined` where the authority is to be asked anew. */
  readonly verdict?: Verdict | undefined;
}

export interface Verification extends Asked {
  readonly id: number;
}
