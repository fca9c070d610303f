import type { NfeResultField } from '../../schemas/invoice.ts';
import type { Invoice, Settlement } from '../model.ts';

/** An invoice that the tax authority has decided on. */
export type SettledInvoice = Invoice & { readonly settlement: Settlement };

/** The NF-e result object: a text in every field, empty where there is no value. Section 2.3. */
export type NfeResult = Readonly<Record<NfeResultField, string>>;

/** What a callback says of an issuance. Sections 2.3 and 6. */
export interface IssuanceCallbackRules {
  /** The contract shows none. */
  readonly eventType: string;
  readonly isCalledBack: (invoice: SettledInvoice) => boolean;
  /** The body, of all its fields. */
  readonly body: (result: NfeResult, invoice: SettledInvoice) => unknown;
  readonly motivo: (invoice: SettledInvoice) => string;
  /** `link` makes a link that works for ten minutes. */
  readonly xmlLink: (invoice: SettledInvoice, link: () => string) => string;
  readonly danfeLink: (invoice: SettledInvoice, link: () => string) => string;
  /** Of Unix milliseconds. */
  readonly time: (ms: number) => string;
  readonly authorizedAt: (invoice: SettledInvoice) => number | undefined;
  readonly digestValue: (invoice: SettledInvoice) => string;
}

export const issuanceCallbackRules: IssuanceCallbackRules = {
  eventType: 'invoice.issue.completed',
  isCalledBack: () => true,
  body: (result) => result,
  motivo: ({ settlement }) => settlement.motivo,
  xmlLink: ({ settlement }, link) => (settlement.outcome === 'Autorizada' ? link() : ''),
  danfeLink: () => '',
  time: (ms) => new Date(ms).toISOString(),
  authorizedAt: ({ settlement }) => (settlement.outcome === 'Autorizada' ? settlement.settledMs : undefined),
  digestValue: () => '',
};
