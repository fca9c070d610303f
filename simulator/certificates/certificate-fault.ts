import type { Certificate, Empresa } from '../model/empresa.ts';
import type { Refusal } from '../rules/refusal.ts';

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
