import { returnText } from '../authority/return-codes.ts';
import type { AuthorityRecord } from '../model/authority-record.ts';
import type { Findings } from '../model/findings.ts';
import type { Invoice } from '../model/invoice.ts';
import { documentedInvoices } from './documented-invoices.ts';

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
export function isAuthorisation(cStat: string): boolean {
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
