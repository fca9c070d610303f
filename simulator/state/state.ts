import type { DatabaseSync } from 'node:sqlite';
import { openApplications } from './applications.ts';
import { ArmedFaults } from './armed-faults.ts';
import { openInvoices } from './invoices.ts';
import { Outbox } from './outbox.ts';
import { inTransaction } from './rows.ts';
import { openAuthorityRecords, openVerifications } from './verifications.ts';
import { openDeliveryRecords, openWebhooks } from './webhooks.ts';
import { openEmpresas } from './empresas.ts';
import { openLinks } from './links.ts';

/** All that a running simulator remembers. */
export type State = ReturnType<typeof openState>;

/** An open rate window. */
interface RateWindow {
  /** Unix milliseconds on the application's clock. */
  readonly startMs: number;
  /** Requests counted since then. */
  readonly count: number;
}

/** The state that this database keeps, with nothing counted yet. */
export function openState(database: DatabaseSync) {
  return {
    applications: openApplications(database),
    /** By App Key, in memory only: a restart starts afresh. */
    rateWindows: new Map<string, RateWindow>(),
    faults: new ArmedFaults(),
    empresas: openEmpresas(database),
    invoices: openInvoices(database),
    links: openLinks(database),
    authorityRecords: openAuthorityRecords(database),
    verifications: openVerifications(database),
    webhooks: openWebhooks(database),
    outbox: new Outbox(database),
    deliveryRecords: openDeliveryRecords(database),
    /** Runs `work` as one transaction: all of it is kept, or none. Transactions don't nest. */
    transaction: <T>(work: () => T): T => inTransaction(database, work),
  };
}
