import { brotliCompressSync, gzipSync } from 'node:zlib';
import { contentOf, type Reply } from '../../simulator/http/reply.ts';
import { channels } from '../../simulator/model.ts';
import { encodedDeliveries, encodedReply } from '../encoding.ts';
import { withReplies, type ReplyChange, type Variant, withTopic } from './variant.ts';
import { legalSpellings, type LegalSpelling } from '../../generators/nfe/spelling.ts';
import { readTree } from '../../generators/nfe/xml-tree.ts';
import { isObject } from '../../schemas/values.ts';

const typeOfJson = 'application/json; charset=utf-8';

/** A reply with its JSON written otherwise. */
function rewritten(reply: Reply, write: (value: unknown) => string): Reply {
  const { body, content } = reply;
  if (content || body === undefined) return reply;
  return { ...reply, content: { type: typeOfJson, bytes: Buffer.from(write(body)) } };
}

/** The same JSON in other bytes, in answers and deliveries. */
function written(what: string, write: (value: unknown) => string): Variant {
  const change = withReplies(() => (reply) => rewritten(reply, write));
  return {
    id: `variant.json-${what}`,
    change(rules) {
      const changed = change(rules);
      const { body } = changed.webhookDelivery;
      const otherBody = (...parts: Parameters<typeof body>): Buffer =>
        Buffer.from(write(JSON.parse(body(...parts).toString('utf8'))));
      return { ...changed, webhookDelivery: { ...changed.webhookDelivery, body: otherBody } };
    },
  };
}

/** A value with the members of its objects in another order. */
function reordered(value: unknown, order: (names: readonly string[]) => readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => reordered(each, order));
  if (!isObject(value)) return value;
  return Object.fromEntries(order(Object.keys(value)).map((name) => [name, reordered(value[name], order)]));
}

const escapedAll = (text: string): string =>
  text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Such characters inside of strings as escapes, names too; what has an escape keeps it. */
function escaped(text: string, characters: RegExp): string {
  let isInString = false;
  return text.replaceAll(/\\(?:u.{4}|.)|[^\\]/g, (part) => {
    if (part === '"') isInString = !isInString;
    const isMeant = isInString && part.length === 1 && part !== '"' && characters.test(part);
    return isMeant ? `\\u${part.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}` : part;
  });
}

/** Another way to send the bytes of an answer. */
function sent(what: string, make: () => ReplyChange): Variant {
  return { id: `variant.answer-${what}`, change: withReplies(make) };
}

/** Another Content-Type of answers: the contract names none. */
const typed = (what: string, type: string): Variant =>
  sent(`of-type-${what}`, () => (reply) => {
    const { bytes } = contentOf(reply);
    return bytes.length === 0 ? reply : { ...reply, content: { type, bytes } };
  });

/** How JSON is written. */
export const jsonVariants: readonly Variant[] = [
  written('pretty', (value) => JSON.stringify(value, null, 2)),
  written('with-tabs-and-end', (value) => `\r\n${JSON.stringify(value, null, '\t')}\r\n`),
  written('ascii', (value) => escapedAll(JSON.stringify(value))),
  written('with-escaped-letters', (value) => escaped(JSON.stringify(value), /[aeo]/)),
  written('with-all-escaped', (value) => escaped(JSON.stringify(value), /./s)),
  written('with-escaped-slashes', (value) => JSON.stringify(value).replaceAll('/', '\\/')),
  written('in-reverse-order', (value) => JSON.stringify(reordered(value, (names) => names.toReversed()))),
  written('in-alphabetical-order', (value) => JSON.stringify(reordered(value, (names) => names.toSorted()))),
  {
    ...written('with-numbers-in-other-forms', (value) =>
      JSON.stringify(value).replaceAll(/("(?:code|errorType)":)(\d+)(?=[,}])/g, '$1$2.0'),
    ),
  },
];

/** How answers and deliveries are sent. */
export const answerVariants: readonly Variant[] = [
  typed('vendor-json', 'application/vnd.nfe.v2+json;charset=UTF-8'),
  typed('upper-case', 'APPLICATION/JSON'),
  typed('text-json', 'text/json'),
  typed('plain-text', 'text/plain; charset=utf-8'),
  typed('bytes', 'application/octet-stream'),
  sent(
    'in-chunks',
    () => (reply) =>
      contentOf(reply).bytes.length === 0
        ? reply
        : { ...reply, headers: { ...reply.headers, 'transfer-encoding': 'chunked' } },
  ),
  sent('in-chunks-even-empty', () => (reply) => ({
    ...reply,
    headers: { ...reply.headers, 'Transfer-Encoding': 'chunked' },
  })),
  { ...sent('gzipped', () => (reply) => encodedReply(reply, 'gzip', gzipSync)), unlike: ['encoding.of-answers'] },
  {
    ...sent(
      'in-brotli-in-gzip',
      () => (reply) => encodedReply(reply, 'br, GZIP', (bytes) => gzipSync(brotliCompressSync(bytes))),
    ),
    unlike: ['encoding.of-answers'],
  },
  {
    id: 'variant.deliveries-gzipped',
    unlike: ['encoding.of-deliveries'],
    change: (rules) => encodedDeliveries(rules, channels),
  },
  sent('said-to-be-as-it-is', () => (reply) => encodedReply(reply, 'identity', (bytes) => bytes)),
  sent('then-closed', () => (reply) => ({ ...reply, headers: { ...reply.headers, connection: 'close' } })),
  sent('then-closed-now-and-then', () => {
    let count = 0;
    return (reply) => (++count % 5 === 0 ? { ...reply, headers: { ...reply.headers, Connection: 'close' } } : reply);
  }),
  sent('with-keep-alive-limits', () => (reply) => ({
    ...reply,
    headers: { ...reply.headers, connection: 'keep-alive', 'keep-alive': 'timeout=5, max=100' },
  })),
  sent('with-header-names-in-capitals', () => (reply) => {
    const { type, bytes } = contentOf(reply);
    const usual = { ...(bytes.length === 0 ? {} : { 'CONTENT-TYPE': type }), 'CONTENT-LENGTH': String(bytes.length) };
    return { ...reply, headers: { ...reply.headers, ...usual, SERVER: 'nginx' } };
  }),
  sent('with-cookies', () => (reply) => ({
    ...reply,
    headers: { ...reply.headers, 'set-cookie': ['JSESSIONID=a1b2; Path=/; HttpOnly', 'lb=node-1; Max-Age=60', 'x='] },
  })),
  sent('with-many-headers', () => (reply) => ({
    ...reply,
    headers: {
      ...reply.headers,
      vary: ['accept-encoding', 'language'],
      etag: 'W/"a1b2"',
      'x-request-id': String(Math.random()),
      'cache-control': 'no-store',
      'content-language': 'pt-BR',
      'strict-transport-security': 'max-age=31536000',
      'www-authenticate': 'Signature realm="openapi"',
      'retry-after': '1',
      token: 'none',
      timestamp: '0',
    },
  })),
  sent('late', () => async (reply) => {
    await new Promise((resolve) => setTimeout(resolve, 60));
    return reply;
  }),
  sent('late-now-and-then', () => {
    let count = 0;
    return async (reply) => {
      if (++count % 300 === 0) await new Promise((resolve) => setTimeout(resolve, 4_000));
      return reply;
    };
  }),
];

/** The XML of its invoices comes in a spelling, which that spelling may depend on. */
function spelt(id: string, spellingOf: (nth: number) => LegalSpelling | undefined): Variant {
  let served = 0;
  return {
    id: `variant.own-documents-${id}`,
    change: withTopic('nfeQuery', ({ document }) => ({
      async document(make) {
        const { type, bytes } = await document(make);
        const tree = type === 'application/xml' ? readTree(bytes.toString('utf8')) : undefined;
        const spelling = tree && spellingOf(served++);
        return { type, bytes: tree && spelling ? spelling.write(tree) : bytes };
      },
    })),
  };
}

/** What a server serves of its own invoices, in every legal spelling: by turns, and in each alone. */
export const documentSpellingVariants: readonly Variant[] = [
  spelt('in-every-spelling', (nth) => legalSpellings[nth % legalSpellings.length]),
  ...legalSpellings.map((spelling) =>
    spelt(spelling.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'), () => spelling),
  ),
];
