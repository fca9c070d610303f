import { describe, expect, test } from 'vitest';
import type { Arrival } from '../../trace/exchange.ts';
import { ledgerMemory } from '../../targets/traffic/ledger.ts';
import { deliverySignature } from '../../client/verify-delivery.ts';
import { openTarget } from '../../targets/target.ts';
import { foreignAddress } from '../../targets/testing/server.ts';
import { trialOf } from './trial.ts';
import { newRecord, type TrialRecord } from './trial-record.ts';

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
  const target = openTarget(address, { memory: ledgerMemory(), budget: 0 });
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
