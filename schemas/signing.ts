import type { FromSchema } from 'json-schema-to-ts';

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const closed = { type: 'object', additionalProperties: false } as const;

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
export const signing = {
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
