/** The stages of the gateway by their names, in the order of precedence. Sections 4.3, 7.1 and 7.2. */
export const stageNames = [
  'required-headers',
  'timestamp',
  'token',
  'signature',
  'retirement',
  'application',
  'subscription',
  'rate-limit',
  'endpoint',
] as const;

export type StageName = (typeof stageNames)[number];
