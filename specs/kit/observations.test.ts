import { expect, test } from 'vitest';
import { codes } from '../../contract/values.ts';
import type { StoredDelivery } from '../../targets/address.ts';
import { ledgerMemory } from '../../targets/traffic/ledger.ts';
import { openTarget } from '../../targets/target.ts';
import { noteLadders } from './attempts.ts';
import { trialOf, type Trial } from './trial.ts';
import { newRecord, type TrialRecord } from './trial-record.ts';
import { foreignAddress } from '../../targets/testing/server.ts';

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
  const address = foreignAddress('http://127.0.0.1:9');
  const record = newRecord();
  return { t: trialOf(openTarget(address, { memory: ledgerMemory(), budget: 0 }), record), record };
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
