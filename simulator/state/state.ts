import type { DatabaseSync } from 'node:sqlite';
import { type ApplicationStore, openApplications } from './applications.ts';
import { ArmedFaults } from './armed-faults.ts';
import { type EmpresaStore, openEmpresas } from './empresas.ts';
import { type InvoiceStore, openInvoices } from './invoices.ts';
import { type LinkTokens, openLinks } from './links.ts';
import { openOutbox, type Outbox } from './outbox.ts';
import { inTransaction } from './rows.ts';
import {
  type AuthorityRecords,
  openAuthorityRecords,
  openVerifications,
  type VerificationStore,
} from './verifications.ts';
import { type DeliveryRecords, openDeliveryRecords, openWebhooks, type WebhookStore } from './webhooks.ts';

/** All that a running simulator remembers. */
export interface State {
  readonly applications: ApplicationStore;
  readonly rateWindows: RateWindows;
  readonly faults: ArmedFaults;
  readonly empresas: EmpresaStore;
  readonly invoices: InvoiceStore;
  readonly links: LinkTokens;
  readonly authorityRecords: AuthorityRecords;
  readonly verifications: VerificationStore;
  readonly webhooks: WebhookStore;
  readonly outbox: Outbox;
  readonly deliveryRecords: DeliveryRecords;
  /** Runs `work` as one transaction: all of it is kept, or none. Transactions don't nest. */
  transaction<T>(work: () => T): T;
}

/** The open rate window of each application that has one, by App Key. In memory only: a restart starts afresh. */
type RateWindows = Map<string, RateWindow>;

interface RateWindow {
  /** Unix milliseconds on the application's clock. */
  readonly startMs: number;
  /** Requests counted since then. */
  readonly count: number;
}

/** The state that this database keeps, with nothing counted yet. */
export function openState(database: DatabaseSync): State {
  return {
    applications: openApplications(database),
    rateWindows: new Map(),
    faults: new ArmedFaults(),
    empresas: openEmpresas(database),
    invoices: openInvoices(database),
    links: openLinks(database),
    authorityRecords: openAuthorityRecords(database),
    verifications: openVerifications(database),
    webhooks: openWebhooks(database),
    outbox: openOutbox(database),
    deliveryRecords: openDeliveryRecords(database),
    transaction: (work) => inTransaction(database, work),
  };
}
