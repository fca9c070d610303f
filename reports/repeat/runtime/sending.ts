import http from 'node:http';
import https from 'node:https';
import { NotTried, env, hide, pairsOf, jsonIn, type Headers, type Answer } from './kit.ts';

const answerWithinMs = 40_000;

export async function control(
  method: string,
  path: string,
  json: unknown,
): Promise<{ status: number; answer: unknown }> {
  const [url, token] = [env['NFE_CONTROL_URL'], env['NFE_CONTROL_TOKEN']];
  if (!url || !token)
    throw new NotTried(
      'NFE_CONTROL_URL and NFE_CONTROL_TOKEN are not set: the run steered the target by its control API',
    );
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
  readonly agent: http.Agent | undefined;
}

export function exchanged({ url, method, path, headers, body, agent }: Outgoing): Promise<Answer> {
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
