import type { Application, AuthorityRecord, Findings, Verdict } from '../model.ts';
import { authorityAnswer, type AuthorityBooks, rejection } from '../verification/authority-answer.ts';

/** How a verdict is reached, and what becomes of it. Sections 2.4, 3.2 and 6.6. */
export interface VerdictRules {
  /** What the authority has on record; `undefined` while it is out of reach. */
  readonly record: (findings: Findings, application: Application, books: AuthorityBooks) => AuthorityRecord | undefined;
  readonly outcome: (
    findings: Findings,
    record: AuthorityRecord | undefined,
  ) => Pick<Verdict, 'validationStatus' | 'reason'>;
  /** Of Unix milliseconds. */
  readonly time: (ms: number) => string;
  /** The verdict, of all its fields. */
  readonly verdict: (verdict: Verdict) => Verdict;
  /** Whether it answers for the same question again, or the authority is asked anew. */
  readonly isFinal: (verdict: Verdict) => boolean;
  /** Whether an event tells that it settled. */
  readonly isSent: (verdict: Verdict) => boolean;
}

export const verdictRules: VerdictRules = {
  record: (findings, { authority }, books) => (authority.isReachable ? authorityAnswer(findings, books) : undefined),
  outcome(findings, record) {
    if (!record) return { validationStatus: 'VALIDATION_ERROR', reason: 'The tax authority was not reached.' };
    const reason = rejection(findings, record);
    if (reason !== undefined) return { validationStatus: 'REJECTED', reason };
    if (record.status !== 'Desconhecida') return { validationStatus: 'VALIDATED' };
    return { validationStatus: 'VALIDATION_ERROR', reason: 'The tax authority gave no conclusive answer.' };
  },
  time: (ms) => new Date(ms).toISOString(),
  verdict: (verdict) => verdict,
  isFinal: ({ validationStatus }) => validationStatus !== 'VALIDATION_ERROR',
  isSent: () => true,
};
