import type { FromSchema } from 'json-schema-to-ts';

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** Of a request with several faults: the one that was answered, and one that was not. */
export const observedOrder = {
  type: 'object',
  required: ['first', 'second'],
  additionalProperties: false,
  properties: {
    first: text,
    second: text,
    /** Platform code that each of them is answered with when it is alone. */
    firstCode: { type: 'integer' },
    secondCode: { type: 'integer' },
  },
} as const;

/** When a delivery that was not acknowledged was tried again. */
export const observedLadder = {
  type: 'object',
  required: ['channel', 'source', 'retriesSeconds', 'watchedSeconds'],
  additionalProperties: false,
  properties: {
    channel: { enum: ['issuance', 'verification'] },
    /** By a clock that the suite moved in steps, by waiting, or in what a receiver had stored before. */
    source: { enum: ['moved-clock', 'real-time', 'stored'] },
    /** Seconds after the first attempt. */
    retriesSeconds: { type: 'array', items: { type: 'number', minimum: 0 } },
    /** Seconds after the first attempt until which retries were refused and looked for. */
    watchedSeconds: { type: 'number', minimum: 0 },
  },
} as const;

/** What a JSON body or a part of it can be, and what a body can be that is no JSON. */
const observedTypes = ['string', 'integer', 'number', 'boolean', 'null', 'object', 'array', 'empty', 'text'] as const;

/** What the answers of an endpoint with one status looked like: recorded for comparison, never judged, without values. */
export const observedShape = {
  type: 'object',
  required: ['endpoint', 'status', 'responses', 'contentTypes', 'fields'],
  additionalProperties: false,
  properties: {
    /** Name of the endpoint, of a retired one its method and path, or `other`. */
    endpoint: text,
    status: { type: 'integer' },
    /** How many answers came; each check looks at its first few. */
    responses: count,
    contentTypes: { type: 'array', items: text },
    fields: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'types', 'always'],
        additionalProperties: false,
        properties: {
          pointer: text,
          types: { type: 'array', items: { enum: observedTypes } },
          /** Seen wherever what holds it was an object (for items: an array). */
          always: { type: 'boolean' },
        },
      },
    },
  },
} as const;

export type ObservedOrder = FromSchema<typeof observedOrder>;
export type ObservedLadder = FromSchema<typeof observedLadder>;
export type ObservedShape = FromSchema<typeof observedShape>;
export type ObservedField = ObservedShape['fields'][number];
export type ObservedType = ObservedField['types'][number];
