import { certificateFault } from './certificates/certificate-fault.ts';
import { isAnyChave } from './documents/chave.ts';
import type { StagedRules } from './gateway/stages.ts';
import { unknownFieldFaults } from './issuance/unknown-fields.ts';
import { isAnyCnpj } from './tax-numbers.ts';

/** When a certificate that has expired, or is another company's, is refused. */
export const certificateChecks = ['settlement', 'upload', 'issuance'] as const;

/** What a simulator may be told to have otherwise; the contract is silent on all of it, and each is off unless it is wished. */
export interface Settings {
  /** The id of a denied invoice may be issued again. */
  readonly reissueAfterDenial?: boolean;
  /** Fields of an issuance that the simulator does not use are refused. */
  readonly strictContent?: boolean;
  /** CNPJs and access keys may have letters, as given out since July 2026. */
  readonly alphanumericCnpj?: boolean;
  /** At the settlement, by the tax authority, when absent. */
  readonly certificateCheck?: (typeof certificateChecks)[number];
}

/** The rules with what is wished otherwise. */
export function withSettings(rules: StagedRules, settings: Settings): StagedRules {
  const { reissueAfterDenial, strictContent, alphanumericCnpj, certificateCheck } = settings;
  const changes = [
    ...(reissueAfterDenial ? [withReissue] : []),
    ...(strictContent ? [withStrictContent] : []),
    ...(alphanumericCnpj ? [withLetters] : []),
    ...(certificateCheck === 'upload' || certificateCheck === 'issuance' ? [withCheckAt[certificateCheck]] : []),
  ];
  return changes.reduce((changed, change) => change(changed), rules);
}

type Change = (rules: StagedRules) => StagedRules;

const withReissue: Change = (rules) => {
  const { holderOf } = rules.nfeIssuance;
  return {
    ...rules,
    nfeIssuance: {
      ...rules.nfeIssuance,
      holderOf(nfeId, empresa, invoices) {
        const holder = holderOf(nfeId, empresa, invoices);
        return holder?.settlement?.outcome === 'Negada' ? undefined : holder;
      },
    },
  };
};

const withStrictContent: Change = (rules) => ({
  ...rules,
  nfeIssuance: { ...rules.nfeIssuance, contentFaults: unknownFieldFaults },
});

const withLetters: Change = (rules) => ({
  ...rules,
  empresaRegistration: { ...rules.empresaRegistration, isCnpj: isAnyCnpj },
  nfeIssuance: { ...rules.nfeIssuance, isCnpj: () => true },
  nfeVerification: { ...rules.nfeVerification, isChave: () => true },
  chaveLookup: { ...rules.chaveLookup, isChave: isAnyChave },
  cnpjLookup: { ...rules.cnpjLookup, isCnpj: isAnyCnpj },
});

const withCheckAt = {
  upload: (rules) => ({
    ...rules,
    certificadoAssociation: { ...rules.certificadoAssociation, certificateFault },
  }),
  issuance: (rules) => ({ ...rules, nfeIssuance: { ...rules.nfeIssuance, certificateFault } }),
} as const satisfies Record<string, Change>;
