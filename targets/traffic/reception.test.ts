import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodedBody } from './reception.ts';

const text = Buffer.from('{"message":"ação"}');
const most = 1_000;

test.each([
  ['gzip', gzipSync(text)],
  ['X-Gzip', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['br', brotliCompressSync(text)],
  ['zstd', zstdCompressSync(text)],
  ['gzip, br', brotliCompressSync(gzipSync(text))],
  ['identity', text],
  ['', text],
])('a body in %j is what was put into it', async (coding, bytes) => {
  expect(await decodedBody(bytes, coding, most)).toEqual({ rawBody: text, isCut: false });
});

test.each([
  ['gzip', text, 'no gzip, though it is said to be'],
  ['gzip', gzipSync(text).subarray(0, 20), 'no gzip, though it is said to be'],
  ['x-klingon', text, 'unknown content coding x-klingon'],
  ['gzip, gzip, gzip, gzip, gzip', text, '5 content codings'],
])('a body that is not what %j says stays as it came, and says why', async (coding, bytes, undecoded) => {
  expect(await decodedBody(bytes, coding, most)).toEqual({ rawBody: bytes, isCut: false, undecoded });
});

test.each([
  ['gzip', gzipSync(Buffer.alloc(50_000_000))],
  ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(50_000_000)))],
  ['br', brotliCompressSync(Buffer.alloc(1_000_000))],
])('a bomb in %s is cut at the budget', async (coding, bytes) => {
  const { rawBody, isCut } = await decodedBody(bytes, coding, most);
  expect([rawBody.length <= most, isCut]).toEqual([true, true]);
});

test('the start of a packed body that was cut is unpacked as far as it goes', async () => {
  const packed = gzipSync(Buffer.from(Array.from({ length: 5_000 }, (_, at) => String(at)).join(' ')));
  const { rawBody, isCut, undecoded } = await decodedBody(packed.subarray(0, 2_000), 'gzip', 100_000, false);
  expect([rawBody.toString().startsWith('0 1 2 3 4'), isCut, undecoded]).toEqual([true, true, undefined]);
});

test('no body at all is in every coding', async () => {
  expect(await decodedBody(Buffer.alloc(0), 'gzip', most)).toEqual({ rawBody: Buffer.alloc(0), isCut: false });
});
