import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import type { Draft } from '../../contract/request.ts';
import { evidenceOf } from '../../trace/evidence.ts';
import { maskFor } from '../../trace/mask.ts';
import { signedRequest } from '../../client/sign.ts';
import type { ExchangeEvidence } from '../../schemas/results.ts';
import { repeatScript } from './script.ts';
import type { ScriptFacts } from './script-facts.ts';
import { hostileText } from '../sample-run.ts';
import { headerOf, recordingServer } from '../testing/recording-server.ts';
import { runScript } from '../testing/run-script.ts';

const secret = 'repeat-canary-secret-0123456789';
const otherSecret = 'another-canary-secret-9876543210';
const mask = maskFor(
  new Map([
    [secret, '$NFE_APP_SECRET'],
    ['hook-canary', '$WEBHOOK_TOKEN'],
  ]),
);
/** When the run was: years ago. */
const nowSeconds = 1_700_000_000;
const server = await recordingServer(`you sent ${otherSecret}\u001b[31m`);
afterAll(() => server.stop());

const facts: ScriptFacts = { baseUrl: server.baseUrl, clause: 'signature.accepted' };
const environment = { NFE_APP_SECRET: otherSecret };

function evidenceWith(change: Partial<Draft>): ExchangeEvidence {
  const call = {
    method: 'POST',
    path: '/openapi/demo/echo',
    contentType: 'application/json',
    rawBody: Buffer.from('{}'),
  };
  const origin = { appSecret: secret, nowSeconds };
  const draft: Draft = { call, token: secret, timestamp: String(nowSeconds), origin, ...change };
  return evidenceOf({ request: signedRequest(draft), durationMs: 1 }, { mask });
}

function scriptOf(change: Partial<Draft>, more: Partial<ScriptFacts> = {}): string {
  return repeatScript(evidenceWith(change), { ...facts, ...more }) ?? 'no script';
}

async function sentBy(script: string, variables: Record<string, string> = environment) {
  const ran = await runScript(script, variables);
  const request = server.seen.at(-1);
  if (!ran.stdout.startsWith('HTTP ') || !request)
    throw new Error(`the script ended with ${ran.status}: ${ran.stderr}`);
  const [timestamp = '', sign] = [headerOf(request, 'timestamp'), headerOf(request, 'sign')];
  return { ...request, ran, timestamp, sign, token: headerOf(request, 'token') };
}

function md5(...pieces: (string | Buffer)[]): string {
  return createHash('md5')
    .update(Buffer.concat(pieces.map((piece) => Buffer.from(piece))))
    .digest('hex');
}

describe('a script sends the request of the evidence', () => {
  test('with a token, timestamp and sign of now', async () => {
    const rawBody = Buffer.from('{\r\n"message":"ação"}');
    const call = { method: 'POST', path: '/openapi/demo/echo', query: 'b=1&a=2', rawBody };
    const { token, timestamp, sign } = await sentBy(scriptOf({ call }));
    expect(token).toBe(otherSecret);
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60);
    expect(sign).toBe(md5(otherSecret, '/openapi/demo/echo', '{"message":"ação"}', timestamp));
  });

  test.each(['/openapi/a/../b/./c', '/openapi//x', '/openapi/%7Euser/%2F'])(
    'with the path %s as it is',
    async (path) => {
      const call = { method: 'GET', path, query: 'a=b&&c=%0d' };
      const { method, target, rawBody, rawHeaders } = await sentBy(scriptOf({ call }));
      expect([method, target, rawBody.length]).toEqual(['GET', `${path}?a=b&&c=%0d`, 0]);
      expect(rawHeaders.join().toLowerCase()).not.toContain('content-length');
    },
  );

  test('behind the path of the base address', async () => {
    const { target } = await sentBy(scriptOf({}, { baseUrl: `${server.baseUrl}/prefix/` }));
    expect(target).toBe('/prefix/openapi/demo/echo');
  });

  test('to the server that NFE_BASE_URL names', async () => {
    const script = scriptOf({}, { baseUrl: 'http://127.0.0.1:1' });
    expect((await sentBy(script, { ...environment, NFE_BASE_URL: server.baseUrl })).target).toBe('/openapi/demo/echo');
  });

  test('with its headers in their order, their letter case and their number', async () => {
    const call = {
      method: 'POST',
      path: '/openapi/x',
      headers: [
        ['X-A', '1'],
        ['x-a', '2'],
        ['Accept', 'é'],
      ],
    } as const;
    const headerNames = { token: 'TOKEN', timestamp: 'Timestamp', sign: 'SiGn' };
    const draft: Partial<Draft> = { call, headerNames, headerOrder: ['sign', 'token', 'timestamp'] };
    const { rawHeaders } = await sentBy(scriptOf(draft));
    const names = rawHeaders.filter((_, index) => index % 2 === 0);
    expect(names.slice(0, 8)).toEqual(['host', 'X-A', 'x-a', 'Accept', 'SiGn', 'TOKEN', 'Timestamp', 'content-length']);
    expect(rawHeaders[7]).toBe('é');
  });

  test('with a body that is no UTF-8 byte for byte', async () => {
    const rawBody = Buffer.from([0xff, 0x00, 0x0d, 0x0a, 0xc3, 0x28]);
    const call = { method: 'POST', path: '/openapi/x', rawBody };
    const { rawBody: arrived, sign, timestamp } = await sentBy(scriptOf({ call }));
    expect(arrived).toEqual(rawBody);
    expect(sign).toBe(md5(otherSecret, '/openapi/x', Buffer.from([0xff, 0x00, 0xc3, 0x28]), timestamp));
  });

  test('with what a mask hides in it taken from the environment', async () => {
    const call = { method: 'POST', path: '/openapi/x', rawBody: Buffer.from('{"url":"http://h/hook-canary"}') };
    const script = scriptOf({ call });
    const { rawBody } = await sentBy(script, { ...environment, WEBHOOK_TOKEN: 'my-$&-token' });
    expect(rawBody.toString()).toBe('{"url":"http://h/my-$&-token"}');
    expect((await runScript(script, environment)).stderr).toContain('WEBHOOK_TOKEN is not set');
  });
});

describe('a script keeps the flaw', () => {
  test('of a timestamp an hour behind', async () => {
    const { timestamp } = await sentBy(scriptOf({ timestamp: String(nowSeconds - 3600) }));
    expect(Math.abs(Number(timestamp) - Date.now() / 1000 + 3600)).toBeLessThan(60);
  });

  test.each([
    ['milliseconds', `${nowSeconds}123`, /^\d{10}123$/],
    ['a fraction', `${nowSeconds}.5`, /^\d{10}\.5$/],
    ['hex', `0x${nowSeconds.toString(16)}`, /^0x6[0-9a-f]{7}$/],
    ['ISO-8601', new Date(nowSeconds * 1000).toISOString(), /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/],
    ['an HTTP date', new Date(nowSeconds * 1000).toUTCString(), /^\w{3}, \d\d \w{3} 20\d\d [\d:]{8} GMT$/],
    ['a word', 'NaN', /^NaN$/],
  ])('of a timestamp as %s, of now', async (_, written, form) => {
    const { timestamp, sign } = await sentBy(scriptOf({ timestamp: written }));
    expect(timestamp).toMatch(form);
    expect(timestamp === written).toBe(written === 'NaN');
    expect(sign).toBe(md5(otherSecret, '/openapi/demo/echo{}', timestamp));
  });

  test.each<[string, (right: string) => string]>([
    ['in upper case', (right) => right.toUpperCase()],
    ['with its first letter in upper case', (right) => right.replace(/[a-f]/, (letter) => letter.toUpperCase())],
    ['cut', (right) => right.slice(0, 16)],
    ['with a character changed', (right) => `${right.slice(0, 9)}${right[9] === '0' ? '1' : '0'}${right.slice(10)}`],
    ['twice', (right) => right + right],
    ['in quotes', (right) => `"${right}"`],
    ['all zeros', () => '0'.repeat(32)],
  ])('of a sign %s', async (_, make) => {
    const { sign, timestamp } = await sentBy(scriptOf({ sign: make }));
    expect(sign).toBe(make(md5(otherSecret, '/openapi/demo/echo{}', timestamp)));
  });

  test.each<[string, string, string]>([
    ['in upper case', secret.toUpperCase(), otherSecret.toUpperCase()],
    ['without its last character', secret.slice(0, -1), otherSecret.slice(0, -1)],
    ['behind the word Bearer', `Bearer ${secret}`, `Bearer ${otherSecret}`],
    ['of nobody', 'token-that-nobody-was-given', 'x'.repeat(27)],
  ])('of a token %s', async (_, token, remade) => {
    const { token: sent, sign, timestamp } = await sentBy(scriptOf({ token }));
    expect(sent).toBe(remade);
    expect(sign).toBe(md5(remade, '/openapi/demo/echo{}', timestamp));
  });

  test('of headers that are missing, and asks for no secret that it does not need', async () => {
    const { rawHeaders } = await sentBy(scriptOf({ omit: ['token', 'timestamp', 'sign'] }), {});
    expect(rawHeaders.join().toLowerCase()).not.toMatch(/token|timestamp|sign/);
  });
});

test('a script whose token is made up asks for no secret', async () => {
  expect((await sentBy(scriptOf({ token: 'token-that-nobody-was-given' }), {})).token).toBe('x'.repeat(27));
});

test('a name that begins like another is taken for the whole that it is', async () => {
  const names = new Map([
    ['hook-canary', '$A_HOOK'],
    ['hook-two-canary', '$A_HOOK_TWO'],
  ]);
  const rawBody = Buffer.from('hook-canary hook-two-canary');
  const origin = { appSecret: secret, nowSeconds };
  const call = { method: 'POST', path: '/openapi/x', rawBody };
  const request = signedRequest({ call, token: secret, timestamp: String(nowSeconds), origin });
  const script = repeatScript(evidenceOf({ request, durationMs: 1 }, { mask: maskFor(names) }), facts) ?? '';
  const { rawBody: arrived } = await sentBy(script, { ...environment, A_HOOK: 'one', A_HOOK_TWO: 'two' });
  expect(arrived.toString()).toBe('one two');
});

describe('a script that can’t', () => {
  test.each([
    [
      'without its secret',
      {},
      'repeat.mjs: NFE_APP_SECRET is not set: the comment at the top of the script says what it holds\n',
    ],
    [
      'with a bad address',
      { ...environment, NFE_BASE_URL: 'ftp://x' },
      'repeat.mjs: NFE_BASE_URL is no http or https address\n',
    ],
  ])('%s ends with one line and status 2', async (_, variables, line) => {
    expect(await runScript(scriptOf({}), variables)).toEqual({ status: 2, stdout: '', stderr: line });
  });

  test('reach the server says so', async () => {
    const ran = await runScript(scriptOf({}, { baseUrl: 'http://127.0.0.1:1' }), environment);
    expect([ran.status, ran.stderr.startsWith('repeat.mjs: no answer: ')]).toEqual([2, true]);
  });

  test('compute a sign says so, and how to repeat the check', () => {
    const replay = 'npm test -- --clause x --seed 1';
    expect(scriptOf({ sign: () => 'abc' }, { replay })).toContain(`If it was computed, repeat the check: ${replay}`);
  });
});

describe('there is no script', () => {
  const evidence = evidenceWith({});
  const { signing: _, ...unsigned } = evidence;
  const body = { text: '{}', encoding: 'utf-8', bytes: 30_000, cut: true } as const;
  test.each<[string, ExchangeEvidence]>([
    ['of a delivery', { ...evidence, received: true }],
    ['of a link that was followed, or of older results', unsigned],
    ['of a body that was cut', { ...evidence, request: { ...evidence.request, body } }],
  ])('%s', (_, exchange) => {
    expect(repeatScript(exchange, facts)).toBeUndefined();
  });
});

describe('a script ends with', () => {
  test.each<[number, string, string, string | undefined]>([
    [0, 'the status is the one that is due', 'NOT REPRODUCED: ', '200'],
    [0, 'it is one of those that are due', 'NOT REPRODUCED: ', '404 or 200'],
    [0, 'the gateway was to let it pass, and did', 'NOT REPRODUCED: ', 'accepted by the gateway'],
    [1, 'another status is due', 'REPRODUCED: ', '404'],
    [1, 'a refusal is due', 'REPRODUCED: ', '410, code 10009034 (endpoint retired)'],
    [1, 'the status is due with a code that is not there', 'REPRODUCED: ', '200, code 100 (fine)'],
    [2, 'more is due than a status and a code', 'NOT TRIED: ', '200, and an empty body'],
    [2, 'nothing says what is due', 'NOT TRIED: ', undefined],
  ])('%i where %s', async (status, _, words, expected) => {
    const { ran } = await sentBy(scriptOf({}, expected === undefined ? {} : { expected }));
    expect(ran.status).toBe(status);
    expect(ran.stdout).toContain(`\n\n${words}`);
  });
});

describe('what a script prints', () => {
  test('is the status, the headers and the body of the answer, and what was expected', async () => {
    const { stdout } = (await sentBy(scriptOf({}, { expected: '401 and “code” 10009003' }))).ran;
    expect(stdout).toMatch(/^HTTP 200\nX-Answer: Yes\n/);
    expect(stdout).toMatch(/\nyou sent \$NFE_APP_SECRET\\x1b\[31m\n\nexpected: 401 and “code” 10009003\n/);
  });

  test('holds no control character, C1 ones neither', async () => {
    const steering = await recordingServer('a\u009b31mb\u0085c\u007fd\u0000e');
    const { stdout } = await runScript(scriptOf({}, { baseUrl: steering.baseUrl }), environment);
    steering.stop();
    expect(stdout).toMatch(/\na\\x9b31mb\\x85c\\x7fd\\x00e\n/);
  });

  test('holds neither the secret nor what was signed', async () => {
    const { ran, sign, timestamp } = await sentBy(scriptOf({}));
    for (const hidden of [otherSecret, 'canary', sign, timestamp])
      expect(ran.stdout + ran.stderr).not.toContain(hidden);
  });

  test('says that an application was the suite’s own', () => {
    const own = maskFor(new Map([[secret, '$APP_SECRET']]));
    const origin = { appSecret: secret, nowSeconds };
    const call = { method: 'GET', path: '/openapi/x' };
    const request = signedRequest({ call, token: secret, timestamp: String(nowSeconds), origin });
    const script = repeatScript(evidenceOf({ request, durationMs: 1 }, { mask: own }), facts) ?? '';
    expect(script).toContain('//   NFE_APP_SECRET: what the report shows as $APP_SECRET');
    expect(script).toContain('// In the run the suite had made the application itself.');
  });
});

describe('hostile text stays data', () => {
  const attack = `${hostileText.slice(0, 400)}\u2028process.exit(9)\n\`\${process.exit(9)}\`"); process.exit(9); // */</script>`;

  test('in the body and in what is said of the run', async () => {
    const call = { method: 'POST', path: '/openapi/x', rawBody: Buffer.from(attack) };
    const script = scriptOf({ call }, { clause: attack, replay: attack, expected: attack });
    const { ran, rawBody } = await sentBy(script);
    expect([ran.status, rawBody.equals(Buffer.from(attack))]).toEqual([2, true]);
    expect(script).not.toContain('<');
    expect(script).toMatch(/^[\n\x20-\x7e]*$/);
  });

  test('wherever else results from elsewhere may hold it: nothing is sent, nothing is run', async () => {
    const form = { text: attack };
    const request = {
      method: attack,
      target: attack,
      headers: [
        [attack, attack],
        ['Sign', attack],
        ['token', attack],
      ],
    };
    const signing = {
      secret: attack,
      token: form,
      timestamp: [form, { base64: attack }],
      digest: { hash: 'md5' as const, of: [form, { base64: attack }] },
      sign: { between: [attack, attack] },
      hidden: [attack, '$NFE_APP_SECRET'],
    };
    const script = repeatScript({ request, signing, durationMs: 1 }, { ...facts, baseUrl: attack }) ?? '';
    const ran = await runScript(script, { ...environment, NFE_BASE_URL: server.baseUrl });
    expect([ran.status, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toMatch(/^repeat\.mjs: the request cannot be sent: [^\n]*\n$/);
    expect(script).toMatch(/^[\n\x20-\x7e]*$/);
  });
});
