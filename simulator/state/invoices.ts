import type { DatabaseSync } from 'node:sqlite';
import { nfeOutcomes } from '../../contract/values.ts';
import { type Ambiente, ambientes } from '../../schemas/messages.ts';
import type { InvoiceContent } from '../issuance/schema.ts';
import type { Decision, Invoice, Issued, Settlement } from '../model.ts';
import { blobOf, nullableNumberOf, numberOf, Remembered, type Row, textOf, wordOf } from './rows.ts';

/** Where invoices and their numbering are kept. */
export const invoiceTables = `
  CREATE TABLE invoices (
    id INTEGER PRIMARY KEY,
    empresa_id TEXT NOT NULL,
    nfe_id TEXT NOT NULL,
    app_key TEXT NOT NULL,
    ambiente TEXT NOT NULL,
    content TEXT NOT NULL, -- JSON
    serie INTEGER NOT NULL,
    numero INTEGER NOT NULL,
    chave TEXT NOT NULL UNIQUE,
    issued_ms INTEGER NOT NULL,
    due_ms INTEGER NOT NULL,
    outcome TEXT, -- NULL: waits for the authority
    settled_ms INTEGER,
    motivo TEXT,
    protocolo TEXT,
    xml BLOB,
    UNIQUE (empresa_id, nfe_id)
  ) STRICT;
  CREATE INDEX waiting_invoices ON invoices (app_key, due_ms) WHERE outcome IS NULL;
  CREATE TABLE numbering (
    empresa_id TEXT NOT NULL,
    ambiente TEXT NOT NULL,
    serie INTEGER NOT NULL,
    next_numero INTEGER NOT NULL,
    PRIMARY KEY (empresa_id, ambiente, serie)
  ) STRICT;
`;

/** The invoices that this database keeps. */
export function openInvoices(database: DatabaseSync) {
  const run = statements(database);
  const found = (row: Row | undefined): Invoice | undefined => row && invoiceOf(row);
  const known = new Remembered<Invoice>(database);
  return {
    /** Keeps an invoice that waits for the authority; it replaces one of that company with the same id. */
    add(issued: Issued): Invoice {
      known.forget();
      const { lastInsertRowid } = run.add.run(columnsOf(issued));
      return { ...issued, id: Number(lastInsertRowid) };
    },
    find: (empresaId: string, nfeId: string): Invoice | undefined =>
      known.of(JSON.stringify([empresaId, nfeId]), () => found(run.byNfeId.get(empresaId, nfeId)), isSmall),
    byId: (id: number): Invoice | undefined => found(run.byId.get(id)),
    byChave: (chave: string): Invoice | undefined => found(run.byChave.get(chave)),
    /** The document of an authorised invoice: what is asked for rarely, and is longer than all else. */
    xmlOf(id: number): Buffer | undefined {
      const row = run.xml.get(id);
      return row && row['xml'] !== null ? blobOf(row, 'xml') : undefined;
    },
    settle(id: number, { outcome, settledMs, motivo, protocolo, xml }: Decision): void {
      known.forget();
      run.settle.run(outcome, settledMs, motivo, protocolo ?? null, xml ?? null, id);
    },
    /** Those of an application that wait and were due at that time or before, oldest first. Unix milliseconds. */
    due: (appKey: string, nowMs: number): Invoice[] => run.due.all(appKey, nowMs).map(invoiceOf),
    /** The earliest time after that one at which one that waits is due. */
    nextDueMs(appKey: string, afterMs: number): number | undefined {
      const row = run.nextDue.get(appKey, afterMs);
      return row && (nullableNumberOf(row, 'due_ms') ?? undefined);
    },
    /** The next number of a series, counted from `first`; it is used up. */
    nextNumero(empresaId: string, ambiente: Ambiente, serie: number, first: number): number {
      const row = run.nextNumero.get(empresaId, ambiente, serie, first + 1);
      if (!row) throw new Error('the numbering gave no number');
      return numberOf(row, 'next_numero') - 1;
    },
  };
}

/** Whether a thousand like it take no memory to speak of. */
function isSmall({ content }: Invoice): boolean {
  return content.itens.length <= 10;
}

/** All columns but the document. */
const shown = `id, empresa_id, nfe_id, app_key, ambiente, content, serie, numero, chave, issued_ms, due_ms, outcome,
  settled_ms, motivo, protocolo`;

function statements(database: DatabaseSync) {
  return {
    add: database.prepare(`INSERT OR REPLACE INTO invoices
      (empresa_id, nfe_id, app_key, ambiente, content, serie, numero, chave, issued_ms, due_ms) VALUES
      (:empresa_id, :nfe_id, :app_key, :ambiente, :content, :serie, :numero, :chave, :issued_ms, :due_ms)`),
    byNfeId: database.prepare(`SELECT ${shown} FROM invoices WHERE empresa_id = ? AND nfe_id = ?`),
    byId: database.prepare(`SELECT ${shown} FROM invoices WHERE id = ?`),
    byChave: database.prepare(`SELECT ${shown} FROM invoices WHERE chave = ?`),
    xml: database.prepare('SELECT xml FROM invoices WHERE id = ?'),
    settle: database.prepare(
      'UPDATE invoices SET outcome = ?, settled_ms = ?, motivo = ?, protocolo = ?, xml = ? WHERE id = ?',
    ),
    due: database.prepare(
      `SELECT ${shown} FROM invoices WHERE app_key = ? AND outcome IS NULL AND due_ms <= ? ORDER BY due_ms, id`,
    ),
    nextDue: database.prepare(
      'SELECT MIN(due_ms) AS due_ms FROM invoices WHERE app_key = ? AND outcome IS NULL AND due_ms > ?',
    ),
    nextNumero: database.prepare(`INSERT INTO numbering VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET next_numero = next_numero + 1 RETURNING next_numero`),
  };
}

function columnsOf(issued: Issued): Record<string, string | number> {
  return {
    empresa_id: issued.empresaId,
    nfe_id: issued.nfeId,
    app_key: issued.appKey,
    ambiente: issued.ambiente,
    content: JSON.stringify(issued.content),
    serie: issued.serie,
    numero: issued.numero,
    chave: issued.chave,
    issued_ms: issued.issuedMs,
    due_ms: issued.dueMs,
  };
}

function invoiceOf(row: Row): Invoice {
  const settlement = settlementOf(row);
  return {
    id: numberOf(row, 'id'),
    empresaId: textOf(row, 'empresa_id'),
    nfeId: textOf(row, 'nfe_id'),
    appKey: textOf(row, 'app_key'),
    ambiente: wordOf(row, 'ambiente', ambientes),
    content: parseContent(textOf(row, 'content')),
    serie: numberOf(row, 'serie'),
    numero: numberOf(row, 'numero'),
    chave: textOf(row, 'chave'),
    issuedMs: numberOf(row, 'issued_ms'),
    dueMs: numberOf(row, 'due_ms'),
    ...(settlement ? { settlement } : {}),
  };
}

function settlementOf(row: Row): Settlement | undefined {
  if (row['outcome'] === null) return undefined;
  const base = {
    outcome: wordOf(row, 'outcome', nfeOutcomes),
    settledMs: numberOf(row, 'settled_ms'),
    motivo: textOf(row, 'motivo'),
  };
  if (base.outcome === 'Negada') return base;
  return { ...base, protocolo: textOf(row, 'protocolo') };
}

// What this store wrote as JSON comes back as it was.
const parseContent: (json: string) => InvoiceContent = JSON.parse;
