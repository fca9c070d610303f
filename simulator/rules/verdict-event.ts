/** What an event of the verification channel wraps its data in. Section 6.6. */
export interface VerdictEnvelope {
  readonly version: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly occurred_at: string;
  readonly data: object;
}

/** What an event of the verification channel says. Sections 2.4, 6.5 and 6.6. */
export interface VerdictEventRules {
  readonly eventType: string;
  /** Of the delivery that tests an address before it is saved. */
  readonly testEventType: string;
  readonly version: string;
  /** Of Unix milliseconds. */
  readonly time: (ms: number) => string;
  readonly data: (verdict: object) => object;
  readonly testData: object;
  /** The body, of all its fields. */
  readonly body: (envelope: VerdictEnvelope) => unknown;
}

export const verdictEventRules: VerdictEventRules = {
  eventType: 'invoice.verify.completed',
  testEventType: 'webhook.verify',
  version: '1.0',
  time: (ms) => new Date(ms).toISOString(),
  data: (verdict) => verdict,
  testData: {},
  body: (envelope) => envelope,
};
