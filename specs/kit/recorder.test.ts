import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { signedRequest } from '../../client/sign.ts';
import type { Exchange, Arrival } from '../../trace/exchange.ts';
import { member } from '../../schemas/values.ts';
import { maskFor } from '../../trace/mask.ts';
import { openRecorder, type Recorder, unwritten } from './recorder.ts';
import { deliverySignature } from '../../client/verify-delivery.ts';
import { hostDeliveries } from '../../targets/receiver/shared-deliveries.ts';
import { type Target } from '../../targets/target.ts';
import { receiveOthers } from './deliveries.ts';
import { foreignAddress } from '../../targets/testing/server.ts';
import { trialOf, type Trial } from './trial.ts';
import { newRecord, type TrialRecord } from './trial-record.ts';
import { codes } from '../../contract/values.ts';
import type { StoredDelivery } from '../../targets/address.ts';
import { noteLadders } from './attempts.ts';
import { targetAt } from './testing/runs.ts';

const secret = 'secret-of-the-application';

/** An event that lacks its delivery id, signed by that secret. */
function eventSignedBy(key: string): Arrival {
  const rawBody = Buffer.from(JSON.stringify({ event_type: 'invoice.verify.completed', data: {} }));
  const headers = [
    ['Content-Type', 'application/json'],
    ['X-Service-Event', 'invoice.verify.completed'],
    ['X-Service-Event-Id', 'e-1'],
    ['X-Service-Timestamp', '1789041600'],
    ['X-Service-Signature', deliverySignature(key, '1789041600', rawBody)],
  ] as const;
  return { method: 'POST', target: '/', headers, rawBody, isTooLarge: false, arrivedAtMs: 0 };
}

async function receiving(...arrivals: readonly Arrival[]): Promise<TrialRecord> {
  const address = foreignAddress('http://127.0.0.1:9', { credentials: { active: secret } });
  const target = targetAt(address);
  const record = newRecord();
  trialOf(target, record).received(...arrivals);
  await target.close();
  return record;
}

function isSeenBroken({ recorder }: TrialRecord): boolean {
  return recorder.seenOf('webhook-delivery.headers-of-verdicts').broken !== undefined;
}

describe('a delivery that a check received', () => {
  test('is judged where the application has signed it, once', async () => {
    const event = eventSignedBy(secret);
    expect(isSeenBroken(await receiving(event, event))).toBe(true);
  });

  test('at an address that others know is not judged where somebody else has signed it, or it was cut', async () => {
    const stranger = eventSignedBy('another secret');
    const record = await receiving(stranger, { ...eventSignedBy(secret), isTooLarge: true });
    expect(isSeenBroken(record)).toBe(false);
    expect(record.received).toEqual(new Set([stranger]));
  });

  test('at an address of its own was judged as it came', async () => {
    const delivery = { ...eventSignedBy(secret), answer: 'hang-up' };
    expect(isSeenBroken(await receiving(delivery))).toBe(false);
  });
});

test('what came to the address of the run while other checks were made, and none of them took, is judged once', async () => {
  const channel = 'deliveries-of-a-test';
  const host = hostDeliveries(channel);
  const { webhook } = foreignAddress('');
  const address = foreignAddress('http://127.0.0.1:9', {
    credentials: { active: secret },
    webhook: { ...webhook, shared: { channel, url: 'http://127.0.0.1:9/in', token: 't' } },
  });
  const open = (): Target => targetAt(address);
  const first = open();
  for (const key of [secret, 'another secret'])
    host.arrived({ ...eventSignedBy(key), target: '/in', channel: 'issuance' });
  await vi.waitFor(() => expect(first.inboxes.shared('issuance')?.arrivals()).toHaveLength(2));
  await first.close();
  const second = open();
  expect(second.inboxes.shared('issuance')?.arrivals()).toEqual([]);
  const records = [newRecord(), newRecord()];
  for (const record of records) await receiveOthers(second, record);
  expect(records.map(isSeenBroken)).toEqual([true, false]);
  await second.close();
  host.close();
});

const [appSecret, linkToken] = ['5f0c9e7ab1d34c2e8a6b', 'q7Zt-4mWx-91Lk-Vd0e'];
const now = 1_790_000_000;

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'nfe-recorder-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** An echo of that message whose answer has these data in place of the right ones. */
function echoOf(message: string, data: object = {}, header = 'x'): Exchange {
  const origin = { appSecret, nowSeconds: now, caller: { name: 'app-1', standing: {} } };
  const rawBody = Buffer.from(JSON.stringify({ message }));
  const call = { method: 'POST', path: '/openapi/demo/echo', contentType: 'application/json', rawBody };
  const request = signedRequest({ call, token: appSecret, timestamp: String(now), origin });
  const right = { echo: message, appKey: 'app-1', appName: 'App', serverTime: '2026-09-21T14:13:20.000Z' };
  const body = JSON.stringify({ success: true, code: 0, message: 'OK', data: { ...right, ...data } });
  const headers = [
    ['Content-Type', 'application/json'],
    ['X-Debug', header],
  ] as const;
  return { request, response: { status: 200, headers, rawBody: Buffer.from(body) }, sentAtMs: 1_000, durationMs: 2 };
}

/** A recorder that hides the App Secret, and what it has learned by the time that it writes. */
function recording() {
  const secrets = new Map([[appSecret, '$APP_SECRET']]);
  const learned: unknown[] = [];
  const mask = () => maskFor(secrets);
  const learning = {
    exchange(exchange: Exchange) {
      learned.push(exchange);
      secrets.set(linkToken, '$LINK');
    },
    arrival: () => undefined,
  };
  const recorder = openRecorder('a check', { directory, key: 'k' }, { veil: () => ({ mask: mask() }), mask, learning });
  return { recorder, learned };
}

/** The one line that is written of what is done, and all of its text. */
function writtenBy(act: (recorder: Recorder) => void) {
  const { recorder } = recording();
  act(recorder);
  recorder.flush();
  const text = readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), 'utf8'))
    .join('');
  rmSync(directory, { recursive: true });
  mkdirSync(directory);
  const told = member(JSON.parse(text), 'told');
  return { text, told };
}

describe('what was found in a message', () => {
  test.each([
    ['a right answer', echoOf('a message')],
    ['a wrong one', echoOf('a message', { echo: 'another' })],
    ['a right one to the secret', echoOf(appSecret)],
  ])('is not written where what is shown of it says the same: %s', (_, exchange) => {
    expect(writtenBy((recorder) => recorder.exchange(exchange)).told).toBe(undefined);
  });

  test.each<[string, Exchange, string]>([
    ['a secret that was given away', echoOf('a', { appName: appSecret }), 'token.secret-not-returned'],
    ['one in a header', echoOf('a', {}, appSecret), 'token.secret-not-returned'],
    ['one in the midst of a text', echoOf('a', { more: `is ${appSecret}, no less` }), 'token.secret-not-returned'],
    ['one that came back otherwise', echoOf(appSecret, { echo: appSecret.toUpperCase() }), 'echo.message-returned'],
    ['one that came back in part', echoOf(appSecret, { echo: appSecret.slice(0, 12) }), 'echo.message-returned'],
    [
      'one in an answer too large to be kept',
      echoOf('a', { appName: appSecret, more: 'x'.repeat(70_000) }),
      'token.secret-not-returned',
    ],
    ['what was learned from the message itself', echoOf('a', { echo: linkToken }), 'echo.message-returned'],
  ])('is written without what it hides, where nobody could find it again: %s', (_, exchange, clause) => {
    const { text, told } = writtenBy((recorder) => recorder.exchange(exchange));
    const all = text.toLowerCase();
    for (const secret of [appSecret, appSecret.slice(0, 12), linkToken]) {
      expect(all).not.toContain(secret.toLowerCase());
    }
    expect(JSON.stringify(told)).toContain(`{"clause":"${clause}","expected":`);
  });

  test('is quoted with what takes the place of a secret', () => {
    const { told } = writtenBy((recorder) => recorder.exchange(echoOf(appSecret, { echo: `${appSecret} and more` })));
    const finding = { expected: 'data.echo is "$APP_SECRET"', actual: '"$APP_SECRET and more"' };
    expect(told).toContainEqual({ clause: 'echo.message-returned', ...finding });
  });
});

test('nobody is learned of by an answer in which nothing is broken', () => {
  const { recorder, learned } = recording();
  recorder.exchange(echoOf('a message'));
  expect(learned).toEqual([]);
  recorder.exchange(echoOf('a message', { echo: 'another' }));
  expect(learned).toHaveLength(1);
});

test('a call of the control API is written without the secrets in it', () => {
  const { text } = writtenBy((recorder) =>
    recorder.steering({
      kind: 'steering',
      atMs: 1,
      durationMs: 1,
      method: 'POST',
      path: '/applications',
      json: { appSecret },
      status: 201,
      ids: {},
    }),
  );
  expect(text).toContain('$APP_SECRET');
  expect(text).not.toContain(appSecret);
});

test('what a delivery was answered with is written without the secrets in it', () => {
  const answerContent = { headers: [['location', `http://receiver.example/${appSecret}`]], body: 'moved' };
  const { text } = writtenBy((recorder) =>
    recorder.delivery(delivery('x', 'y', 0), 'X-Service', { answer: 302, answerContent }),
  );
  expect(text).toContain('http://receiver.example/$APP_SECRET');
  expect(text).toContain('moved');
  expect(text).not.toContain(appSecret);
});

const noon = Date.UTC(2026, 10, 21, 12);

function delivery(event: string, id: string, seconds: number, answeredStatus = 500): StoredDelivery {
  const headers: [string, string][] = [
    ['X-Service-Event', event],
    ['X-Service-Event-Id', id],
  ];
  const arrivedAtMs = noon + seconds * 1000;
  return {
    method: 'POST',
    target: '/',
    headers,
    rawBody: Buffer.from('{}'),
    isTooLarge: false,
    arrivedAtMs,
    answeredStatus,
  };
}

/** A trial with its record. */
function newTrial(): { t: Trial; record: TrialRecord } {
  const record = newRecord();
  return { t: trialOf(targetAt(), record), record };
}

test('an observed order has the codes of both faults', () => {
  const { t, record } = newTrial();
  const token = { name: 'token', refusal: codes.tokenInvalid };
  t.observe([{ name: 'path', refusal: codes.retired }, token], token);
  expect([...record.order.values()]).toEqual([
    { first: 'token', second: 'path', firstCode: 10009002, secondCode: 10009034 },
  ]);
});

test('of what a receiver stored, the retries of each unacknowledged event are noted, with its channel', () => {
  const verdict = 'invoice.verify.completed';
  const { t, record } = newTrial();
  noteLadders(t, [
    ...[0, 60, 361, 363].map((seconds) => delivery(verdict, 'a', seconds)),
    ...[100, 161].map((seconds) => delivery('invoice.authorized', 'b', seconds)),
    delivery(verdict, 'c', 170),
    delivery(verdict, 'c', 230, 200),
    delivery(verdict, 'd', 400),
  ]);
  expect(record.ladders).toEqual([
    { channel: 'verification', source: 'stored', retriesSeconds: [60, 361], watchedSeconds: 400 },
    { channel: 'issuance', source: 'stored', retriesSeconds: [61], watchedSeconds: 300 },
  ]);
});

test('of a large folder twenty events are noted', () => {
  const events = Array.from({ length: 30 }, (_, at) => [0, 60].map((seconds) => delivery('x', `${at}`, seconds + at)));
  const { t, record } = newTrial();
  noteLadders(t, events.flat());
  expect(record.ladders).toHaveLength(20);
});

test('an address is known by the segment that names it, however what stands behind it was written anew', () => {
  const [recorder, name] = [unwritten(), 'n-'.repeat(16)];
  const given = { facts: { name, channel: 'issuance', caller: 'app-1' }, target: `/${name}/a%2Fb/?c=1` } as const;
  recorder.address(given);
  expect(recorder.addressAt(`/${name}/a/b/?c=1`)).toBe(given);
  expect(recorder.addressAt(`/in/front/${name}/a/b`)).toBe(given);
  expect(recorder.addressAt('/a/b/?c=1')).toBeUndefined();
});

test('of two addresses that end alike the one is known that is named', () => {
  const recorder = unwritten();
  const given = ['a-', 'b-'].map((piece) => {
    const name = piece.repeat(16);
    return { facts: { name, channel: 'issuance', caller: `app-${piece}` }, target: `/${name}/nf-e/?x=1` } as const;
  });
  for (const one of given) recorder.address(one);
  expect(recorder.addressAt(`/${'b-'.repeat(16)}/nf-e/`)).toBe(given[1]);
});

test('an address is known in other letters, and first by its own', () => {
  const recorder = unwritten();
  const [upper, lower] = ['N', 'n'].map((letter) => {
    const name = `${letter}-`.repeat(16);
    return { facts: { name, channel: 'issuance', caller: 'app-1' }, target: `/${name}` } as const;
  });
  for (const given of [upper, lower]) if (given) recorder.address(given);
  expect(['n-', 'N-', 'n-'].map((piece, at) => recorder.addressAt(`/${piece.repeat(16)}${'/x'.repeat(at)}`))).toEqual([
    lower,
    upper,
    lower,
  ]);
  expect(recorder.addressAt(`/${'N-n-'.repeat(8)}`)).toBe(upper);
});

test('a callback may bear the token that its address had as the invoice was first issued, or had since, and no older one', () => {
  const recorder = unwritten();
  const issued = (id: string, sentAtMs: number): void => {
    const rawBody = Buffer.from(JSON.stringify({ id, ambienteEmissao: 'Homologacao' }));
    const call = { method: 'POST', path: '/openapi/v2/empresas/e/nf-e', rawBody } as const;
    const request = signedRequest({ call, token: 't', timestamp: '1' });
    const response = { status: 200, headers: [], rawBody: Buffer.alloc(0) };
    recorder.exchange({ request, response, sentAtMs, durationMs: 1 });
  };
  const given = (token: string) =>
    ({ facts: { name: 'n', channel: 'issuance', caller: 'app-1' }, target: '/n', token }) as const;
  for (const token of ['first', 'second', 'third']) recorder.address(given(token));
  issued('before', 0);
  issued('later', Date.now() + 60_000);
  issued('before', Date.now() + 60_000);
  expect(recorder.tokensAt(given('third'), 'before')).toEqual(['third', 'first', 'second']);
  for (const id of ['later', 'unheard of', undefined]) expect(recorder.tokensAt(given('third'), id)).toEqual(['third']);
});
