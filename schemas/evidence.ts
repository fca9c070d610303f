import type { FromSchema } from 'json-schema-to-ts';
import { applicationStates, integratorStates } from '../contract/standing.ts';
import { signing } from './signing.ts';

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** Bytes of a body: as text where they are UTF-8, else in base64. */
const bodyEvidence = {
  type: 'object',
  required: ['text', 'encoding', 'bytes'],
  additionalProperties: false,
  properties: {
    text,
    encoding: { enum: ['utf-8', 'base64'] },
    bytes: count,
    /** The end of the text was left out. */
    cut: { const: true },
  },
} as const;

/** A string to sign, as a body is shown, with what it is made of. */
const signedEvidence = {
  ...bodyEvidence,
  properties: {
    ...bodyEvidence.properties,
    /** What the text is made of, from its start to its end, each with its length in UTF-16 units; absent where that is not told. */
    parts: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'length'],
        additionalProperties: false,
        properties: { name: { enum: ['token', 'path', 'body', 'timestamp', 'separator'] }, length: count },
      },
    },
  },
} as const;

const headersEvidence = {
  type: 'array',
  items: { type: 'array', items: text, minItems: 2, maxItems: 2 },
} as const;

/** Who sent a request: what is absent is as with an active application that may call everything. */
const caller = {
  type: 'object',
  required: ['standing'],
  additionalProperties: false,
  properties: {
    standing: {
      type: 'object',
      additionalProperties: false,
      properties: {
        state: { enum: applicationStates },
        integratorState: { enum: integratorStates },
        subscriptions: { anyOf: [{ const: 'all' }, { type: 'array', items: text }] },
        rateLimit: {
          type: 'object',
          required: ['limit', 'windowSeconds'],
          additionalProperties: false,
          properties: { limit: count, windowSeconds: { type: 'number' } },
        },
      },
    },
    /** The suite made it for itself, by the control API. */
    isMade: { const: true },
    /** It has a clock of its own. */
    hasOwnClock: { const: true },
  },
} as const;

/** One request with its response or its failure, secrets masked. */
export const exchangeEvidence = {
  type: 'object',
  required: ['request', 'durationMs'],
  additionalProperties: false,
  properties: {
    request: {
      type: 'object',
      required: ['method', 'target', 'headers'],
      additionalProperties: false,
      properties: { method: text, target: text, headers: headersEvidence, body: bodyEvidence },
    },
    stringToSign: signedEvidence,
    caller,
    /** How it was signed; absent of what the suite did not sign. */
    signing,
    response: {
      type: 'object',
      required: ['status', 'headers', 'body'],
      additionalProperties: false,
      properties: { status: { type: 'integer' }, headers: headersEvidence, body: bodyEvidence },
    },
    error: text,
    /** A delivery that came to the suite, rather than a request of its own. */
    received: { const: true },
    /** What a delivery was answered with. */
    answered: { anyOf: [{ type: 'integer' }, { const: 'hang-up' }] },
    /** Epoch milliseconds at which it went out, or came. */
    at: { type: 'number' },
    /** Local port of the connection that it went over: exchanges with the same one shared it. */
    connection: count,
    /** The signature that is due, where another one was sent or came. */
    rightSignature: text,
    durationMs: { type: 'number', minimum: 0 },
  },
} as const;

/** A call of the control API, secrets masked. */
export const steering = {
  type: 'object',
  required: ['at', 'method', 'path', 'status'],
  additionalProperties: false,
  properties: {
    /** Epoch milliseconds. */
    at: { type: 'number' },
    method: text,
    /** Behind `/control/v1`. */
    path: text,
    json: {},
    /** 0 where no answer came. */
    status: count,
  },
} as const;

export type CallerEvidence = FromSchema<typeof caller>;
export type BodyEvidence = FromSchema<typeof bodyEvidence>;
export type SignedEvidence = FromSchema<typeof signedEvidence>;

type Shown = FromSchema<typeof exchangeEvidence>;
/** What the schema says of headers by their number, and its type can't: a name and a value each. */
type WithPairs<T> = Omit<T, 'headers'> & { headers: [string, string][] };

/** An exchange as a report shows it: secrets masked, and what was received by allowance where people are hidden. */
export type Evidence = Omit<Shown, 'request' | 'response'> & {
  request: WithPairs<Shown['request']>;
  response?: WithPairs<NonNullable<Shown['response']>>;
};
