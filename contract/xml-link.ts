/** The link to the XML in an invoice object: a field other than `linkDanfe` whose name contains `xml` and that holds an address. Section 4.1. */
export function xmlLinkIn(invoice: unknown): string | undefined {
  const fields = typeof invoice === 'object' && invoice !== null ? Object.entries(invoice) : [];
  const values = fields
    .filter(([name]) => /xml/i.test(name) && name !== 'linkDanfe')
    .map(([, value]: [string, unknown]) => value);
  return values.find(isHttpUrl);
}

/** Whether a value is an absolute http or https URL. */
export function isHttpUrl(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value);
}
