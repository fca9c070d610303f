import type { FiscalState } from '../../contract/values.ts';
import { returnText } from '../authority/return-codes.ts';
import type { AuthorityEvent, AuthorityRecord, Invoice, Findings } from '../model.ts';

/** Where the authority looks a chave up, and writes down what it learns: its records, and the invoices that were issued here. */
export interface AuthorityBooks {
  readonly authorityRecords: {
    find(chave: string): AuthorityRecord | undefined;
    put(chave: string, record: AuthorityRecord): void;
  };
  readonly invoices: { byChave(chave: string): Invoice | undefined };
}

/**
 * What the authority answers when it is asked for a chave: what it has on record. Of an invoice that was issued elsewhere it
 * knows what the control API told it, else what the protocol of the first sound document said: that it keeps, so that whatever
 * comes later under the same chave is held against it.
 */
export function authorityAnswer(findings: Findings, books: AuthorityBooks): AuthorityRecord {
  const { chave } = findings;
  const known = books.authorityRecords.find(chave) ?? recordOfIssued(chave, books) ?? documentedInvoices.get(chave);
  if (known) return known;
  const learnt = recordOfProtocol(findings);
  if (learnt) books.authorityRecords.put(chave, learnt);
  return learnt ?? nothingOnRecord;
}

/** Whether a code says that the invoice may be used. */
function isAuthorisation(cStat: string): boolean {
  return cStat === '100' || cStat === '150';
}

/** The codes with which the authority denies the use of an invoice and keeps it; others it only sends back. */
const denialsOfUse: ReadonlySet<string> = new Set(['110', '301', '302', '303']);

const bare = { protocolo: null, dataAutorizacao: null, eventos: [] } as const;

const nothingOnRecord: AuthorityRecord = {
  ...bare,
  status: 'NaoEncontrada',
  cStat: '217',
  xMotivo: returnText('217') ?? null,
};

/** An invoice that was issued here and is not on record: it waits, or was denied. */
function recordOfIssued(chave: string, { invoices }: AuthorityBooks): AuthorityRecord | undefined {
  const invoice = invoices.byChave(chave);
  if (!invoice) return undefined;
  const [, cStat = '', xMotivo = null] = /^(\d+) - (.*)$/s.exec(invoice.settlement?.motivo ?? '') ?? [];
  return denialsOfUse.has(cStat) ? { ...bare, status: 'Denegada', cStat, xMotivo } : nothingOnRecord;
}

function recordOfProtocol({ fault, protocol }: Findings): AuthorityRecord | undefined {
  if (!protocol || fault !== undefined) return undefined;
  const { numero, digestValue, cStat, xMotivo, receivedAt } = protocol;
  const returned = { cStat, xMotivo, eventos: [], dataAutorizacao: receivedAt };
  if (denialsOfUse.has(cStat)) return { ...returned, status: 'Denegada', dataAutorizacao: null, protocolo: null };
  return isAuthorisation(cStat) ? { ...returned, status: 'Autorizada', protocolo: { numero, digestValue } } : undefined;
}

/** Why an invoice is rejected, as stable English text: by itself, by its state, or by what was authorised. Section 2.4. */
export function rejection(findings: Findings, record: AuthorityRecord): string | undefined {
  return findings.fault ?? reasonOfState[record.status] ?? contradiction(findings, record);
}

const reasonOfState: Partial<Readonly<Record<FiscalState, string>>> = {
  Cancelada: 'The invoice was cancelled.',
  Denegada: 'The use of the invoice was denied.',
  Inutilizada: 'The number of the invoice was voided.',
  NaoEncontrada: 'The tax authority has no record of the invoice.',
};

/** What the document says of its authorisation and the authority does not. */
function contradiction({ digestValue, protocol }: Findings, record: AuthorityRecord): string | undefined {
  const { protocolo, dataAutorizacao, status } = record;
  if (differ(digestValue, protocolo?.digestValue)) return 'The tax authority authorised another content.';
  if (!protocol || status !== 'Autorizada') return undefined;
  if (!isAuthorisation(protocol.cStat)) return 'The protocol in the document is no authorisation.';
  if (differ(protocol.numero, protocolo?.numero)) return 'The protocol number is not the one on record.';
  if (differ(secondOf(protocol.receivedAt), secondOf(dataAutorizacao)))
    return 'The authorisation time is not the one on record.';
  return undefined;
}

/** Whether two texts are both known and not the same. */
function differ(one: string | null | undefined, other: string | null | undefined): boolean {
  return Boolean(one) && Boolean(other) && one !== other;
}

/** Protocols go by whole seconds. */
function secondOf(time: string | null): string | null {
  return time === null ? null : new Date(time).toISOString().slice(0, 19);
}

/** The chave with which verification fails as the service itself may: 500. */
export const failingChave = '35261099999991000125550010000020061172904577';

/**
 * Invoices that the authority has on record from the start, by their chaves: those of the default profile, and one for each
 * state. The profile's README lists them.
 */
const documentedInvoices: ReadonlyMap<string, AuthorityRecord> = new Map([
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
