import { isCpf } from '../documents/tax-numbers.ts';
import { isPersonKnown, isBirthDate, isBornOn, personOf } from '../registry/made-up.ts';
import { lookupRefusals, type LookupRefusals } from './refusal.ts';

/** What is told of a CPF. Sections 2.2, 4.1 and 7.3. */
export interface CpfLookupRules {
  readonly status: number;
  readonly refusals: LookupRefusals;
  readonly isCpf: (text: string) => boolean;
  /** Whether somebody can have been born on that day; Unix milliseconds. */
  readonly isBirthDate: (text: string, nowMs: number) => boolean;
  /** Whether the service itself fails with that number. */
  readonly fails: (cpf: string) => boolean;
  readonly isKnown: (cpf: string) => boolean;
  readonly isBornOn: (cpf: string, nascimento: string) => boolean;
  readonly person: (cpf: string, nascimento: string) => Promise<object>;
}

export const cpfLookupRules: CpfLookupRules = {
  status: 200,
  refusals: lookupRefusals,
  isCpf,
  isBirthDate,
  fails: (cpf) => cpf === '99999950043',
  isKnown: isPersonKnown,
  isBornOn,
  person: personOf,
};
