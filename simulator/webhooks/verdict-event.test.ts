import { expect, test } from 'vitest';
import { textLike } from '../testing/matchers.ts';
import { runningReceiver, type Arrival } from '../testing/receiver.ts';
import { startMs, webhookServices } from '../testing/webhook-service.ts';
import { queueVerdictEvent } from './verdict-event.ts';

const receiver = runningReceiver();
const opened = webhookServices();
const verdict = { chaveAcesso: '3'.repeat(44), validationStatus: 'REJECTED', reason: 'The digest does not match.' };

/** What two addresses got of one verdict. */
async function toldTwo(): Promise<Arrival[]> {
  const service = opened();
  const application = service.application();
  const addresses = [receiver.address(), receiver.address()];
  service.subscribe(application, 'verification', ...addresses.map(({ url }) => url));
  service.state.transaction(() => queueVerdictEvent(application, verdict, startMs, service));
  service.timeline.touch(application.appKey);
  await service.advance(application, 0);
  return addresses.flatMap(({ arrivals }) => arrivals);
}

test('a verdict is sent in the versioned envelope, whose event id is the one of the header', async () => {
  const [arrival] = await toldTwo();
  const body: unknown = JSON.parse(arrival?.bodyText ?? '');
  expect(body).toEqual({
    version: '1.0',
    event_id: arrival?.eventId,
    event_type: 'invoice.verify.completed',
    occurred_at: '2031-05-17T09:30:00.000Z',
    data: verdict,
  });
  expect(arrival?.headers).toMatchObject({
    'x-service-event': 'invoice.verify.completed',
    'x-service-event-id': textLike(/./),
  });
});

test('every address gets the same bytes under one event id', async () => {
  const [one, other] = await toldTwo();
  expect(other?.eventId).toBe(one?.eventId);
  expect(other?.rawBody).toEqual(one?.rawBody);
  expect(other?.deliveryId).not.toBe(one?.deliveryId);
});
