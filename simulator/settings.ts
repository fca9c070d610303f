import { certificateFault } from './certificates/certificate-fault.ts';
import type { StagedRules } from './gateway/stages.ts';
import { unknownFieldFaults } from './issuance/unknown-fields.ts';

/** When a certificate that has expired, or is another company's, is refused. */
export const certificateChecks = ['settlement', 'upload', 'issuance'] as const;

/** What a simulator may be told to have otherwise; the contract is silent on all of it, and each is off unless it is wished. */
export interface Settings {
  /** The id of a denied invoice may be issued again. */
  readonly reissueAfterDenial?: boolean;
  /** Fields of an issuance that the simulator does not use are refused. */
  readonly strictContent?: boolean;
  /** At the settlement, by the tax authority, when absent. */
  readonly certificateCheck?: (typeof certificateChecks)[number];
}

/** The rules with what is wished otherwise. */
export function withSettings(
  rules: StagedRules,
  { reissueAfterDenial = false, strictContent = false, certificateCheck = 'settlement' }: Settings,
): StagedRules {
  const { nfeIssuance, certificadoAssociation } = rules;
  const { holderOf } = nfeIssuance;
  return {
    ...rules,
    nfeIssuance: {
      ...nfeIssuance,
      ...(strictContent ? { contentFaults: unknownFieldFaults } : {}),
      ...(certificateCheck === 'issuance' ? { certificateFault } : {}),
      ...(reissueAfterDenial
        ? {
            holderOf(nfeId, empresa, invoices) {
              const holder = holderOf(nfeId, empresa, invoices);
              return holder?.settlement?.outcome === 'Negada' ? undefined : holder;
            },
          }
        : {}),
    },
    certificadoAssociation: {
      ...certificadoAssociation,
      ...(certificateCheck === 'upload' ? { certificateFault } : {}),
    },
  };
}
