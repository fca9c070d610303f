import {
  authoritySteering,
  type AuthoritySteeringBody,
  invoiceRecord,
  type InvoiceRecordBody,
} from '../../schemas/control.ts';
import { isAnyChave } from '../documents/tax-numbers.ts';
import type { AuthorityRecord } from '../model/invoice.ts';
import { changing, controlError, type ControlHandler, withBody, bodyReader } from './handler.ts';

/** `PUT /applications/{appKey}/authority`: steers how the authority answers; what waited for it settles at once. */
export const steerAuthority = changing(
  bodyReader<AuthoritySteeringBody>(authoritySteering),
  ({ appKey, authority }, body, { state: { applications }, timeline }) => {
    const { issuance = authority.issuance, reachable: isReachable = authority.isReachable } = body;
    applications.update(appKey, { authority: { issuance, isReachable } });
    return { status: 200, body: { issuance, reachable: isReachable }, after: () => timeline.touch(appKey) };
  },
);

/** `PUT /authority/invoices/{chave}`: the authority's record of an invoice, in place of what it had. */
export const putInvoiceRecord: ControlHandler = (call, service) =>
  isAnyChave(call.variables['chave'] ?? '')
    ? putRecord(call, service)
    : controlError(400, 'A chave is 44 digits, the last of them the check digit of the others.');

const putRecord = withBody(
  bodyReader<InvoiceRecordBody>(invoiceRecord),
  (body, { state }, { variables: { chave = '' } }) => {
    const { protocolo = null, dataAutorizacao = null, eventos = [] } = body;
    const record: AuthorityRecord = { ...usualReturn[body.status], ...body, protocolo, dataAutorizacao, eventos };
    state.authorityRecords.put(chave, record);
    return { status: 200, body: { chave, ...record } };
  },
);

/** What the authority returns for an invoice in each state, unless told otherwise. */
const usualReturn = {
  Autorizada: { cStat: '100', xMotivo: 'Autorizado o uso da NF-e' },
  Cancelada: { cStat: '101', xMotivo: 'Cancelamento de NF-e homologado' },
  Denegada: { cStat: '110', xMotivo: 'Uso Denegado' },
  Inutilizada: { cStat: '102', xMotivo: 'Inutilização de número homologado' },
  NaoEncontrada: { cStat: '217', xMotivo: 'Rejeição: NF-e não consta na base de dados da SEFAZ' },
  Desconhecida: { cStat: '999', xMotivo: 'Rejeição: Erro não catalogado' },
} as const satisfies Readonly<Record<AuthorityRecord['status'], { cStat: string; xMotivo: string }>>;
