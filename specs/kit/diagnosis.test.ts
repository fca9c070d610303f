import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { servedBy } from '../../targets/testing/served.ts';
import type { Call, Draft } from '../../contract/request.ts';
import { echoCall, jsonCall } from '../../generators/calls.ts';
import { md5 } from '../../generators/wrong-recipes/recipe.ts';
import type { Run, TargetAddress } from '../../targets/address.ts';
import { openTarget, type Target } from '../../targets/target.ts';
import { Deviation } from './deviation.ts';
import { diagnosed, wronglyRefused } from './diagnosis.ts';
import { cachedAnswer } from '../../trace/records.ts';
import { trialOf } from './trial.ts';
import { newRecord } from './trial-record.ts';
import { foreignAddress } from '../../targets/testing/server.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { evidenceIn } from './shown.ts';
import { stableWords } from './texts.ts';
import { isUnreadable, refusalText } from './reply.ts';
import { codes, type PlatformCode } from '../../contract/values.ts';
import { signedRequest } from '../../client/sign.ts';
import { signedFor } from './recipes.ts';
import { ledgerMemory } from '../../targets/traffic/ledger.ts';
import { plainRun } from '../../targets/plain-run.ts';

const most = { exchanges: 50, deliveries: 20, longestBody: 20_000, inAll: 1_000_000 };
const plain = { mask: (text: string): string => text };

function exchangeOf(index: number, bytes: number, headers: [string, string][] = []): Exchange {
  const parts = { token: 'token', path: '/', body: Buffer.from(`request ${index}`), timestamp: '1' };
  const request = { method: 'POST', target: '/', headers: [], rawBody: parts.body, parts };
  return { request, response: { status: 200, headers, rawBody: Buffer.alloc(bytes, 'x') }, durationMs: 1 };
}

function evidenceFor(exchanges: Exchange[]): ReturnType<typeof evidenceIn> {
  return evidenceIn({ ...newRecord(), exchanges }, plain, most);
}

test('evidence of a check takes a megabyte at most, however much came, and the last exchange is shown best', () => {
  const shown = evidenceFor(Array.from({ length: 50 }, (_, at) => exchangeOf(at, 200_000)));
  expect(JSON.stringify(shown).length).toBeLessThan(1_000_000);
  expect(shown.at(-1)?.request.body?.text).toBe('request 49');
  expect(shown.at(-1)?.response?.body).toMatchObject({ bytes: 200_000, cut: true });
  expect(shown.at(-1)?.response?.body.text).toHaveLength(20_000);
});

test('fifty exchanges of usual size are all shown, in their order', () => {
  const shown = evidenceFor(Array.from({ length: 50 }, (_, at) => exchangeOf(at, 500)));
  expect(shown.map(({ request }) => request.body?.text)).toEqual(
    Array.from({ length: 50 }, (_, at) => `request ${at}`),
  );
});

test('headers are shown as far as somebody reads them, and how many are left out', () => {
  const headers = Array.from({ length: 10_000 }, (_, at): [string, string] => [`x-${at}`, 'v'.repeat(50_000)]);
  const [shown] = evidenceFor([exchangeOf(0, 10, headers)]);
  expect(shown?.response?.headers).toHaveLength(101);
  expect(shown?.response?.headers[0]).toEqual(['x-0', 'v'.repeat(2_000)]);
  expect(shown?.response?.headers.at(-1)).toEqual(['(more headers)', '9900']);
});

test('no mask runs over much more than what is shown', () => {
  const lengths: number[] = [];
  const counting = (text: string): string => {
    lengths.push(text.length);
    return text;
  };
  const headers: [string, string][] = [['x-long', 'h'.repeat(200_000)]];
  evidenceIn({ ...newRecord(), exchanges: [exchangeOf(0, 1_000_000, headers)] }, { mask: counting }, most);
  expect(Math.max(...lengths)).toBeLessThan(25_000);
});

const secret = 'Secret-1';
/** The status of the answer to a sign that came with that body, and with how many before it. */
type Judge = (sign: string, timestamp: string, bodyText: string, before: number) => number;

const withDots: Judge = (sign, timestamp, bodyText) =>
  sign === md5([secret, '/openapi/demo/echo', bodyText, timestamp].join('.')) ? 200 : 401;

function headerOf({ headers }: IncomingMessage, name: string): string {
  return String(headers[name]);
}

/** A server that judges by its own lights; 401 comes with the code of a mismatch. */
async function serverThat(judge: Judge, headers = {}): Promise<{ address: TargetAddress; requests: () => number }> {
  let requests = 0;
  const baseUrl = await servedBy(async (incoming, outgoing) => {
    const bodyText = await text(incoming);
    const status = judge(headerOf(incoming, 'sign'), headerOf(incoming, 'timestamp'), bodyText, requests++);
    outgoing.writeHead(status, headers).end(status === 401 ? '{"code":10009003,"success":false}' : '{}');
  });
  const address = foreignAddress(baseUrl, { credentials: { active: secret }, allowProducao: true });
  return { address, requests: () => requests };
}

const runAt = (address: TargetAddress, change: Partial<Run> = {}): Run =>
  plainRun(address, { repetitions: 1, ...change });

/** Sends the call, has its refusal diagnosed that often, and gives the last hint. */
async function hintOf(call: Call, run: Run, { times = 1, ...found }: Found = {}): Promise<string | undefined> {
  const target: Target = openTarget(run.address, run.traffic);
  const record = newRecord();
  const t = trialOf(target, record);
  await t.send(await t.caller(), call);
  const error = new Deviation({ expected: 'accepted by the gateway', actual: '401, code 10009003', ...found });
  let last = error;
  for (let time = 0; time < times; time++) last = await diagnosed(error, run, target, record);
  await target.close();
  expect(record.exchangesMade).toBe(1);
  return last.hint;
}

interface Found {
  readonly times?: number;
  readonly expected?: string;
  readonly hint?: string;
  readonly isPremise?: boolean;
}

const dotsHint = 'the target takes a sign computed with a dot between the ingredients';

describe('the diagnosis of a right sign that was refused', () => {
  test('names the first known way to sign that the target takes', async () => {
    const { address } = await serverThat(withDots);
    expect(await hintOf(echoCall('a'), runAt(address))).toBe(dotsHint);
  });

  test('names the ways that the call does not tell apart, three of them', async () => {
    const trimmed: Judge = (sign, timestamp, bodyText) =>
      sign === md5(secret, '/openapi/demo/echo', bodyText.trim(), timestamp) ? 200 : 401;
    const { address } = await serverThat(trimmed);
    expect(await hintOf(jsonCall('echo', '{"message":"a b"} \t'), runAt(address))).toBe(
      'the target takes a sign computed over the trimmed body, or over the body parsed and written compactly, ' +
        'or over the body parsed and written with sorted keys, or in 2 other ways (the same on this call)',
    );
  });

  test('is by a sign that begins with a zero where one was refused that does', async () => {
    const path = '/openapi/demo/echo';
    const unpadded: Judge = (sign, timestamp, bodyText) =>
      sign === md5(secret, path, bodyText, timestamp).replace(/^0+/, '') ? 200 : 401;
    const { address } = await serverThat(unpadded);
    const now = Math.floor(Date.now() / 1000);
    const times = [now, now + 1, now + 2].map(String);
    // Whichever second it is sent in.
    const message = Array.from({ length: 100_000 }, (_, at) => `message ${at}`).find((text) =>
      times.every((timestamp) => md5(secret, path, JSON.stringify({ message: text }), timestamp).startsWith('0')),
    );
    // In one minute of ten no other byte of the sign has a zero in front.
    expect(await hintOf(echoCall(message ?? ''), runAt(address))).toMatch(
      /^the target takes a sign computed as MD5 without its leading zeros(?:, or as MD5 without the leading zero of each byte .*)?$/,
    );
  });

  test('stands behind a hint that there was, and in the place of what only said that it is a premise', async () => {
    const { address } = await serverThat(withDots);
    expect(await hintOf(echoCall('a'), runAt(address), { hint: 'first' })).toBe(`first; ${dotsHint}`);
    expect(await hintOf(echoCall('a'), runAt(address), { hint: 'first', isPremise: true })).toBe(dotsHint);
  });

  test('is no word on the endpoint where the gateway refused what was meant for it', async () => {
    const { address } = await serverThat(withDots);
    const meant = { expected: '400 or 404', hint: 'the id is taken and was accepted again' };
    expect(await hintOf(echoCall('a'), runAt(address), meant)).toBe(dotsHint);
    expect(await hintOf(echoCall('a'), { ...runAt(address), repetitions: 0 }, meant)).toBeUndefined();
  });

  test('is that a cache had kept the answer, whatever else it looks like, where its headers say so', async () => {
    const { address, requests } = await serverThat(() => 200, { 'x-cache': 'HIT' });
    expect(await hintOf(echoCall('a'), runAt(address), { hint: 'first' })).toBe(cachedAnswer);
    expect(requests()).toBe(1);
  });

  test('says of how many ways none is taken, after 60 requests at most', async () => {
    const { address, requests } = await serverThat(() => 401);
    const hint = await hintOf(echoCall('a'), runAt(address));
    expect(hint).toBe('the sign is right, and none of 60 other known ways to sign is taken either');
    expect(requests()).toBe(1 + 60);
  });

  test('is made once in a run of each kind of body, and no more', async () => {
    const { address, requests } = await serverThat(() => 401);
    expect(await hintOf(echoCall('a'), runAt(address), { times: 4 })).toBeUndefined();
    expect(requests()).toBe(1 + 60);
  });

  test('accuses no way to sign where another sign in its place gets the same answer', async () => {
    const { address } = await serverThat((_sign, _timestamp, _bodyText, before) => (before === 0 ? 401 : 200));
    expect(await hintOf(echoCall('a'), runAt(address))).toBeUndefined();
  });

  test('names no way to sign for an answer that came once, such as a 500 now and then', async () => {
    const { address } = await serverThat((_sign, _timestamp, _bodyText, before) => (before === 7 ? 500 : 401));
    expect(await hintOf(echoCall('a'), runAt(address))).toMatch(/^the sign is right, and none of 60/);
  });

  test.each([429, 503])('ends at once at HTTP %d and leaves the failure as it is', async (status) => {
    const { address, requests } = await serverThat((_sign, _timestamp, _bodyText, before) =>
      before < 5 ? 401 : status,
    );
    expect(await hintOf(echoCall('a'), runAt(address))).toBeUndefined();
    expect(requests()).toBe(6);
  });
});

describe('no diagnosis is made', () => {
  const producao = jsonCall('nfe-issuance', '{"ambienteEmissao":"Producao"}');

  test.each<[string, Call, (address: TargetAddress) => Run]>([
    ['where nothing is repeated', echoCall('a'), (address) => ({ ...runAt(address), repetitions: 0 })],
    [
      'where the budget is nearly spent',
      echoCall('a'),
      (address) => runAt(address, { traffic: { memory: ledgerMemory(), budget: 70 } }),
    ],
    ['of an issuance in production, though it is allowed', producao, plainRun],
  ])('%s', async (_, call, run) => {
    const { address, requests } = await serverThat(() => 401);
    expect(await hintOf(call, run(address))).toBeUndefined();
    expect(requests()).toBe(1);
  });
});

test.each([
  ['Token inválido. Rastreio e3f6620e-f1a6', 'Token inválido. Rastreio 950309de-5c80', 'Token inválido Rastreio'],
  ['Invalid token [kqzwvx]', 'Invalid token [pmtrab]', 'Invalid token'],
  ['令牌无效。（追踪号：950309de-5c80）', '令牌无效。（追踪号：e3f6620e-f1a6）', '令 牌 无 效 追 踪 号'],
  ['编号abc令牌无效', '编号xyz令牌无效', '编 号 令 牌 无 效'],
  ['às 12:03:07, recusado', 'às 12:03:08, recusado', 'às recusado'],
])('a trace that changes is no part of what a text says: %s', (one, other, words) => {
  expect(stableWords(one, other).join(' ')).toBe(words);
});

test('texts that share nothing have no words in common', () => {
  expect(stableWords('Token inválido', 'Firma incorrecta')).toEqual([]);
});

function answered(target: string, status: number, body: string): Exchange {
  return {
    request: {
      method: 'POST',
      target,
      headers: [],
      parts: { token: '', path: target, body: Buffer.alloc(0), timestamp: '0' },
    },
    response: { status, headers: [], rawBody: Buffer.from(body) },
    durationMs: 1,
  };
}

test.each<[string, string, number, string, boolean]>([
  ['a word from an endpoint that promises JSON', '/openapi/v2/empresas', 200, 'OK', true],
  [
    'a word for a certificate, whose answer is shown nowhere',
    '/openapi/v1/empresas/1/certificadoDigital',
    200,
    'OK',
    false,
  ],
  ['a word for an address, whose answer is shown nowhere', '/openapi/v1/webhooks', 200, 'OK', false],
  ['a line break for an issuance, which is to get nothing', '/openapi/v2/empresas/1/nf-e', 200, '\n', false],
  ['a word for a refused address', '/openapi/v1/webhooks', 401, 'OK', true],
  ['nothing', '/openapi/v2/empresas', 200, '', false],
  ['a page', '/openapi/nfe/invoice/danfe', 413, '<html>', true],
])('%s is read as that', (_, target, status, body, unreadable) => {
  expect(isUnreadable(answered(target, status, body))).toBe(unreadable);
});

test('a page that refuses a body for a size that is not shown is nothing unreadable', () => {
  const { request, ...rest } = answered('/openapi/nfe/invoice/danfe', 413, '<html>');
  expect(isUnreadable({ ...rest, request: { ...request, rawBody: Buffer.alloc(1_100_000) } })).toBe(false);
});

const nowSeconds = 1_790_000_000;
const right: Draft = {
  call: echoCall('a'),
  token: 'Secret-1',
  timestamp: String(nowSeconds),
  origin: { appSecret: 'Secret-1', nowSeconds },
};

function refusalOf(draft: Draft, { status, code }: PlatformCode = codes.signMismatch): Exchange {
  const rawBody = Buffer.from(JSON.stringify({ code, success: false }));
  return { request: signedRequest(draft), response: { status, headers: [], rawBody }, durationMs: 1 };
}

const error = new Deviation({ expected: 'accepted by the gateway', actual: '401, code 10009003' });

describe('a refusal as a mismatch is wrong', () => {
  test.each<[string, Draft]>([
    ['of the right sign', right],
    [
      'of the right sign under header names in another case',
      { ...right, headerNames: { token: 'Token', timestamp: 'TIMESTAMP', sign: 'Sign' } },
    ],
    [
      'of the right sign that was made for another call with the same ingredients',
      signedFor(echoCall('a'))({ ...right, call: { ...right.call, query: 'a=1' } }),
    ],
  ])('%s', (_, draft) => {
    const exchange = refusalOf(draft);
    expect(wronglyRefused([exchange], error)).toBe(exchange);
  });

  test('though other requests came after it', () => {
    const exchange = refusalOf(right);
    expect(wronglyRefused([exchange, refusalOf(right, codes.retired)], error)).toBe(exchange);
  });
});

describe('a refusal is not wrongly one of the sign', () => {
  test.each<[string, Exchange]>([
    ['where the sign is another', refusalOf({ ...right, sign: () => '0'.repeat(32) })],
    ['where the token is not the application’s', refusalOf({ ...right, token: 'other' })],
    ['where the timestamp is not that of now', refusalOf({ ...right, timestamp: '1' })],
    ['where the token was left out', refusalOf({ ...right, omit: ['token'] })],
  ])('%s', (_, exchange) => {
    expect(wronglyRefused([exchange], error)).toBeUndefined();
  });

  test('where the deviation is about another answer', () => {
    const other = new Deviation({ expected: '200', actual: '500, no code' });
    expect(wronglyRefused([refusalOf(right)], other)).toBeUndefined();
  });

  test('where it has another code', () => {
    const other = new Deviation({ expected: 'accepted by the gateway', actual: '401, code 10009001' });
    expect(wronglyRefused([refusalOf(right, codes.timestampInvalid)], other)).toBeUndefined();
  });

  test('where the token was to be refused', () => {
    const other = new Deviation({ expected: refusalText(codes.tokenInvalid), actual: '401, code 10009003' });
    expect(wronglyRefused([refusalOf(right)], other)).toBeUndefined();
  });
});
