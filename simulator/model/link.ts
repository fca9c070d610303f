/** The documents of an invoice that a link can lead to. */
export const documentKinds = ['xml', 'danfe'] as const;

export type DocumentKind = (typeof documentKinds)[number];

/** What a link leads to, and until when. */
export interface Link {
  readonly invoiceId: number;
  readonly kind: DocumentKind;
  /** Unix milliseconds. */
  readonly expiresMs: number;
}
