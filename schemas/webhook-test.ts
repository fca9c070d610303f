/** The test of an address for verification events: an event as those are, whose type says that it is one. Section 6.5. */
export const webhookTest = {
  $id: 'webhook-test',
  type: 'object',
  required: ['event_type'],
  properties: { event_type: { const: 'webhook.verify' } },
} as const;
