import { readContent } from '../issuance/content.ts';
import type { InvoiceContent } from '../issuance/schema/invoice.ts';

/** The content in an issuance body; an Error for a body that has none. */
export function contentOf(body: Readonly<Record<string, unknown>>): InvoiceContent {
  const read = readContent(body);
  if ('faults' in read) throw new Error(`the content of the invoice is faulty: ${JSON.stringify(read.faults)}`);
  return read.content;
}
