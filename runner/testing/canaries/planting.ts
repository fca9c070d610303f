import { gzipSync } from 'node:zlib';

/** Gives the next canary, again and again. */
export type Next = () => string;

/** A JSON answer of a right server with canaries in every kind of place; no member that was there is changed but a text that explains. */
export function planted(value: unknown, next: Next): unknown {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.map((item, index) => (index === 0 ? planted(item, next) : item));
  }
  if (typeof value !== 'object' || value === null) return value;
  return { ...value, ...places(next) };
}

function places(next: Next): Record<string, unknown> {
  return {
    outro: next(),
    dados: {
      nome: next(),
      message: `não consta: ${next()}`,
      mensagem: `"${next()}"`,
      status: next(),
      code: next(),
      nfeId: next(),
      linkDanfe: next(),
      nfeDataEmissao: next(),
      error: next(),
      [next()]: 1,
    },
    lista: [next(), [next()], { reason: next() }],
    texto: JSON.stringify({ nome: next(), message: next(), dentro: JSON.stringify({ a: next() }) }),
    xml: `<pessoa nome="${next()}"><xMotivo>${next()}</xMotivo></pessoa>`,
    numero: 39053344705,
    nascimento: 17111963,
  };
}

/** A body that is no answer of the contract, with the type that is said of it. */
interface Broken {
  readonly type: string;
  readonly body: Buffer | string;
  readonly encoding?: string;
}

/** Answers that no contract knows, one kind after the other. */
export const brokenBodies: readonly ((next: Next) => Broken)[] = [
  (next) => ({
    type: 'text/html',
    body: `<html><title>${next()}</title><p id="${next()}">${next()}<!-- ${next()} -->`,
  }),
  (next) => ({
    type: 'text/xml',
    body: `<?xml version="1.0"?><erro><nome>${next()}</nome><message>${next()}</message>`,
  }),
  (next) => ({ type: 'text/plain', body: `${next()} ${next()}\r\n${next()}` }),
  (next) => ({
    type: 'application/octet-stream',
    body: Buffer.concat([Buffer.from([0, 255, 254, 1]), Buffer.from(next()), Buffer.from([0, 200])]),
  }),
  (next) => ({ type: 'application/pdf', body: `%PDF-1.4\n(${next()}) Tj\n(${next()}) Tj\n%%EOF` }),
  (next) => ({ type: 'application/json', body: `{"code": 10009002, "message": "${next()}", "nome": "${next()}` }),
  (next) => ({ type: 'application/json', body: JSON.stringify(next()) }),
  (next) => ({ type: 'application/json', body: JSON.stringify([[next()], next()]) }),
  (next) => ({
    type: 'application/json',
    body: gzipSync(JSON.stringify({ success: false, code: next(), message: next(), errorType: next() })),
    encoding: 'gzip',
  }),
  (next) => ({ type: 'text/plain; charset=iso-8859-1', body: Buffer.from(`usuário ${next()} ${next()}`, 'latin1') }),
  (next) => ({ type: 'text/plain; charset=utf-16', body: Buffer.from(`\ufeff${next()} ${next()}`, 'utf16le') }),
  (next) => ({ type: 'application/x-www-form-urlencoded', body: `nome=${encodeURIComponent(next())}&k=${next()}` }),
  (next) => ({ type: next(), body: `{"requestId": "${encodeURIComponent(next())}"}` }),
];

/** What broken answers are said to be, one after the other. */
export const statuses = [200, 400, 401, 403, 404, 410, 429, 500] as const;

/** Headers of every answer. */
export function plantedHeaders(next: Next, cookie: string): Record<string, string> {
  return {
    'set-cookie': `SESSION=${cookie}; Path=/; HttpOnly`,
    'x-trace': next(),
    'x-powered-by': next(),
    server: next(),
    etag: `"${next()}"`,
    link: `</d/kWzTnRcYhPdMvLxq>; rel="next"`,
    location: '/d/f3a9c1d27be84f60?t=Zt8-vKq2_LmXw9Rb',
    'www-authenticate': `Bearer realm="${next()}"`,
    'content-disposition': `attachment; filename="${next()}.xml"`,
    [`x-${inName(next())}`]: '1',
  };
}

/** A text as the name of a header takes it. */
function inName(text: string): string {
  return /^[\w.~%-]{1,50}$/.test(text) ? text : Buffer.from(text).toString('base64url');
}

/** A text as a header takes it. */
export function inHeader(text: string): string {
  return text.replaceAll(/[^\x20-\x7e\xa0-\xff]/g, ' ').trim();
}
