import { isChave } from '../documents/tax-numbers.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Verdict } from '../model.ts';
import { failingChave } from '../verification/authority-answer.ts';
import { nfeVerificationRules } from './nfe-verification.ts';
import { verificationRefusals, type VerificationRefusals } from './refusal.ts';

/** What is told of a chave. Sections 4.1 and 7.3. */
export interface ChaveLookupRules {
  readonly status: number;
  readonly body: (verdict: Verdict) => unknown;
  readonly refusals: VerificationRefusals;
  readonly isChave: (text: string) => boolean;
  /** Whether the service itself fails with that chave. */
  readonly fails: (chave: string) => boolean;
  /** Whether the latest verdict answers, as long as it is final; else the authority is asked each time. */
  readonly readsLatest: (request: RequestFacts) => boolean;
  /** Whether there is an invoice that the verdict is about. */
  readonly isFound: (verdict: Verdict) => boolean;
}

export const chaveLookupRules: ChaveLookupRules = {
  status: 200,
  body: nfeVerificationRules.body,
  refusals: verificationRefusals,
  isChave,
  fails: (chave) => chave === failingChave,
  readsLatest: () => true,
  isFound: ({ status }) => status !== 'NaoEncontrada',
};
