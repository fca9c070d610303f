import type { Findings } from './findings.ts';
import type { Verdict } from './verdict.ts';

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
