/** Platform codes with the HTTP status that carries each. Section 7.2. */
export const codes = {
  headersMissing: { code: 10009000, status: 401, meaning: 'token, sign or timestamp missing' },
  timestampInvalid: { code: 10009001, status: 401, meaning: 'timestamp invalid or too far from server time' },
  tokenInvalid: { code: 10009002, status: 401, meaning: 'invalid token' },
  signMismatch: { code: 10009003, status: 401, meaning: 'signature mismatch' },
  applicationDisabled: { code: 10009004, status: 403, meaning: 'application disabled' },
  applicationNotEffective: { code: 10009015, status: 403, meaning: 'application pending approval or rejected' },
  integratorDisabled: { code: 10009014, status: 403, meaning: 'integrator account disabled' },
  notSubscribed: { code: 10009005, status: 403, meaning: 'endpoint not subscribed' },
  retired: { code: 10009034, status: 410, meaning: 'endpoint retired' },
  rateLimited: { code: 10009006, status: 429, meaning: 'rate limit exceeded' },
} as const;

export type CodeName = keyof typeof codes;

/** A refusal by the gateway: its HTTP status and its platform code. */
export interface PlatformCode {
  readonly code: number;
  readonly status: number;
  readonly meaning: string;
}
