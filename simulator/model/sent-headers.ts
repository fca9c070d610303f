/** The headers that a request is authenticated by, as they were sent; empty where one is missing. Section 5.1. */
export interface SentHeaders {
  readonly token: string;
  readonly timestamp: string;
  readonly sign: string;
}
