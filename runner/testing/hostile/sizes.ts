import { headOf, inTurn, isDownload, withHeader, withJson, written, type HostileAnswer, type Give } from './front.ts';
import { accused, breached } from './kinds.ts';
import type { HostileTarget } from './hostile-target.ts';
import { withLife } from './life.ts';

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
  }),
  accused(
    'a header of 4 MB, one with a bare CR, with a NUL, and one that is folded, in turn',
    {
      change: inTurn(
        withHeader('x-long', 'h'.repeat(4 * mega)),
        withHeader('x-odd', 'a\rb'),
        withHeader('x-odd', 'a\0b'),
        withHeader('x-odd', 'a\r\n b'),
      ),
    },
    { isBig: true },
  ),
  accused('7.5 MB in every answer', { meets: () => true, change: padded(7.5 * mega) }, { isBig: true }),
  breached(
    '0.9 MB in every answer',
    { change: padded(0.9 * mega), settings: { NFE_NUM_RUNS: '2' } },
    { words: ['--topic', 'echo'], isBig: true },
  ),
  accused('100 MB in each echo of a check', { give: pouring(100) }, { isBig: true }),
  withLife(
    '600 kB of XML elements that are never closed, and 240 kB of "<nome", behind links in turn',
    {
      meets: isDownload,
      change: inTurn(xmlOf('<a>'.repeat(200_000)), xmlOf('<nome'.repeat(48_000))),
    },
    { isBig: true },
  ),
  withLife('redirects in circles behind links', { meets: isDownload, give: redirecting('?t=again') }),
  withLife('redirects to a file, to data, and to a user of another host, behind links in turn', {
    meets: isDownload,
    give: inTurn(...beyondHttp.map(redirecting)),
  }),
  withLife('100 MB behind a link', { meets: isDownload, give: pouring(100) }, { isBig: true }),
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
