import { closed, count, text } from './texts.ts';
import type { FromSchema } from 'json-schema-to-ts';
import { applicationStates, integratorStates } from '../contract/request.ts';

/** How a text was made of another: a `sign` header of a digest, a token of the App Secret. */
const form = {
  anyOf: [
    /** The other text stands between these: `['', '']` is the text itself, `['', '', '']` it twice. */
    { ...closed, required: ['between'], properties: { between: { type: 'array', items: text, minItems: 2 } } },
    {
      ...closed,
      required: ['as'],
      properties: {
        as: { enum: ['upper-case', 'lower-case', 'first-letter-upper-case', 'base64', 'uuid', 'bytes-reversed'] },
      },
    },
    /** Without so many characters at its start and its end. */
    { ...closed, required: ['dropStart', 'dropEnd'], properties: { dropStart: count, dropEnd: count } },
    /** With the character at that index changed. */
    { ...closed, required: ['changedAt'], properties: { changedAt: count } },
    /** Not made of it: a text of its own. */
    { ...closed, required: ['text'], properties: { text } },
    /** Not made of it: so many characters that are not shown. */
    { ...closed, required: ['madeUp'], properties: { madeUp: count } },
  ],
} as const;

/** A piece of a text that is made anew with each request. */
const piece = {
  anyOf: [
    { ...closed, required: ['text'], properties: { text } },
    { ...closed, required: ['base64'], properties: { base64: text } },
    /** As it is sent: the path without its query, of the body all but CR and LF. */
    {
      ...closed,
      required: ['sent'],
      properties: { sent: { enum: ['token', 'path', 'body', 'timestamp'] } },
    },
    /** The token that is sent, written otherwise. */
    { ...closed, required: ['token'], properties: { token: { enum: ['upper-case', 'lower-case', 'md5'] } } },
    /** The time of the caller's clock, so many seconds on. */
    {
      ...closed,
      required: ['clock', 'offsetSeconds'],
      properties: {
        clock: { enum: ['seconds', 'hex', 'iso', 'http-date'] },
        offsetSeconds: { type: 'integer' },
      },
    },
  ],
} as const;

/** How a request was signed: enough to make it anew at another time, with another secret, its flaws kept. */
const signing = {
  ...closed,
  required: ['secret', 'token', 'timestamp', 'sign'],
  properties: {
    /** What stands in the place of the caller's App Secret, such as `$NFE_APP_SECRET`. */
    secret: text,
    /** How the token was made of that secret. */
    token: form,
    timestamp: { type: 'array', items: piece },
    /** The bytes that were hashed; absent where `sign` was not made of a digest. An HMAC has the sent token for its key. */
    digest: {
      ...closed,
      required: ['hash', 'of'],
      properties: {
        hash: { enum: ['md5', 'md5-of-md5', 'sha1', 'sha256', 'hmac-md5', 'hmac-sha256'] },
        of: { type: 'array', items: piece },
      },
    },
    /** How the `sign` header was made of the digest. */
    sign: form,
    /** Names in the request, beside the token, in whose place something hidden was sent: `$WEBHOOK_TOKEN`. */
    hidden: { type: 'array', items: text },
  },
} as const;

export type Signing = FromSchema<typeof signing>;
export type Form = FromSchema<typeof form>;
export type Piece = FromSchema<typeof piece>;

/** What stands for the body of an upload that holds a file. */
export const uploadNotShown = '(an uploaded file, not shown)';

/** Bytes of a body: as text where they are UTF-8, else in base64. */
const bodyEvidence = {
  ...closed,
  required: ['text', 'encoding', 'bytes'],
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
        ...closed,
        required: ['name', 'length'],
        properties: { name: { enum: ['token', 'path', 'body', 'timestamp', 'separator'] }, length: count },
      },
    },
  },
} as const;

const headersEvidence = {
  type: 'array',
  items: { type: 'array', items: text, minItems: 2, maxItems: 2 },
} as const;

/** Headers and body of our answer to a delivery. */
export const answeredWith = {
  ...closed,
  required: ['headers', 'body'],
  properties: { headers: headersEvidence, body: text },
} as const;

/** Who sent a request: what is absent is as with an active application that may call everything. */
const caller = {
  ...closed,
  required: ['standing'],
  properties: {
    standing: {
      ...closed,

      properties: {
        state: { enum: applicationStates },
        integratorState: { enum: integratorStates },
        subscriptions: { anyOf: [{ const: 'all' }, { type: 'array', items: text }] },
        rateLimit: {
          ...closed,
          required: ['limit', 'windowSeconds'],
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
  ...closed,
  required: ['request', 'durationMs'],
  properties: {
    request: {
      ...closed,
      required: ['method', 'target', 'headers'],
      properties: { method: text, target: text, headers: headersEvidence, body: bodyEvidence },
    },
    stringToSign: signedEvidence,
    caller,
    /** How it was signed; absent of what the suite did not sign. */
    signing,
    response: {
      ...closed,
      required: ['status', 'headers', 'body'],
      properties: { status: { type: 'integer' }, headers: headersEvidence, body: bodyEvidence },
    },
    error: text,
    /** A delivery that came to the suite, rather than a request of its own. */
    received: { const: true },
    /** What a delivery was answered with. */
    answered: { anyOf: [{ type: 'integer' }, { const: 'hang-up' }] },
    /** What that answer of ours held besides its status. */
    answeredWith,
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
  ...closed,
  required: ['at', 'method', 'path', 'status'],
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
export type AnswerContent = FromSchema<typeof answeredWith>;
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

const isTrue = { const: true } as const;

/** An address of ours as it was registered: its path and query, and how long its token is. */
export const registered = {
  ...closed,
  required: ['target'],
  properties: { target: text, tokenBytes: count },
} as const;

/** Something that happened in a failing case, told so that it can be done again. */
const step = {
  anyOf: [
    {
      ...closed,
      required: ['kind', 'evidence'],
      properties: {
        kind: { enum: ['call', 'link', 'delivery'] },
        evidence: exchangeEvidence,
        /** App Key of who called. */
        application: text,
        /** Unix seconds of the clock of that application, where it is its own. */
        now: { type: 'number' },
        /** Stands for the address of ours that a call registers, or that a delivery came to. */
        address: text,
        registered,
        /** It was signed wrongly, and how is not known. */
        isFlawed: isTrue,
        /** Whether the signature of a delivery was the one that is due; absent where nobody could tell. */
        signature: { enum: ['right', 'other'] },
        /** Whether a delivery bore the token that was registered; absent where nobody could tell. */
        hasToken: { type: 'boolean' },
        /** Of a link that is followed: when what it came in came, and which of the links in that it is. */
        cameAt: { type: 'number' },
        leadsTo: { enum: ['xml', 'danfe'] },
        /** Whether a delivery called its address as it was registered; absent where nobody could tell. */
        isExact: { type: 'boolean' },
        /** Milliseconds until a delivery was answered. */
        answeredAfterMs: { type: 'number' },
        /** It came before the case: what it was answered is not what the failure is about. */
        isSetUp: isTrue,
      },
    },
    {
      ...closed,
      required: ['kind', 'call'],
      properties: { kind: { const: 'steering' }, call: steering, application: text, isSetUp: isTrue },
    },
  ],
} as const;

/** The steps of a failing case in the order of time, those before it that it stands on in front. */
export const story = { type: 'array', items: step } as const;

export type Step = FromSchema<typeof step>;
