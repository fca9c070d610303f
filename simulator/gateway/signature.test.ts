import { describe, expect, test } from 'vitest';
import { signatureRules } from '../rules/signature.ts';
import { echoCall, send, signedCall, type SignedCall } from '../testing/call.ts';
import { runningSimulator } from '../testing/running.ts';

const simulator = runningSimulator();
const refused = { status: 401, json: { success: false, errorType: 1, code: 10009003 } };
const accepted = { status: 200 };

async function echo(parts: Partial<SignedCall>): Promise<unknown> {
  const { appSecret } = await simulator.application();
  return send(simulator.baseUrl, echoCall(appSecret, parts));
}

async function call(parts: Omit<SignedCall, 'token'>): Promise<unknown> {
  const { appSecret } = await simulator.application();
  return send(simulator.baseUrl, signedCall({ token: appSecret, ...parts }));
}

describe('what is hashed', () => {
  const { join, digest } = signatureRules;
  // Literals: printf '<token><path><body><timestamp>' | md5sum
  test.each([
    ['/openapi/demo/echo', '{"message":"hello"}', 'df9a8b3cab1fe6233f6cbeb657454958'],
    ['/openapi/demo/echo', '{  "message": "hello"}', 'bad2e78d3f6d95d6d23ca2294e402872'],
    ['/openapi/demo/echo', '{"message":"São João 🇧"}', '6213cb57efd9d20ce69a7f2f8d54c6a4'],
    ['/openapi/v2/empresas/E1/nf-e/2026%2F001%20%c3%a3%0D%0A', '', '50b24996387646dbbbff3b2c3c6430ed'],
    ['/openapi/v1/empresas/E1/certificadoDigital', '', '38fcf2737ca7affcb3347ed4a0c4f004'],
  ])('%s with %j has the sign that md5sum gives', (path, body, sign) => {
    const parts = { token: 'S3cr3tOfTheApplication0001', path, body: Buffer.from(body), timestamp: '1790000000' };
    expect(digest(join(parts))).toBe(sign);
  });

  test('a body that is not UTF-8 goes in byte for byte', () => {
    const body = Buffer.from([0xff, 0xfe, 0x3c, 0x00, 0x78]);
    const path = '/openapi/v3/consultas/nf-e/xml';
    const input = join({ token: 'S3cr3tOfTheApplication0001', path, body, timestamp: '1790000000' });
    expect(digest(input)).toBe('405b16363b02dd920e01941ee5698ad3');
  });
});

describe('body', () => {
  test('every CR and LF is removed before hashing', async () => {
    const body = '\r\n{\r\r"message":\n\r "hello"\n}\r\n';
    expect(await echo({ body, signedBody: '{"message": "hello"}' })).toMatchObject(accepted);
    expect(await echo({ body, signedBody: body })).toMatchObject(refused);
  });

  test('nothing but CR and LF is removed', async () => {
    const body = ' \t{"message":"a\u2028\u0085\u00a0b\\r\\n"} \t';
    expect(await echo({ body })).toMatchObject(accepted);
    expect(await echo({ body, signedBody: body.trim() })).toMatchObject(refused);
  });

  test('a body is hashed as its bytes, UTF-8 or not', async () => {
    const body = Buffer.from([0x7b, 0xff, 0x0a, 0x80, 0x7d]);
    const signedBody = Buffer.from([0x7b, 0xff, 0x80, 0x7d]);
    expect(await echo({ body, signedBody })).toMatchObject({ status: 400 });
  });

  test.each(['GET', 'DELETE'])('a body of %s is not signed', async (method) => {
    const target = '/openapi/v2/empresas/E1/nf-e/1';
    expect(await call({ method, target, body: '{}', signedBody: '' })).toMatchObject({ status: 404 });
    expect(await call({ method, target, body: '{}' })).toMatchObject(refused);
  });

  test.each(['multipart/form-data; boundary=x', 'Multipart/Mixed; boundary=x'])(
    'a body of %s is not signed',
    async (type) => {
      const target = '/openapi/v1/empresas/E1/certificadoDigital';
      const parts = { method: 'POST', target, body: '--x--\r\n', headers: { 'content-type': type } };
      expect(await call({ ...parts, signedBody: '' })).toMatchObject({ status: 404 });
      expect(await call({ ...parts, signedBody: '--x--' })).toMatchObject(refused);
    },
  );

  test('a Content-Type that only mentions multipart changes nothing', async () => {
    expect(await echo({ headers: { 'content-type': 'application/json; x=multipart/form-data' } })).toMatchObject(
      accepted,
    );
  });
});

describe('path', () => {
  const target = '/openapi/v2/empresas/E%2f1/nf-e/a%20%c3%A7';

  test('escapes are signed as they stand on the request line', async () => {
    expect(await call({ target })).toMatchObject({ status: 404 });
    expect(await call({ target, signedPath: decodeURIComponent(target) })).toMatchObject(refused);
    expect(await call({ target, signedPath: target.toUpperCase() })).toMatchObject(refused);
  });

  test('the query is not signed', async () => {
    const path = '/openapi/demo/echo';
    expect(await echo({ target: `${path}?a=1?b=%0A/`, signedPath: path })).toMatchObject(accepted);
    expect(await echo({ target: `${path}?a=1`, signedPath: `${path}?a=1` })).toMatchObject(refused);
    expect(await echo({ target: `${path}?`, signedPath: path })).toMatchObject(accepted);
  });

  test('of a target in absolute form only the path is signed', async () => {
    const path = '/openapi/demo/echo';
    expect(await echo({ target: `http://example.com:8080${path}?a=1`, signedPath: path })).toMatchObject(accepted);
  });
});

describe('sign', () => {
  test('in upper case it is refused', async () => {
    const { appSecret } = await simulator.application();
    const right = echoCall(appSecret);
    const sign = String(right.headers?.['sign']).toUpperCase();
    expect(await send(simulator.baseUrl, { ...right, headers: { ...right.headers, sign } })).toMatchObject(refused);
  });

  test('sent twice it is refused with 10009003', async () => {
    const { appSecret } = await simulator.application();
    const right = echoCall(appSecret);
    const sign = String(right.headers?.['sign']);
    const twice = { ...right, headers: { ...right.headers, sign: [sign, sign] } };
    expect(await send(simulator.baseUrl, twice)).toMatchObject(refused);
  });

  test('all of its characters count', () => {
    const right = 'df9a8b3cab1fe6233f6cbeb657454958';
    expect(signatureRules.matches(right, right)).toBe(true);
    for (const sent of ['', right.slice(1), `${right}0`, `${right.slice(0, -1)}9`, `e${right.slice(1)}`]) {
      expect(signatureRules.matches(sent, right)).toBe(false);
    }
  });
});
