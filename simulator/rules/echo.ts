import type { EchoData } from '../../schemas/messages.ts';

/** What the echo endpoint answers. Section 2.5. */
export interface EchoRules {
  readonly status: number;
  /** `echo`, of the message that was sent. */
  readonly message: (sent: string) => string;
  readonly serverTime: (now: Date) => string;
  readonly data: (data: EchoData) => unknown;
}

export const echoRules: EchoRules = {
  status: 200,
  message: (sent) => sent,
  serverTime: (now) => now.toISOString(),
  data: (data) => data,
};
