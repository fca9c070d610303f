import { afterAll, describe, expect, test } from 'vitest';
import { ledgerMemory, openLedger } from './traffic/ledger.ts';
import { inboxesAt } from './inbox.ts';

const heard: string[] = [];
const webhook = { listen: { host: '127.0.0.1', port: 0 }, headerPrefix: 'X-Service', isReachable: true };
const ledger = openLedger(ledgerMemory(), { maxRps: 0, budget: 0 });
const inboxes = inboxesAt(webhook, ledger, {
  came: ({ rawBody }) => void heard.push(rawBody.toString('utf8')),
  answered: () => undefined,
});
afterAll(() => inboxes.close());

const post = (url: string, body: string): Promise<Response> => fetch(url, { method: 'POST', body });

describe('an arrival is told of once, however often the check looks', () => {
  test('at an inbox, also once it answers otherwise', async () => {
    const inbox = await inboxes.open();
    await post(inbox.url, 'first');
    inbox.answerBy(() => ({ status: 500 }));
    await post(inbox.url, 'second');
    expect([inbox.arrivals().length, inbox.deliveries().length]).toEqual([2, 2]);
    expect(heard.splice(0)).toEqual(['first', 'second']);
  });

  test('at a receiver that the check opens', async () => {
    const receiver = await inboxes.openReceiver();
    const address = receiver.address(undefined, 'own');
    await post(address.url, 'third');
    expect(address.deliveries()).toHaveLength(1);
    expect(heard.splice(0)).toEqual(['third']);
  });
});
