import { ofClauses } from '../runs.ts';
import {
  headOf,
  inTurn,
  isDownload,
  withHeader,
  withJson,
  written,
  type HostileAnswer,
  type Give,
  accused,
  breached,
  type HostileTarget,
  withLife,
  broken,
} from './front.ts';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect } from 'vitest';

const mega = 1024 * 1024;

const beyondHttp = ['file:///etc/passwd', 'data:application/pdf,%25PDF-1.4', 'http://user:pass@127.0.0.1:9/'];

/** An answer with a member of so many bytes. */
function padded(bytes: number): (answer: HostileAnswer) => HostileAnswer {
  const padding = `"padding":"${'x'.repeat(bytes)}",`;
  return withJson((text) => `{${padding}${text.slice(1)}`);
}

/** More than anybody needs. */
export const sizes: readonly HostileTarget[] = [
  breached('a header of 60 kB, 10,000 headers, and headers in Latin-1, in turn', {
    change: inTurn(withHeader('x-long', 'h'.repeat(60_000)), withManyHeaders, withHeader('x-odd', 'a\xe7\xe3o')),
    settings: { NFE_NUM_RUNS: '2' },
  }),
  accused('a header of 4 MB, one with a bare CR, with a NUL, and one that is folded, in turn', {
    change: inTurn(
      withHeader('x-long', 'h'.repeat(4 * mega)),
      withHeader('x-odd', 'a\rb'),
      withHeader('x-odd', 'a\0b'),
      withHeader('x-odd', 'a\r\n b'),
    ),
  }),
  accused('7.5 MB in every answer', { meets: () => true, change: padded(7.5 * mega) }),
  breached('0.9 MB in every answer', { change: padded(0.9 * mega), settings: { NFE_NUM_RUNS: '2' } }),
  accused('100 MB in each echo of a check', { give: pouring(100) }),
  withLife('600 kB of XML elements that are never closed, and 240 kB of "<nome", behind links in turn', {
    meets: isDownload,
    change: inTurn(xmlOf('<a>'.repeat(200_000)), xmlOf('<nome'.repeat(48_000))),
  }),
  withLife('redirects in circles behind links', { meets: isDownload, give: redirecting('?t=again') }),
  withLife('redirects to a file, to data, and to a user of another host, behind links in turn', {
    meets: isDownload,
    give: inTurn(...beyondHttp.map(redirecting)),
  }),
  withLife('100 MB behind a link', { meets: isDownload, give: pouring(100) }),
  withLife(
    'a link that drips',
    {
      meets: isDownload,
      give: (socket, answer) => {
        socket.write(headOf({ ...answer, headers: [['content-length', '300']] }));
        const timer = setInterval(() => socket.write(' '), 1000);
        socket.on('close', () => clearInterval(timer));
      },
    },
    { isSlow: true },
  ),
  accused('a redirect of each echo of a check to itself, and to a file, in turn', {
    give: inTurn(...['/nfe-gw/openapi/demo/echo', 'file:///etc/passwd'].map(redirecting)),
  }),
];

function withManyHeaders(answer: HostileAnswer): HostileAnswer {
  const many = Array.from({ length: 10_000 }, (_, at) => [`x-${at}`, 'v'] as const);
  return { ...answer, headers: [...answer.headers, ...many] };
}

/** So many megabytes, as fast as they are taken. */
function pouring(megabytes: number): Give {
  const piece = Buffer.alloc(mega, 0x20);
  return (socket, answer) => {
    socket.write(headOf({ ...answer, headers: [['content-length', String(megabytes * mega)]] }));
    const pour = (left: number): void => {
      if (left === 0) socket.end();
      else if (!socket.destroyed) socket.write(piece, () => pour(left - 1));
    };
    pour(megabytes);
  };
}

function xmlOf(body: string): (answer: HostileAnswer) => HostileAnswer {
  return (answer) => ({ ...answer, status: 200, headers: [['content-type', 'text/xml']], body: Buffer.from(body) });
}

function redirecting(location: string): Give {
  return (socket, answer) =>
    void socket.end(written({ ...answer, status: 302, headers: [['location', location]], body: Buffer.alloc(0) }));
}

const bombOf = (pack: (bytes: Buffer) => Buffer): (() => Buffer) => kept(() => pack(Buffer.alloc(100 * mega)));

/** Answers in encodings that nobody asked for: what is in them is judged all the same, and that of bombs is not. */
export const encodings: readonly HostileTarget[] = [
  breached('answers in gzip, x-gzip, deflate with its header and without, brotli, zstd, and gzip in brotli, in turn', {
    change: inTurn(
      inCoding('gzip', (bytes) => gzipSync(bytes)),
      inCoding('x-gzip', (bytes) => gzipSync(bytes)),
      inCoding('deflate', (bytes) => deflateSync(bytes)),
      inCoding('deflate', (bytes) => deflateRawSync(bytes)),
      inCoding('br', (bytes) => brotliCompressSync(bytes)),
      inCoding('ZSTD', (bytes) => zstdCompressSync(bytes)),
      inCoding('gzip, br', (bytes) => brotliCompressSync(gzipSync(bytes))),
    ),
  }),
  breached('plain answers that say identity, gzip, an encoding that nobody knows, and a thousand of them, in turn', {
    change: inTurn(
      withHeader('content-encoding', 'identity'),
      withHeader('content-encoding', 'gzip'),
      withHeader('content-encoding', 'x-klingon'),
      withHeader('content-encoding', Array(1000).fill('gzip').join(', ')),
    ),
  }),
  accused('answers in a gzip that breaks off', {
    change: inCoding('gzip', (bytes) => gzipSync(bytes).subarray(0, 30)),
  }),
  accused('bombs of 100 MB in gzip, brotli, zstd, deflate, and gzip in gzip, in turn', {
    change: inTurn(
      inCoding(
        'gzip',
        bombOf((zeros) => gzipSync(zeros)),
      ),
      inCoding(
        'br',
        bombOf((zeros) => brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })),
      ),
      inCoding(
        'zstd',
        bombOf((zeros) => zstdCompressSync(zeros)),
      ),
      inCoding(
        'deflate',
        bombOf((zeros) => deflateSync(zeros)),
      ),
      inCoding(
        'gzip, gzip',
        bombOf((zeros) => gzipSync(gzipSync(zeros))),
      ),
    ),
  }),
];

/** Makes something when it is first asked for. */
function kept(make: () => Buffer): () => Buffer {
  let made: Buffer | undefined;
  return () => (made ??= make());
}

/** The answer in that encoding, and said to be so. */
function inCoding(name: string, coded: (bytes: Buffer) => Buffer): (answer: HostileAnswer) => HostileAnswer {
  return (answer) => withHeader('content-encoding', name)({ ...answer, body: coded(answer.body) });
}

const isEnvelope = (answer: HostileAnswer): boolean => answer.body.toString('utf8').startsWith('{');

/** A member more in each JSON object that is answered. */
function alsoHolding(member: string): (answer: HostileAnswer) => HostileAnswer {
  return withJson((text) => `{${member},${text.slice(1)}`);
}

/** A value so many levels deep. */
function nested(open: string, value: string, close: string, levels: number): string {
  return open.repeat(levels) + value + close.repeat(levels);
}

const escapes = '\\u001b]0;\\u0007\\u001b[2J';
const commands = '\\n::error::owned\\n##[error]\\n';
const html = '<script>alert(1)</script><img src=x>](a:b)|#';
/** So short that a finding shows it whole with what was to be echoed. */
const terminal = `${escapes}${commands}${html}`;

/** JSON that few would write, and texts that mean something elsewhere. */
export const texts: readonly HostileTarget[] = [
  accused('arrays 100,000 deep, objects 50,000 deep, and an echo 100,000 deep, in turn', {
    change: inTurn(
      alsoHolding(`"deep":${nested('[', '', ']', 100_000)}`),
      alsoHolding(`"deep":${nested('{"a":', '1', '}', 50_000)}`),
      withJson((text) => text.replace(/"echo":"/, `"echo":${nested('[', '', ']', 100_000)},"was":"`)),
    ),
  }),
  breached('20,000 members, 100,000 items, and numbers of 5,000 digits, in turn', {
    change: inTurn(
      alsoHolding(Array.from({ length: 20_000 }, (_, at) => `"m${at}":1`).join(',')),
      alsoHolding(`"many":[${'1,'.repeat(100_000)}1]`),
      alsoHolding(`"huge":${'9'.repeat(5_000)},"tiny":1e-99999,"big":1e99999`),
    ),
    settings: { NFE_NUM_RUNS: '2' },
  }),
  breached('members that are there twice, __proto__ and constructor, lone surrogates and a NUL, in turn', {
    change: inTurn(
      alsoHolding('"twice":1,"twice":2'),
      alsoHolding('"__proto__":{"polluted":true,"code":1},"constructor":{"prototype":{"code":1}},"toString":1'),
      alsoHolding(String.raw`"lone":"\ud800 \udc00 \udfff","\ud800":1`),
      alsoHolding(String.raw`"nul":"a\u0000b"`),
    ),
  }),
  breached('a byte order mark, UTF-16 with one and without, ISO 8859-1, Windows-1252 and an unknown charset, in turn', {
    change: inTurn(
      (answer) => ({ ...answer, body: Buffer.concat([Buffer.from('\ufeff'), answer.body]) }),
      inCharset('utf-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')),
      inCharset('utf-16le', (text) => Buffer.from(text, 'utf16le')),
      inCharset('ISO-8859-1', (text) => Buffer.from(text.replace(/[^\0-\xff]/g, '?'), 'latin1')),
      inCharset('"windows-1252"', windows1252),
      inCharset('x-klingon', (text) => Buffer.from(text)),
    ),
  }),
  accused('a page of HTML, NUL before the JSON, UTF-8 that says to be UTF-16, and bytes that are no UTF-8, in turn', {
    change: inTurn<[HostileAnswer], HostileAnswer>(
      page,
      (answer) => ({ ...answer, body: Buffer.concat([Buffer.alloc(3), answer.body]) }),
      inCharset('utf-16', (text) => Buffer.from(text)),
      (answer) => ({
        ...answer,
        body: Buffer.from(answer.body.toString('latin1').replace('{', '{\xff\xfe'), 'latin1'),
      }),
    ),
  }),
  accused(
    'escapes of terminals, commands of CI, Markdown and HTML in every text',
    {
      meets: () => true,
      hasBreach: true,
      // Shown whole: what is hidden would be inert by itself.
      settings: { NFE_SHOW: 'all' },
      change: withJson((text) => text.replace(/"(message|mensagem|echo)":"/g, `"$1":"${terminal}`)),
    },
    {
      words: [...ofClauses('echo.message-returned', 'echo.status'), '--topic', 'envelope'],
      ends: broken,
      also: isInert,
    },
  ),
];

/** No output holds a control character of a terminal, a command of a CI at the start of a line, or a tag of the target. */
function isInert({ everything, files, stdout, stderr }: Parameters<NonNullable<HostileTarget['also']>>[0]): void {
  expect(everything).not.toContain('\u001b');
  expect(everything).not.toContain('\u0007');
  for (const name of ['index.html', 'summary.md', 'junit.xml']) {
    const text = files.get(name) ?? '';
    expect(text, name).toContain('owned');
    expect(text, name).not.toContain('<script>alert(1)');
    expect(text, name).not.toContain('<img src=x');
  }
  expect(`${stdout}\n${stderr}`).not.toMatch(/^[ \t]*(?:::|##\[)/m);
}

function inCharset(charset: string, bytesOf: (text: string) => Buffer): (answer: HostileAnswer) => HostileAnswer {
  return (answer) => {
    if (!isEnvelope(answer)) return answer;
    const headers = answer.headers.filter(([name]) => name !== 'content-type');
    const body = bytesOf(answer.body.toString('utf8').replace('{', '{"ç":"ação",'));
    return withHeader('content-type', `application/json; charset=${charset}`)({ ...answer, headers, body });
  };
}

function page(): HostileAnswer {
  const body = Buffer.from('<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>');
  return { status: 200, headers: [['content-type', 'text/html']], body };
}

/** What is no Latin-1 is left out but for the euro sign. */
function windows1252(text: string): Buffer {
  return Buffer.from(text.replace(/[^\0-\xff]/g, '?').replace('ação', 'ação\x80'), 'latin1');
}
