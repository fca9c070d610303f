import { isCnpj } from '../documents/tax-numbers.ts';
import { companyOf } from '../registry/company.ts';
import { isCompanyKnown } from '../registry/made-up.ts';
import { lookupRefusals, type LookupRefusals } from './refusal.ts';

/** What is told of a CNPJ. Sections 4.1 and 7.3. */
export interface CnpjLookupRules {
  readonly status: number;
  readonly refusals: LookupRefusals;
  readonly isCnpj: (text: string) => boolean;
  /** Whether the service itself fails with that number. */
  readonly fails: (cnpj: string) => boolean;
  readonly isKnown: (cnpj: string) => boolean;
  readonly company: (cnpj: string) => Promise<object>;
}

export const cnpjLookupRules: CnpjLookupRules = {
  status: 200,
  refusals: lookupRefusals,
  isCnpj,
  fails: (cnpj) => cnpj === '99999995050046',
  isKnown: isCompanyKnown,
  company: companyOf,
};
