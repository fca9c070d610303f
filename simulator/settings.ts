import { isAnyChave, isAnyCnpj } from './documents/tax-numbers.ts';
import type { StagedRules } from './gateway/gateway.ts';
import { unknownFieldFaults } from './issuance/content.ts';
import type { Certificate, Empresa } from './model.ts';
import type { Refusal } from './rules/refusal.ts';

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

/** Why a company can't sign with a certificate at that time, Unix milliseconds; `undefined` where it can. */
export function certificateFault(
  { cnpj, notBeforeMs, notAfterMs }: Certificate,
  { data }: Empresa,
  nowMs: number,
): Refusal | undefined {
  if (nowMs > notAfterMs) return expired;
  if (nowMs < notBeforeMs) return notYetValid;
  if (cnpj === undefined) return withoutCnpj;
  // Of a company, any branch may sign.
  return cnpj.slice(0, 8) === data.cnpj.slice(0, 8) ? undefined : ofAnother;
}

const expired: Refusal = { code: 'SIM-CERTIFICADO-VENCIDO', message: 'O certificado está vencido.' };
const notYetValid: Refusal = { code: 'SIM-CERTIFICADO-VALIDADE', message: 'O certificado ainda não é válido.' };
const withoutCnpj: Refusal = { code: 'SIM-CERTIFICADO-SEM-CNPJ', message: 'O certificado não traz um CNPJ.' };
const ofAnother: Refusal = {
  code: 'SIM-CERTIFICADO-OUTRA-EMPRESA',
  message: 'O CNPJ do certificado não é o da empresa, nem de uma filial ou matriz dela.',
};

/** A setting with which the simulator can't start: which one, and what to do about it. */
export class SettingError extends Error {
  readonly setting:
    | 'host'
    | 'port'
    | 'dataFile'
    | 'controlToken'
    | 'publicUrl'
    | 'headerPrefix'
    | 'certificateCheck'
    | 'log';

  constructor(setting: SettingError['setting'], message: string) {
    super(message);
    this.setting = setting;
  }
}
