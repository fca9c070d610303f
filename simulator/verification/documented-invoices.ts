import { returnText } from '../authority/return-codes.ts';
import type { AuthorityEvent, AuthorityRecord } from '../model/authority-record.ts';

/** The chave with which verification fails as the service itself may: 500. */
export const failingChave = '35261099999991000125550010000020061172904577';

/**
 * Invoices that the authority has on record from the start, by their chaves: those of the default profile, and one for each
 * state. The profile's README lists them.
 */
export const documentedInvoices: ReadonlyMap<string, AuthorityRecord> = new Map([
  // verificacao.autorizada.xml
  [
    '35261099999991000125550010000010011172904576',
    authorised('135260000001729', 'PGUApdUE0XmpQqCOGrQApubpx04=', '2026-10-05T13:00:07.000Z'),
  ],
  // verificacao.rejeitada.xml
  [
    '35261099999991000125550010000010021271828182',
    authorised('135260000001730', 'DuHncZuObR6RxjVUzmNc8B9Y898=', '2026-10-05T14:30:07.000Z'),
  ],
  [
    '35261099999991000125550010000020011172904570',
    {
      ...authorised('135260000002001', 'xI0cT9Y3W1jqqvSlB2Tzv0c1n2o=', '2026-10-06T13:00:00.000Z'),
      status: 'Cancelada',
      ...returned('101'),
      eventos: [event('110111', 'Cancelamento', '2026-10-06T15:00:00.000Z')],
    },
  ],
  ['35261099999991000125550010000020021172904578', { ...unprotocolled('302'), status: 'Denegada' }],
  ['35261099999991000125550010000020031172904575', { ...unprotocolled('102'), status: 'Inutilizada' }],
  ['35261099999991000125550010000020041172904572', { ...unprotocolled('999'), status: 'Desconhecida' }],
  [
    '35261099999991000125550010000020051172904570',
    {
      ...authorised('135260000002005', 'm2bq0rDq0fJxYb1cQ0oVQx1k3gE=', '2026-10-06T13:30:00.000Z'),
      eventos: [event('110110', 'Carta de Correcao', '2026-10-07T13:00:00.000Z')],
    },
  ],
]);

function authorised(numero: string, digestValue: string, dataAutorizacao: string): AuthorityRecord {
  return { ...unprotocolled('100'), status: 'Autorizada', protocolo: { numero, digestValue }, dataAutorizacao };
}

function unprotocolled(cStat: string): Omit<AuthorityRecord, 'status'> {
  return { ...returned(cStat), protocolo: null, dataAutorizacao: null, eventos: [] };
}

function returned(cStat: string): Pick<AuthorityRecord, 'cStat' | 'xMotivo'> {
  return { cStat, xMotivo: returnText(cStat) ?? null };
}

/** An event as the authority keeps it: registered and linked. */
function event(tpEvento: string, descEvento: string, dhEvento: string): AuthorityEvent {
  return { tpEvento, descEvento, nSeqEvento: 1, dhEvento, ...returned('135') };
}
