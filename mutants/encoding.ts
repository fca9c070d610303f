import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { contentOf, type Reply } from '../simulator/http/reply.ts';
import type { Channel } from '../simulator/model.ts';
import { referenceRules, type Rules } from '../simulator/rules/rules.ts';
import type { Mutant } from './mutant.ts';
import { withReplies } from './variants/variant.ts';

/** A reply in a content coding, and said to be so. */
export function encodedReply(reply: Reply, coding: string, encode: (bytes: Buffer) => Buffer): Reply {
  const { type, bytes } = contentOf(reply);
  if (bytes.length === 0) return reply;
  return {
    ...reply,
    content: { type, bytes: encode(bytes) },
    headers: { ...reply.headers, 'content-encoding': coding },
  };
}

/** Deliveries of some channels in gzip, signed as they go out. */
export function encodedDeliveries(rules: Rules, channels: readonly Channel[]): Rules {
  const { body, request } = rules.webhookDelivery;
  return {
    ...rules,
    webhookDelivery: {
      ...rules.webhookDelivery,
      body: (outgoing) => (channels.includes(outgoing.channel) ? gzipSync(body(outgoing)) : body(outgoing)),
      request(made, outgoing) {
        const right = request(made, outgoing);
        if (!channels.includes(outgoing.channel)) return right;
        return { ...right, headers: { ...right.headers, 'content-encoding': 'gzip' } };
      },
    },
  };
}

function answersIn(
  what: string,
  coding: string,
  encode: (bytes: Buffer) => Buffer,
  isEncoded: (reply: Reply) => boolean = () => true,
): Mutant {
  const change = withReplies(() => (reply) => (isEncoded(reply) ? encodedReply(reply, coding, encode) : reply));
  return { id: `encoding.${what}`, breaks: ['encoding.of-answers'], rules: change(referenceRules) };
}

function inGzip(what: string, isEncoded?: (reply: Reply) => boolean): Mutant {
  return answersIn(`${what}-in-gzip`, 'gzip', (bytes) => gzipSync(bytes), isEncoded);
}

const isLongerThan =
  (bytes: number) =>
  (reply: Reply): boolean =>
    contentOf(reply).bytes.length > bytes;

/** Bodies in encodings that nobody has asked for. */
export const encodingMutants: readonly Mutant[] = [
  inGzip('answers'),
  answersIn('answers-in-brotli', 'br', (bytes) => brotliCompressSync(bytes)),
  answersIn('answers-in-deflate', 'deflate', (bytes) => deflateSync(bytes)),
  inGzip('long-answers', isLongerThan(1_400)),
  inGzip('longer-answers', isLongerThan(16_384)),
  inGzip('refusals', ({ status }) => status >= 400),
  inGzip('retired', ({ status }) => status === 410),
  inGzip('successes', ({ status }) => status === 200),
  ...([['issuance'], ['verification']] as const).map((channels): Mutant => ({
    id: `encoding.${channels.join('-and-')}-deliveries-in-gzip`,
    breaks: ['encoding.of-deliveries'],
    rules: encodedDeliveries(referenceRules, channels),
  })),
];
