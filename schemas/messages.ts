import type { FromSchema } from 'json-schema-to-ts';
import { blankText, visibleText, filledText, httpUrl } from './texts.ts';
import { verdictStates } from '../contract/values.ts';

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
      title: 'a UTC time such as 2026-09-04T12:00:00.000Z',
    },
  },
} as const;

export type EchoData = FromSchema<typeof echoData>;

/** Platform envelope of a refusal by the gateway: 401 and 403. Sections 2.6, 7.1. */
export const errorEnvelope = {
  $id: 'error-envelope',
  type: 'object',
  required: ['success', 'errorType', 'code', 'message'],
  properties: {
    success: { const: false },
    errorType: { const: 1 },
    code: { type: 'integer' },
    message: { type: 'string', minLength: 1, pattern: '\\S', title: 'a text that is not blank' },
  },
} as const;

/** Platform envelope of a 429: which integer `errorType` is there the contract does not say. Section 7.1. */
export const limitEnvelope = {
  ...errorEnvelope,
  $id: 'limit-envelope',
  properties: { ...errorEnvelope.properties, errorType: { type: 'integer' } },
} as const;

/** Platform envelope of a retired endpoint's 410: always the one code. Sections 4.3, 7.2. */
export const retiredEnvelope = {
  ...errorEnvelope,
  $id: 'retired-envelope',
  properties: {
    ...errorEnvelope.properties,
    code: { const: 10009034 },
    message: { type: 'string', minLength: 1, pattern: '/openapi/', title: 'a text that names a path under /openapi' },
  },
} as const;

/** Platform envelope of a success, whatever its data. Sections 2.5, 2.6. */
export const successEnvelope = {
  $id: 'success-envelope',
  type: 'object',
  required: ['success', 'message', 'data'],
  properties: {
    success: { type: 'boolean' },
    message: { type: 'string' },
    data: { type: 'object' },
  },
} as const;

/** What a platform envelope has, and nothing beside it. Section 2.6. */
const nothingElse = {
  type: 'object',
  additionalProperties: false,
  properties: { success: { type: 'boolean' }, errorType: true, code: true, message: true, data: true },
} as const;

/** What an envelope has around it: no text or number, which is a field of some answer's own. Section 2.6. */
const content = { type: ['object', 'array', 'null'] } as const;

/**
 * A platform envelope around something, complete or nearly. What only has fields of such names beside its own is bare: these are
 * added ones. Sections 2.6 and 4.2.
 */
export const platformEnvelope = {
  $id: 'platform-envelope',
  anyOf: [
    { type: 'object', required: ['success', 'data'], properties: { success: { type: 'boolean' }, data: content } },
    { type: 'object', required: ['code', 'message', 'data'], properties: { code: true, message: true, data: content } },
    {
      ...nothingElse,
      required: ['success'],
      anyOf: [['message'], ['code']].map((required) => presenceOf({ required })),
    },
    { ...nothingElse, required: ['code', 'data'], properties: { ...nothingElse.properties, data: { type: 'object' } } },
  ],
} as const;

const { $id: _, ...envelope } = platformEnvelope;

/** What a fault calls that which is to stand in the place of an envelope. */
const bare = { title: 'bare, in no platform envelope' } as const;

/** What answers bare: anything but a platform envelope around it. Section 4.2. */
export const bareAnswer = { $id: 'bare-answer', ...bare, not: envelope } as const;

/** What answers with a bare object: of what a lookup of a CNPJ or a CPF finds no more is known. Section 4.1. */
export const bareObject = { $id: 'bare-object', ...bare, type: 'object', not: envelope } as const;

/** A platform envelope in the place of an error: `success` alone, beside fields that the contract doesn't know, is an added one. */
const errorInEnvelope = {
  anyOf: [
    ...(['errorType', 'data'] as const).map((name) => ({
      type: 'object',
      required: ['success', name],
      properties: { success: { type: 'boolean' }, [name]: true },
    })),
    { ...nothingElse, required: ['success'] },
  ],
} as const;

/** How verification and the lookups refuse: not in a platform envelope, which has a code and a message as well. Section 7.3. */
export const codeMessage = {
  $id: 'code-message',
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { type: ['string', 'number'] }, message: visibleText },
  ...bare,
  not: errorInEnvelope,
} as const;

/** How issuance, query and cancellation refuse: what is wrong, each with its code, and in words at least once. Section 7.3. */
export const errorArray = {
  $id: 'error-array',
  title: 'an array in which a mensagem is not blank',
  type: 'array',
  items: {
    type: 'object',
    required: ['codigo', 'mensagem'],
    properties: { codigo: { type: ['string', 'number'] }, mensagem: { type: 'string' } },
  },
  not: { type: 'array', items: { type: 'object', properties: { mensagem: blankText } } },
} as const;

/** The environments of the tax authority: an invoice that is issued in `Producao` is a real one. Section 4.1. */
export const ambientes = ['Producao', 'Homologacao'] as const;

export type Ambiente = (typeof ambientes)[number];

/** What is known of an issuance request: the rest of the invoice is not shown. Section 4.1. */
export const issuanceRequest = {
  $id: 'issuance-request',
  type: 'object',
  required: ['id', 'ambienteEmissao'],
  properties: { id: filledText, ambienteEmissao: { enum: ambientes } },
} as const;

/** The answer to a company registration: bare, and the company identifier is all that is known of it. Section 4.1. */
export const registration = {
  $id: 'registration',
  type: 'object',
  required: ['empresaId'],
  properties: { empresaId: filledText },
} as const;

/** The answer to a verification and to the lookup of a chave: the verdict is all that is known of it. Sections 3.2 and 4.1. */
export const verification = {
  $id: 'verification',
  type: 'object',
  required: ['validation'],
  properties: {
    validation: {
      type: 'object',
      required: ['validationStatus'],
      properties: { validationStatus: { enum: verdictStates } },
    },
  },
} as const;

/** What is known of the registration of an address for issuance callbacks: the address, and the token that comes back. Section 4.1. */
export const webhookRegistration = {
  $id: 'webhook-registration',
  type: 'object',
  required: ['uri', 'token'],
  properties: { uri: httpUrl, token: filledText },
} as const;

/** The test of an address for verification events: an event as those are, whose type says that it is one. Section 6.5. */
export const webhookTest = {
  $id: 'webhook-test',
  type: 'object',
  required: ['event_type'],
  properties: { event_type: { const: 'webhook.verify' } },
} as const;

/** A schema of an object with named fields. */
interface ObjectSchema<Name extends string, Field> {
  readonly type: 'object';
  readonly required: readonly string[];
  readonly properties: Readonly<Record<Name, Field>>;
}

/** The part of a schema that demands its required fields, whatever they hold. */
export function presenceOf(schema: Pick<ObjectSchema<string, unknown>, 'required'>) {
  const { required } = schema;
  return { type: 'object', required, properties: Object.fromEntries(required.map((name) => [name, true])) } as const;
}

/**
 * The part of a schema that judges those fields, where they are there. A body fits a schema without other keywords if it fits
 * `presenceOf` and this part for each field: so a single wrong field accuses a single part.
 */
export function fieldsOf<Name extends string, Field>(
  schema: Pick<ObjectSchema<Name, Field>, 'properties'>,
  ...names: readonly NoInfer<Name>[]
) {
  const { properties } = schema;
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, properties[name]])) } as const;
}
