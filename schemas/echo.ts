import type { FromSchema } from 'json-schema-to-ts';

/** Body of an echo request. Section 4.1. */
export const echoRequest = {
  $id: 'echo-request',
  type: 'object',
  required: ['message'],
  properties: { message: { type: 'string' } },
} as const;

/** `data` of an echo answer: the message, the caller's identity, the server's time. Section 2.5. */
export const echoData = {
  $id: 'echo-data',
  type: 'object',
  required: ['echo', 'appKey', 'appName', 'serverTime'],
  properties: {
    echo: { type: 'string' },
    appKey: { type: 'string' },
    appName: { type: 'string' },
    serverTime: {
      type: 'string',
      pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}(Z|\\+00:00)$',
    },
  },
} as const;

export type EchoRequest = FromSchema<typeof echoRequest>;
export type EchoData = FromSchema<typeof echoData>;
