/** What a document says that the authority said of it. Nothing guards it: it is not signed. */
export interface ProtocolClaim {
  readonly chave: string;
  /** `nProt`. */
  readonly numero: string;
  readonly digestValue: string;
  readonly cStat: string;
  readonly xMotivo: string;
  /** ISO 8601, UTC; null where it is not to be read. */
  readonly receivedAt: string | null;
}

/** All that the verdict on a document needs to know of it; for a chave alone there is no more than that. */
export interface Findings {
  readonly chave: string;
  /** What is wrong with the document by itself, in English; absent where nothing is. */
  readonly fault?: string;
  /** The digest that was signed. */
  readonly digestValue?: string;
  readonly protocol?: ProtocolClaim;
}
