/** The numbers of section 8; units are in the names. */
export const limits = {
  timestampToleranceSeconds: 300,
  xmlVerificationBytes: 1_000_000,
  webhookResponseSeconds: 10,
  webhookRetryDelaysSeconds: [60, 300, 1800, 7200, 21600],
  linkTokenSeconds: 600,
  /** Advised waiting after a 429: doubling from the first to the last, with jitter. Section 7.2. */
  backoffFirstSeconds: 1,
  backoffLastSeconds: 30,
} as const;
