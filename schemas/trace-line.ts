import { closed, count, text } from './texts.ts';
import { answeredWith, exchangeEvidence, registered } from './evidence.ts';

const number = { type: 'number' } as const;
const anyObject = { type: 'object' } as const;
const texts = { type: 'array', items: text } as const;

/** The format of a trace, `trace.ndjson.gz`: a line of JSON each, the first of kind `run`. */
export const traceFormat = 'nfe-conformance/trace@2';

/** Names by which the history of a thing is followed, hidden alike for alike. */
const ids = {
  ...closed,

  properties: {
    empresaId: text,
    nfeId: text,
    chave: text,
    eventId: text,
    content: text,
    links: texts,
    xml: text,
    danfe: text,
  },
} as const;

/** What a judge said of a record alone, where what is shown of it does not tell. */
const told = {
  type: 'array',
  items: {
    ...closed,
    required: ['clause'],
    properties: { clause: text, expected: text, actual: text },
  },
} as const;

/** Who sent a request, and what his application was like. */
const caller = {
  ...closed,
  required: ['name', 'standing'],
  properties: { name: text, standing: anyObject, isMade: { const: true }, hasOwnClock: { const: true } },
} as const;

/** How far token, timestamp and sign were right. */
const signing = {
  ...closed,
  required: ['missing', 'repeated', 'isOwnToken', 'isSignOfSent'],
  properties: {
    missing: texts,
    repeated: texts,
    isBeyondAscii: { const: true },
    isOwnToken: { type: 'boolean' },
    isFormerToken: { const: true },
    aheadSeconds: { type: 'integer' },
    isSignOfSent: { type: 'boolean' },
  },
} as const;

/** The clause that a request put to the test: to be accepted, or to be refused for its faults. */
const aim = {
  ...closed,
  required: ['clause', 'faults'],
  properties: {
    clause: text,
    hint: text,
    faults: {
      anyOf: [
        { const: 'accepted' },
        {
          type: 'array',
          items: {
            ...closed,
            required: ['name', 'code'],
            properties: { name: text, code: { type: 'integer' } },
          },
        },
      ],
    },
  },
} as const;

const address = {
  ...closed,
  required: ['name', 'channel', 'caller'],
  properties: {
    name: text,
    channel: { enum: ['issuance', 'verification'] },
    caller: text,
    hasOwnClock: { const: true },
    registered,
  },
} as const;

const message = { check: text, case: count, at: number, told, ids, evidence: exchangeEvidence } as const;

/** Something that happened, as a trace has it. */
const recordLine = {
  oneOf: [
    {
      ...closed,
      required: ['kind', 'check', 'case', 'at', 'ids', 'evidence'],
      properties: {
        ...message,
        /** A request of the suite, or a link to a document that it followed. */
        kind: { enum: ['exchange', 'link'] },
        caller,
        /** Unix seconds of the caller's clock. */
        now: { type: 'integer' },
        signing,
        aim,
        /** It was sent before, and what came of that was lost. */
        isResent: { const: true },
        /** Others of ours went out at the same moment. */
        isOfBurst: { const: true },
        /** Local port of the connection that the answer came over. */
        connection: count,
        /** Of ours, that it registers for callbacks. */
        address: text,
        /** No whole answer came that can be read. */
        isPartial: { const: true },
        /** None came at all, since the connection broke. */
        isLost: { const: true },
      },
    },
    {
      ...closed,
      required: ['kind', 'check', 'case', 'at', 'headerPrefix', 'context', 'ids', 'evidence'],
      properties: {
        ...message,
        kind: { const: 'delivery' },
        headerPrefix: text,
        context: {
          ...closed,

          properties: {
            address,
            answer: { anyOf: [count, { const: 'hang-up' }] },
            answerContent: answeredWith,
            answeredAfterMs: number,
            signature: { enum: ['right', 'by a former secret', 'in capitals', 'by another key', 'wrong'] },
            signatureHint: text,
            rightSignature: text,
            isExact: { type: 'boolean' },
            hasToken: { type: 'boolean' },
            tokenHint: text,
            secretIn: text,
            nowSeconds: { type: 'integer' },
          },
        },
      },
    },
    {
      ...closed,
      required: ['kind', 'check', 'case', 'at', 'ms', 'method', 'path', 'json', 'status', 'ids'],
      properties: {
        kind: { const: 'steering' },
        check: text,
        case: count,
        at: number,
        ms: number,
        method: text,
        path: text,
        json: {},
        application: text,
        status: count,
        ids,
      },
    },
    {
      ...closed,
      required: ['kind', 'check', 'case', 'at', 'clause', 'hasCome'],
      properties: {
        kind: { const: 'awaited' },
        check: text,
        case: count,
        at: number,
        clause: text,
        hasCome: { type: 'boolean' },
      },
    },
  ],
} as const;

/** A line of a trace. */
export const traceLine = {
  $id: 'trace-line',
  oneOf: [
    {
      ...closed,
      required: ['kind', 'format', 'facts', 'clauses', 'inPassing'],
      properties: {
        kind: { const: 'run' },
        format: { const: traceFormat },
        facts: anyObject,
        clauses: texts,
        inPassing: texts,
        lacking: texts,
        halt: anyObject,
      },
    },
    {
      ...closed,
      required: ['kind', 'outcome'],
      properties: { kind: { const: 'outcome' }, outcome: anyObject },
    },
    ...recordLine.oneOf,
  ],
} as const;
