import type { Application } from '../model/application.ts';
import type { AuthorityRecord } from '../model/invoice.ts';
import type { Findings, Verdict } from '../model/verification.ts';
import type { ServiceParts } from '../service.ts';

/** The verdict on what was found, by what the authority says now. */
export function verdictOn(
  findings: Findings,
  application: Application,
  nowMs: number,
  { rules, state }: ServiceParts,
): Verdict {
  const { record: ask, outcome, time, verdict } = rules.verdict;
  const record = ask(findings, application, state);
  const { status, cStat, xMotivo, protocolo, dataAutorizacao, eventos } = record ?? unreached;
  const { validationStatus, reason } = outcome(findings, record);
  return verdict({
    chaveAcesso: findings.chave,
    validationStatus,
    status,
    cStat,
    xMotivo,
    protocolo,
    // The control API takes it in any zone.
    dataAutorizacao: dataAutorizacao === null ? null : new Date(dataAutorizacao).toISOString(),
    eventos,
    verifiedAt: time(nowMs),
    ...(reason === undefined ? {} : { reason }),
  });
}

const unreached: AuthorityRecord = {
  status: 'Desconhecida',
  cStat: null,
  xMotivo: null,
  protocolo: null,
  dataAutorizacao: null,
  eventos: [],
};
