import {
  authoritySteering,
  type AuthoritySteeringBody,
  invoiceRecord,
  type InvoiceRecordBody,
} from '../../schemas/control.ts';
import { answerFaults, faultsWish, type FaultsWish } from '../../schemas/faults-on-demand.ts';
import { isAnyChave } from '../documents/tax-numbers.ts';
import type { Reply } from '../http/reply.ts';
import { type Application, nowMs } from '../model/application.ts';
import type { AuthorityRecord } from '../model/invoice.ts';
import type { Service } from '../service.ts';
import { aboutApplication, bodyReader, changing, controlError, type ControlHandler, withBody } from './handler.ts';

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

/** `PUT /applications/{appKey}/faults`: what is to befall the application from now on, in place of what was armed. */
export const armFaults = changing(
  bodyReader<FaultsWish>(faultsWish),
  (application, { answers = [], deliveries = [] }, { state }) => {
    state.faults.arm(application.appKey, [...answers, ...deliveries], nowMs(application.clock));
    return shown(application, state);
  },
);

/** `GET /applications/{appKey}/faults`: what is armed, and how much of it is left. */
export const listFaults = aboutApplication((application, { state }) => shown(application, state));

/** The App Keys of the applications at which something is armed. */
export function applicationsWithFaults({ state: { applications, faults } }: Pick<Service, 'state'>): string[] {
  return faults.appKeys().filter((appKey) => {
    const clock = applications.findByKey(appKey)?.clock ?? 'system';
    return faults.armedAt(appKey, nowMs(clock)).length > 0;
  });
}

function shown({ appKey, clock }: Application, { faults }: Service['state']): Reply {
  const armed = faults.armedAt(appKey, nowMs(clock)).map(({ wish, times, untilMs }) => {
    const { seconds: _, ...rest } = wish;
    return { ...rest, times, until: untilMs === null ? null : new Date(untilMs).toISOString() };
  });
  const isOfAnswer = ({ kind }: { kind: string }): boolean => kind in answerFaults;
  return {
    status: 200,
    body: { answers: armed.filter(isOfAnswer), deliveries: armed.filter((one) => !isOfAnswer(one)) },
  };
}
