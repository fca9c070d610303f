import { connect } from 'node:net';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { endpoints, retiredEndpoints } from '../contract/endpoints.ts';
import { nfeProc } from './documents/nfe-xml.ts';
import { echoCall, send, signedCall, runningSimulator } from './testing/call.ts';
import { profileText } from './testing/company.ts';
import { documentOf } from './testing/documents.ts';
import { profileBody } from './testing/invoice-bodies.ts';

/** Requests; `FUZZED` asks for more. */
const count = Number(process.env['FUZZED'] ?? 3_000);
/** Those under way at once. */
const abreast = 16;

const simulator = runningSimulator();
afterEach(() => vi.restoreAllMocks());

/** What some endpoint takes: what is broken of it gets farther than what is no more than noise. */
const sound: readonly string[] = [
  '{"message":"hello"}',
  profileText('empresa.json'),
  profileText('nf-e.autorizada.json'),
  JSON.stringify({ uri: 'http://127.0.0.1:9/a', token: 'a' }),
  nfeProc(documentOf(profileBody('autorizada'))).xml.toString('utf8'),
  '--b\r\nContent-Disposition: form-data; name="arquivo"; filename="c.pfx"\r\n\r\nabc\r\n--b--\r\n',
];
const types = [
  'application/json',
  'application/xml',
  'multipart/form-data; boundary=b',
  'multipart/form-data',
  '\tx',
  '',
];

const bytes = (most: number): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ maxLength: most }).map((array) => Buffer.from(array));

/** A sound body with some of its bytes replaced by others, a stretch of itself or nothing. */
const broken = fc
  .record({
    body: fc.constantFrom(...sound).map((text) => Buffer.from(text)),
    cuts: fc.array(
      fc.tuple(
        fc.nat(),
        fc.nat({ max: 40 }),
        fc.oneof(
          bytes(30),
          fc.json().map((text) => Buffer.from(text)),
        ),
      ),
      {
        maxLength: 4,
      },
    ),
  })
  .map(({ body, cuts }) =>
    cuts.reduce((whole, [place, length, piece]) => {
      const at = place % (whole.length + 1);
      return Buffer.concat([whole.subarray(0, at), piece, whole.subarray(at + length)]);
    }, body),
  );

const segment = fc.oneof(
  fc.string({ minLength: 1, maxLength: 60 }).map(encodeURIComponent),
  fc.stringMatching(/^\d{11,44}$/),
  fc.constantFrom('%', '%00', '%ff', '..', '.', '%2f', '{xx}', 'a;b', '__proto__'),
);

/** A signed request for some endpoint, with a body that is nearly right. */
const signed = fc.record({
  endpoint: fc.constantFrom(...endpoints, ...retiredEndpoints),
  segments: fc.array(segment, { minLength: 3, maxLength: 3 }),
  query: fc.option(fc.webQueryParameters(), { nil: undefined }),
  contentType: fc.constantFrom(...types),
  language: fc.option(fc.constantFrom('zh', 'pt-BR;q=1, *;q=0', ';;;', '*', 'en, '.repeat(500)), { nil: undefined }),
  body: fc.oneof({ weight: 4, arbitrary: broken }, { weight: 1, arbitrary: bytes(400) }),
});

/** Bytes that look like the start of a request, at best. */
const raw = fc.tuple(bytes(60), fc.nat({ max: 200 })).map(([piece, at]) => {
  const whole = Buffer.from(
    'POST /openapi/demo/echo HTTP/1.1\r\nhost: a\r\ntoken: a\r\ncontent-length: 3\r\n\r\nabcGET / HTTP/1.1\r\n\r\n',
  );
  return Buffer.concat([whole.subarray(0, at), piece, whole.subarray(at + piece.length)]);
});

/** The status of what comes back for bytes; 0 where the connection ends without. */
function statusOf(whole: Buffer): Promise<number> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(new URL(simulator.baseUrl).port), '127.0.0.1', () => socket.end(whole));
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1] ?? 0)));
  });
}

type Signed = typeof signed extends fc.Arbitrary<infer T> ? T : never;

async function statusOfSigned(token: string, one: Signed): Promise<number> {
  const { endpoint, segments, query, contentType, language, body } = one;
  const names = [...segments];
  const path = endpoint.path.replaceAll(/\{\w+\}/g, () => names.pop() ?? 'a');
  const isSignedEmpty = ['GET', 'DELETE'].includes(endpoint.method) || contentType.startsWith('multipart/');
  const text = body.toString('latin1').replaceAll(/[\r\n]/g, '');
  const call = signedCall({
    token,
    method: endpoint.method,
    target: query === undefined ? path : `${path}?${query}`,
    body,
    signedBody: isSignedEmpty ? '' : Buffer.from(text, 'latin1'),
    headers: { 'content-type': contentType, ...(language === undefined ? {} : { language }) },
  });
  return (await send(simulator.baseUrl, call)).status;
}

test(
  `${count} requests that are nearly right, or noise, are answered, none of them with 5xx`,
  { timeout: 3_600_000 },
  async () => {
    const errors = vi.spyOn(console, 'error').mockReturnValue();
    const { appSecret } = await simulator.application();
    const seed = Number(process.env['FUZZ_SEED'] ?? Date.now());
    const ofRaw = Math.round(count / 5);
    const left: (Signed | Buffer)[] = [
      ...fc.sample(signed, { numRuns: count - ofRaw, seed }),
      ...fc.sample(raw, { numRuns: ofRaw, seed }),
    ];
    const statuses = new Map<number, number>();
    const sendAll = async (): Promise<void> => {
      for (let one = left.pop(); one !== undefined; one = left.pop()) {
        const status = await (Buffer.isBuffer(one) ? statusOf(one) : statusOfSigned(appSecret, one));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status >= 500) throw new Error(`FUZZ_SEED=${seed} ${JSON.stringify(one)} is answered with ${status}`);
      }
    };
    await Promise.all(Array.from({ length: abreast }, sendAll));
    expect(errors.mock.calls, `FUZZ_SEED=${seed}`).toEqual([]);
    // Many get past the gateway: what is refused there alone would try nothing else.
    expect((statuses.get(400) ?? 0) + (statuses.get(404) ?? 0) + (statuses.get(200) ?? 0)).toBeGreaterThan(count / 3);
    expect((await send(simulator.baseUrl, echoCall(appSecret))).status).toBe(200);
  },
);
