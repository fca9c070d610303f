import { expect, test, vi } from 'vitest';
import { hostDeliveries } from '../../targets/receiver/shared-deliveries.ts';
import { type Target } from '../../targets/target.ts';
import { foreignAddress } from '../../targets/testing/server.ts';
import type { Arrival } from '../../trace/exchange.ts';
import { callbacksFor } from './callbacks.ts';
import { newRecord } from './trial-record.ts';
import { trialOf } from './trial.ts';
import { targetAt } from './testing/runs.ts';

const secret = 'secret-of-the-application';

function callbackOf(nfeId: string): Arrival & { readonly channel: 'issuance' } {
  const rawBody = Buffer.from(JSON.stringify({ nfeId, nfeStatus: 'Autorizada' }));
  const headers = [['Content-Type', 'application/json']] as const;
  return { method: 'POST', target: '/in', headers, rawBody, isTooLarge: false, arrivedAtMs: 0, channel: 'issuance' };
}

test('a callback of an invoice that one check has not waited for is no altered one of another check', async () => {
  const channel = 'callbacks-of-a-test';
  const host = hostDeliveries(channel);
  const { webhook } = foreignAddress('');
  const address = foreignAddress('http://127.0.0.1:9', {
    credentials: { active: secret },
    settleTimeoutSeconds: 0,
    webhook: { ...webhook, shared: { channel, url: 'http://127.0.0.1:9/in', token: 't' } },
  });
  const open = (): Target => targetAt(address);
  const cameOf = async (target: Target, nfeId: string): Promise<number> => {
    const inbox = target.inboxes.shared('issuance');
    if (!inbox) throw new Error('no address was opened');
    const caller = await target.caller();
    const issuer = { caller, empresaId: 'e' };
    return (await callbacksFor(trialOf(target, newRecord()), issuer, { inbox, token: 't' }, nfeId)).length;
  };
  // As a service may alter it, the one is the other.
  const [first, second] = ['NOTA-KX81MQZ2P04W', 'nota-kx81mqz2p04w'] as const;
  const [one, other] = [open(), open()];
  expect(await cameOf(one, first)).toBe(0);
  host.arrived(callbackOf(first));
  await vi.waitFor(() => expect(other.inboxes.shared('issuance')?.arrivals()).toHaveLength(1));
  expect(await cameOf(other, second)).toBe(0);
  expect(await cameOf(other, 'Nota-Kx81mqz2p04w')).toBe(0);
  expect(await cameOf(one, first)).toBe(1);
  await Promise.all([one.close(), other.close()]);
  host.close();
});
