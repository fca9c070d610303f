import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { inTurn, withHeader, type HostileAnswer } from './front.ts';
import { accused, breached } from './kinds.ts';
import type { HostileTarget } from './hostile-target.ts';

const mega = 1024 * 1024;
const bombOf = (pack: (bytes: Buffer) => Buffer): (() => Buffer) => kept(() => pack(Buffer.alloc(100 * mega)));

/** Answers in encodings that nobody asked for: what is in them is judged all the same, and that of bombs is not. */
export const encodings: readonly HostileTarget[] = [
  breached('every answer in gzip', { change: inCoding('gzip', (bytes) => gzipSync(bytes)) }),
  breached('answers in x-gzip, deflate with its header and without, brotli, zstd, and gzip in brotli, in turn', {
    change: inTurn(
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
  accused(
    'bombs of 100 MB in gzip, brotli, zstd, deflate, and gzip in gzip, in turn',
    {
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
    },
    { isBig: true },
  ),
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
