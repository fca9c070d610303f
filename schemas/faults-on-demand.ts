import type { FromSchema } from 'json-schema-to-ts';
import { endpoints } from '../contract/endpoints.ts';
import { closed, zonedTime } from './texts.ts';

/** What becomes of it, and what whoever calls or receives does so as to survive it: both as the documents tell it. */
interface KindOfFault {
  readonly happens: string;
  readonly remedy: string;
  /** Seconds of delay, unless another one is wished. */
  readonly delaySeconds: number;
}

/** What may become of a request that the gateway has let through. */
export const answerFaults = {
  lost: {
    happens: 'the work is done, and the connection closed without an answer',
    remedy:
      'nobody knows whether it was done: send it again, an issuance with the same `id`, and take *this id is taken* for *it was issued*; else ask for it',
    delaySeconds: 0,
  },
  'reset-before': {
    happens: 'the connection is reset, and nothing was done',
    remedy: 'from outside it looks like `reset-after`: do the same',
    delaySeconds: 0,
  },
  'reset-after': {
    happens: 'the work is done, and the connection reset',
    remedy: 'as for `lost`',
    delaySeconds: 0,
  },
  slow: {
    happens: 'the work is done, and answered after `delaySeconds`',
    remedy: 'have a time-out of your own, and after it do as for `lost`',
    delaySeconds: 5,
  },
  'system-error': {
    happens: '500 with `{code, message}`; nothing was done',
    remedy: 'wait, and send it again as it was, an issuance with the same `id`',
    delaySeconds: 0,
  },
  'rate-limit': {
    happens: '429, code 10009006; nothing was done',
    remedy: 'wait 1 s, then twice as long each time up to 30 s, with jitter, and send nothing else in the meantime',
    delaySeconds: 0,
  },
} as const satisfies Readonly<Record<string, KindOfFault>>;

/** What may become of an event that is to be delivered. */
export const deliveryFaults = {
  twice: {
    happens: 'the event comes twice, with one event id; at once, or the second time after `delaySeconds`',
    remedy: 'know it by `X-Service-Event-Id`, also while the first one is still at work, and answer both with 2xx',
    delaySeconds: 0,
  },
  late: {
    happens: 'the event comes after `delaySeconds`',
    remedy: 'ask for what is open by the query or the lookup, and take the event for what is known when it comes',
    delaySeconds: 60,
  },
  never: {
    happens: 'the event does not come, until it is re-pushed by hand',
    remedy: 'ask for whatever has been open for too long',
    delaySeconds: 0,
  },
} as const satisfies Readonly<Record<string, KindOfFault>>;

/** What bounds a fault: by these it strikes the first request or event that fits, once. */
const bounds = {
  /** Text in the path or the body of the request, or in the body of the event. */
  contains: { type: 'string', minLength: 1, maxLength: 200 },
  /** How often it strikes: once, unless `seconds` are given. */
  times: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  /** How long it is armed, on the application's clock. */
  seconds: { type: 'number', exclusiveMinimum: 0, maximum: 31_536_000 },
  delaySeconds: { type: 'number', minimum: 0, maximum: 604_800 },
} as const;

const answerFault = {
  ...closed,
  required: ['kind'],
  properties: {
    kind: { enum: namesOf(answerFaults) },
    /** Any, where it is absent. */
    endpoint: { enum: endpoints.map(({ name }) => name) },
    ...bounds,
  },
} as const;

const deliveryFault = {
  ...closed,
  required: ['kind'],
  properties: {
    kind: { enum: namesOf(deliveryFaults) },
    /** Any, where it is absent. */
    channel: { enum: ['issuance', 'verification'] },
    ...bounds,
  },
} as const;

const fields = '"contains"?, "times"?, "seconds"?, "delaySeconds"?';

/** Body of `PUT /applications/{appKey}/faults`. */
export const faultsWish = {
  $id: 'control-faults-wish',
  ...closed,

  properties: {
    answers: {
      type: 'array',
      maxItems: 100,
      items: answerFault,
      description: `an array of {"kind": ${namesOf(answerFaults).join(', ')}, "endpoint"?, ${fields}}`,
    },
    deliveries: {
      type: 'array',
      maxItems: 100,
      items: deliveryFault,
      description: `an array of {"kind": ${namesOf(deliveryFaults).join(', ')}, "channel"?, ${fields}}`,
    },
  },
} as const;

/** How much of a fault is left: how often it strikes yet, and until when; null where there is no such bound. */
const left = {
  type: 'object',
  required: ['kind', 'times', 'until'],
  properties: { times: { type: ['integer', 'null'] }, until: { anyOf: [{ type: 'null' }, zonedTime] } },
} as const;

/** What is armed at an application: the answer to `GET` and `PUT /applications/{appKey}/faults`. */
export const armedFaults = {
  $id: 'control-armed-faults',
  type: 'object',
  required: ['answers', 'deliveries'],
  properties: {
    answers: {
      type: 'array',
      items: { ...left, properties: { ...left.properties, kind: answerFault.properties.kind } },
    },
    deliveries: {
      type: 'array',
      items: { ...left, properties: { ...left.properties, kind: deliveryFault.properties.kind } },
    },
  },
} as const;

function namesOf<Name extends string>(table: Readonly<Record<Name, KindOfFault>>): readonly Name[] {
  return Object.keys(table).filter((name): name is Name => name in table);
}

export type AnswerFault = keyof typeof answerFaults;
export type DeliveryFault = keyof typeof deliveryFaults;
export type FaultsWish = FromSchema<typeof faultsWish>;

/** A fault that somebody wishes for. */
export type FaultWish = FromSchema<typeof answerFault> | FromSchema<typeof deliveryFault>;
