import { createHash, createHmac } from 'node:crypto';
import type { Form, Piece, Signing } from '../../../schemas/evidence.ts';
import {
  pairs,
  secretNames,
  type Call,
  type Arrival,
  NotTried,
  env,
  hide,
  pairsOf,
  jsonIn,
  type Headers,
  type Answer,
} from './kit.ts';
import http from 'node:http';
import https from 'node:https';

export function isOwn(name: string): boolean {
  return secretNames.includes(name);
}

/** How a request is signed that has no fault. */
export function rightly({ evidence: { request } }: Call): Signing {
  const secret = pairs(request.headers).find(([name]) => name.toLowerCase() === 'token')?.[1] ?? '$NFE_APP_SECRET';
  return {
    secret,
    token: { between: ['', ''] },
    timestamp: [{ clock: 'seconds', offsetSeconds: 0 }],
    digest: { hash: 'md5', of: [{ sent: 'token' }, { sent: 'path' }, { sent: 'body' }, { sent: 'timestamp' }] },
    sign: { between: ['', ''] },
  };
}

type Sent = { readonly token: string; readonly path: string; readonly body: Buffer; readonly timestamp: string };

export function formed(form: Form, source: string, text: (text: string) => string): string {
  if ('between' in form) return form.between.join(source);
  if ('as' in form) return written(source, form.as);
  if ('dropStart' in form) return source.slice(form.dropStart, source.length - form.dropEnd);
  if ('changedAt' in form)
    return (
      source.slice(0, form.changedAt) + (source[form.changedAt] === '0' ? '1' : '0') + source.slice(form.changedAt + 1)
    );
  return 'madeUp' in form ? 'x'.repeat(form.madeUp) : text(form.text);
}

function written(source: string, as: Extract<Form, { as: unknown }>['as']): string {
  if (as === 'upper-case') return source.toUpperCase();
  if (as === 'lower-case') return source.toLowerCase();
  if (as === 'first-letter-upper-case') return source.replace(/[a-z]/, (letter) => letter.toUpperCase());
  if (as === 'uuid') return source.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return as === 'base64'
    ? Buffer.from(source, 'hex').toString('base64')
    : Buffer.from(Buffer.from(source, 'hex').toReversed()).toString('hex');
}

export function pieceOf(piece: Piece, sent: Sent, now: number): string | Buffer {
  if ('text' in piece) return piece.text;
  if ('base64' in piece) return Buffer.from(piece.base64, 'base64');
  if ('sent' in piece) return sent[piece.sent];
  if ('clock' in piece) {
    const at = now + piece.offsetSeconds;
    const date = new Date(at * 1000);
    return { seconds: String(at), hex: at.toString(16), iso: date.toISOString(), 'http-date': date.toUTCString() }[
      piece.clock
    ];
  }
  return piece.token === 'md5' ? createHash('md5').update(sent.token).digest('hex') : written(sent.token, piece.token);
}

export function digested({ hash, of }: NonNullable<Signing['digest']>, sent: Sent, now: number): string {
  const signed = Buffer.concat(of.map((piece) => Buffer.from(pieceOf(piece, sent, now))));
  if (hash.startsWith('hmac-')) return createHmac(hash.slice(5), sent.token).update(signed).digest('hex');
  const once = createHash(hash === 'md5-of-md5' ? 'md5' : hash)
    .update(signed)
    .digest('hex');
  return hash === 'md5-of-md5' ? createHash('md5').update(once).digest('hex') : once;
}

export function signatureOf({ headers, body }: Arrival, secrets: readonly string[]): 'right' | 'other' {
  const named = (end: RegExp): string => headers.find(([name]) => end.test(name))?.[1] ?? '';
  const [timestamp, given] = [named(/^x-.+-timestamp$/i), named(/^x-.+-signature$/i)];
  const due = createHmac('sha256', secrets.at(-1) ?? '')
    .update(`${timestamp}.`)
    .update(body)
    .digest('hex');
  return given === due ? 'right' : 'other';
}

const answerWithinMs = 40_000;

export const noControl =
  'NFE_CONTROL_URL and NFE_CONTROL_TOKEN are not set: the run steered the target by its control API';

export function controlAt(): { readonly url: string; readonly token: string } | undefined {
  const [url, token] = [env['NFE_CONTROL_URL'], env['NFE_CONTROL_TOKEN']];
  return url && token ? { url, token } : undefined;
}

export async function control(
  method: string,
  path: string,
  json: unknown,
): Promise<{ status: number; answer: unknown }> {
  const at = controlAt();
  if (!at) throw new NotTried(noControl);
  const { url, token } = at;
  hide(token, '$NFE_CONTROL_TOKEN');
  try {
    const came = await fetch(`${url.replace(/(?<!\/)\/+$/, '')}/control/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await came.text();
    return { status: came.status, answer: jsonIn(text) };
  } catch {
    throw new NotTried('the control API cannot be reached');
  }
}

interface Outgoing {
  readonly url: URL;
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: Buffer;
  /** Names the connection of the run that it went over. */
  readonly connection?: number | undefined;
}

/** What is sent, over connections that are shared as in the run. */
export class Connections {
  readonly #agents = new Map<number, http.Agent>();

  send(outgoing: Outgoing): Promise<Answer> {
    const { url, headers, connection } = outgoing;
    const host: Headers = headers.some(([name]) => /^host$/i.test(name)) ? [] : [['host', url.host]];
    return exchanged({ ...outgoing, headers: [...host, ...headers] }, this.#agentOf(connection, url));
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }

  #agentOf(connection: number | undefined, { protocol }: URL): http.Agent | undefined {
    if (connection === undefined || protocol === 'https:') return undefined;
    const agent = this.#agents.get(connection) ?? new http.Agent({ keepAlive: true });
    this.#agents.set(connection, agent);
    return agent;
  }
}

function exchanged({ url, method, path, headers, body }: Outgoing, agent: http.Agent | undefined): Promise<Answer> {
  const has = (name: string): boolean => headers.some(([own]) => own.toLowerCase() === name);
  const takesBody = body.length > 0 || /^(POST|PUT|PATCH)$/.test(method);
  const length =
    takesBody && !has('content-length') && !has('transfer-encoding') ? [['content-length', String(body.length)]] : [];
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(new NotTried(`no answer: ${error.message}`));
    const options = {
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port,
      path,
      method,
      ...(agent ? { agent } : {}),
    };
    const outgoing = request({ ...options, headers: [...headers, ...length].flat() });
    outgoing.on('response', (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', fail);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: pairsOf(answer.rawHeaders), body: Buffer.concat(chunks) }),
      );
    });
    outgoing.on('error', fail);
    outgoing.setTimeout(answerWithinMs, () =>
      outgoing.destroy(new Error(`nothing came within ${answerWithinMs / 1000} s`)),
    );
    outgoing.end(body);
  });
}
