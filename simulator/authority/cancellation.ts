import type { Invoice } from '../model/invoice.ts';
import type { Refusal } from '../rules/refusal.ts';
import type { ServiceParts } from '../service.ts';
import { returnText } from './return-codes.ts';

/** How long after its authorisation an invoice can be cancelled. */
const cancellableMs = 24 * 60 * 60 * 1000;

/** Has the authority register a cancellation; gives why it does not. */
export function cancelAtAuthority(invoice: Invoice, nowMs: number, { state }: ServiceParts): Refusal | undefined {
  if (!state.applications.findByKey(invoice.appKey)?.authority.isReachable) return refusedBy('108');
  const record = state.authorityRecords.find(invoice.chave);
  if (record?.status === 'Cancelada') return refusedBy('573');
  if (!record || record.status !== 'Autorizada') return refusedBy('580');
  if (nowMs - (invoice.settlement?.settledMs ?? 0) > cancellableMs) return refusedBy('501');
  state.authorityRecords.put(invoice.chave, {
    ...record,
    status: 'Cancelada',
    cStat: '101',
    xMotivo: returnText('101') ?? null,
    eventos: [...record.eventos, cancellationEvent(nowMs)],
  });
  return undefined;
}

function refusedBy(cStat: string): Refusal {
  return { code: `SIM-SEFAZ-${cStat}`, message: returnText(cStat) ?? '' };
}

/** The event as the authority keeps it: type 110111, registered and linked. */
function cancellationEvent(nowMs: number): Record<string, unknown> {
  return {
    tpEvento: '110111',
    descEvento: 'Cancelamento',
    nSeqEvento: 1,
    dhEvento: new Date(nowMs).toISOString(),
    cStat: '135',
    xMotivo: returnText('135'),
  };
}
