import {
  authoritySteering,
  type AuthoritySteeringBody,
  invoiceRecord,
  type InvoiceRecordBody,
} from '../../schemas/control.ts';
import { isAnyChave } from '../documents/tax-numbers.ts';
import type { AuthorityRecord } from '../model/invoice.ts';
import { bodyReader, controlError, type ControlHandler, unknownApplication } from './handler.ts';

const readSteering = bodyReader<AuthoritySteeringBody>(authoritySteering);
const readRecord = bodyReader<InvoiceRecordBody>(invoiceRecord);

/** `PUT /applications/{appKey}/authority`: steers how the authority answers; what waited for it settles at once. */
export const steerAuthority: ControlHandler = ({ variables, rawBody }, { state: { applications }, timeline }) => {
  const read = readSteering(rawBody);
  if ('error' in read) return controlError(400, read.error);
  const { appKey = '' } = variables;
  const before = applications.findByKey(appKey);
  if (!before) return unknownApplication;
  const { issuance = before.authority.issuance, reachable: isReachable = before.authority.isReachable } = read.value;
  applications.update(appKey, { authority: { issuance, isReachable } });
  return { status: 200, body: { issuance, reachable: isReachable }, after: () => timeline.touch(appKey) };
};

/** `PUT /authority/invoices/{chave}`: the authority's record of an invoice, in place of what it had. */
export const putInvoiceRecord: ControlHandler = ({ variables, rawBody }, { state: { authorityRecords } }) => {
  const { chave = '' } = variables;
  if (!isAnyChave(chave))
    return controlError(400, 'A chave is 44 digits, the last of them the check digit of the others.');
  const read = readRecord(rawBody);
  if ('error' in read) return controlError(400, read.error);
  const { status, cStat, xMotivo, protocolo = null, dataAutorizacao = null, eventos = [] } = read.value;
  const usual = usualReturn[status];
  const record: AuthorityRecord = {
    status,
    cStat: cStat === undefined ? usual.cStat : cStat,
    xMotivo: xMotivo === undefined ? usual.xMotivo : xMotivo,
    protocolo,
    dataAutorizacao,
    eventos,
  };
  authorityRecords.put(chave, record);
  return { status: 200, body: { chave, ...record } };
};

/** What the authority returns for an invoice in each state, unless told otherwise. */
const usualReturn = {
  Autorizada: { cStat: '100', xMotivo: 'Autorizado o uso da NF-e' },
  Cancelada: { cStat: '101', xMotivo: 'Cancelamento de NF-e homologado' },
  Denegada: { cStat: '110', xMotivo: 'Uso Denegado' },
  Inutilizada: { cStat: '102', xMotivo: 'Inutilização de número homologado' },
  NaoEncontrada: { cStat: '217', xMotivo: 'Rejeição: NF-e não consta na base de dados da SEFAZ' },
  Desconhecida: { cStat: '999', xMotivo: 'Rejeição: Erro não catalogado' },
} as const satisfies Readonly<Record<AuthorityRecord['status'], { cStat: string; xMotivo: string }>>;
