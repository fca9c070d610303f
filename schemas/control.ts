import type { FromSchema } from 'json-schema-to-ts';
import { applicationStates, integratorStates } from '../contract/request.ts';
import { fiscalStates, nfeOutcomes } from '../contract/values.ts';
import { armedFaults } from './faults-on-demand.ts';
import { closed, filledText, httpUrl, zonedTime } from './texts.ts';

// A description reads on after "<field> is to be", in the error for a value that does not fit.

const changeable = {
  state: { enum: applicationStates, description: applicationStates.join(', ') },
  integratorState: { enum: integratorStates, description: integratorStates.join(' or ') },
  subscriptions: {
    anyOf: [{ const: 'all' }, { type: 'array', items: { type: 'string', pattern: '^/[^\\p{Lu}\\s]*$' } }],
    description: '"all" or an array of scopes, which are lower-cased paths',
  },
  rateLimit: {
    anyOf: [
      { type: 'null' },
      {
        ...closed,
        required: ['limit', 'windowSeconds'],
        properties: {
          limit: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
          windowSeconds: { type: 'number', exclusiveMinimum: 0 },
        },
      },
    ],
    description: 'null or {"limit": an integer from 0, "windowSeconds": a number above 0}',
  },
  settleSeconds: { type: 'number', minimum: 0, description: 'a number of seconds from 0' },
} as const;

/** Body of `POST /applications`. */
export const applicationWish = {
  $id: 'control-application-wish',
  ...closed,

  properties: {
    appName: { type: 'string', minLength: 1, maxLength: 200, description: 'a text of 1 to 200 characters' },
    clock: {
      anyOf: [{ const: 'system' }, zonedTime],
      description: '"system" or an ISO 8601 time with its zone, such as 2031-05-17T09:30:00Z',
    },
    ...changeable,
  },
} as const;

/** Body of `PATCH /applications/{appKey}`. */
export const applicationChanges = {
  $id: 'control-application-changes',
  ...closed,

  properties: changeable,
} as const;

/** Body of `POST /applications/{appKey}/clock`. */
export const clockAdvance = {
  $id: 'control-clock-advance',
  ...closed,
  required: ['advanceSeconds'],
  properties: {
    advanceSeconds: { type: 'number', minimum: 0, description: 'a number of seconds from 0' },
    wait: { enum: ['attempts', 'none'], description: 'attempts or none' },
  },
} as const;

const nullableText = { type: ['string', 'null'] } as const;

/** Body of `PUT /applications/{appKey}/authority`. */
export const authoritySteering = {
  $id: 'control-authority-steering',
  ...closed,

  properties: {
    issuance: {
      anyOf: [
        { type: 'null' },
        {
          ...closed,
          required: ['outcome'],
          properties: { outcome: { enum: nfeOutcomes }, motivo: { type: 'string', minLength: 1 } },
        },
      ],
      description: `null or {"outcome": ${nfeOutcomes.join(' or ')}, "motivo": an optional text}`,
    },
    reachable: { type: 'boolean', description: 'true or false' },
  },
} as const;

/** Body of `PUT /authority/invoices/{chave}`. */
export const invoiceRecord = {
  $id: 'control-invoice-record',
  ...closed,
  required: ['status'],
  properties: {
    status: { enum: fiscalStates, description: fiscalStates.join(', ') },
    cStat: { ...nullableText, description: 'a text or null' },
    xMotivo: { ...nullableText, description: 'a text or null' },
    protocolo: {
      anyOf: [
        { type: 'null' },
        {
          ...closed,
          required: ['numero', 'digestValue'],
          properties: { numero: { type: 'string' }, digestValue: { type: 'string' } },
        },
      ],
      description: 'null or {"numero": a text, "digestValue": a text}',
    },
    dataAutorizacao: {
      anyOf: [{ type: 'null' }, zonedTime],
      description: 'null or an ISO 8601 time with its zone',
    },
    eventos: { type: 'array', items: { type: 'object' }, description: 'an array of objects' },
  },
} as const;

/** Body of `PUT /applications/{appKey}/verification-webhook`. */
export const verificationWebhook = {
  $id: 'control-verification-webhook',
  ...closed,
  required: ['urls'],
  properties: { urls: { type: 'array', items: { type: 'string' }, description: 'an array of addresses' } },
} as const;

/** Body of a request that takes none. */
export const nothing = { $id: 'control-nothing', ...closed, properties: {} } as const;

const shown = {
  type: 'object',
  required: ['appKey', 'appName', ...Object.keys(changeable), 'clock'],
  properties: {
    appKey: filledText,
    appName: filledText,
    clock: { anyOf: [{ const: 'system' }, zonedTime] },
    ...changeable,
  },
} as const;

/** An application as the control API shows it: never with its secret. */
export const controlledApplication = {
  ...shown,
  $id: 'control-application',
  properties: { ...shown.properties, appSecret: false },
} as const;

/** An application as the control API shows it to whoever has made it. */
export const madeApplication = {
  ...shown,
  $id: 'control-made-application',
  required: [...shown.required, 'appSecret'],
  properties: { ...shown.properties, appSecret: filledText },
} as const;

/** Answer to `POST /applications/{appKey}/secret`. */
export const newSecret = {
  $id: 'control-new-secret',
  type: 'object',
  required: ['appSecret'],
  properties: { appSecret: filledText },
} as const;

/** Answer to `POST /applications/{appKey}/clock`. */
export const clockNow = {
  $id: 'control-clock-now',
  type: 'object',
  required: ['now'],
  properties: { now: zonedTime },
} as const;

/** What is kept of one event at one address, with its attempts; the answer to `GET /applications/{appKey}/deliveries` is an array of these. */
export const keptDelivery = {
  $id: 'control-delivery',
  type: 'object',
  required: ['eventId', 'channel', 'eventType', 'url', 'state', 'nextAttemptAt', 'attempts'],
  properties: {
    eventId: filledText,
    channel: { enum: ['issuance', 'verification'] },
    eventType: filledText,
    url: httpUrl,
    state: { enum: ['pending', 'delivered', 'dead', 'held'] },
    nextAttemptAt: { anyOf: [{ type: 'null' }, zonedTime] },
    attempts: {
      type: 'array',
      items: {
        type: 'object',
        required: ['deliveryId', 'at', 'status'],
        properties: {
          deliveryId: filledText,
          at: zonedTime,
          status: { type: ['integer', 'null'] },
          error: { type: 'string' },
        },
      },
    },
  },
} as const;

/** Why a request was refused, in one sentence. */
export const controlRefusal = {
  $id: 'control-refusal',
  type: 'object',
  required: ['error'],
  properties: { error: filledText },
} as const;

/** The answer to `GET /`. */
export const controlRoot = {
  $id: 'control-root',
  type: 'object',
  required: ['implementation', 'version'],
  properties: {
    implementation: filledText,
    version: { const: 1 },
    /** What it offers of the additions to version 1. */
    features: { type: 'array', items: filledText },
    /** The App Keys of the applications at which faults are armed. */
    faultsArmedAt: { type: 'array', items: filledText },
  },
} as const;

/** What the control API answers with, by method and path, where it is not an error. */
export const controlAnswers: readonly { readonly method: string; readonly path: RegExp; readonly schema: object }[] = [
  { method: 'GET', path: /^\/$/, schema: controlRoot },
  { method: 'POST', path: /^\/applications$/, schema: madeApplication },
  { method: 'GET', path: /^\/applications\/[^/]+$/, schema: controlledApplication },
  { method: 'PATCH', path: /^\/applications\/[^/]+$/, schema: controlledApplication },
  { method: 'POST', path: /^\/applications\/[^/]+\/secret$/, schema: newSecret },
  { method: 'POST', path: /^\/applications\/[^/]+\/clock$/, schema: clockNow },
  { method: 'GET', path: /^\/applications\/[^/]+\/faults$/, schema: armedFaults },
  { method: 'PUT', path: /^\/applications\/[^/]+\/faults$/, schema: armedFaults },
  { method: 'GET', path: /^\/applications\/[^/]+\/deliveries$/, schema: { type: 'array', items: keptDelivery } },
];

export type KeptDelivery = FromSchema<typeof keptDelivery>;
export type ApplicationWish = FromSchema<typeof applicationWish>;
export type ApplicationChanges = FromSchema<typeof applicationChanges>;
export type ClockAdvance = FromSchema<typeof clockAdvance>;
export type AuthoritySteeringBody = FromSchema<typeof authoritySteering>;
export type InvoiceRecordBody = FromSchema<typeof invoiceRecord>;
export type VerificationWebhook = FromSchema<typeof verificationWebhook>;
