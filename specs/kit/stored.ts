import type { Arrival } from '../../client/receiver-arrival.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import type { StoredDelivery } from '../../targets/address.ts';
import { headerOfArrival } from './callbacks.ts';
import type { Trial } from './trial.ts';

/** An event that a receiver stored: its attempts, oldest first. */
export type StoredEvent = readonly [StoredDelivery, ...StoredDelivery[]];

/** An immediate duplicate counts as one with its attempt. */
const duplicateMs = 5_000;

/** The deliveries that a receiver stored before this run, but for tests of an address. */
export function storedDeliveries(t: Trial): readonly StoredDelivery[] {
  const stored = (t.target.address.webhook.stored ?? []).map(revived);
  const events = stored.filter((delivery) => headerOfArrival(t, delivery, 'Event') !== 'webhook.verify');
  if (events.length === 0) throw new NotExercised('the receiver stored no event');
  t.received(...events);
  return events;
}

/** The same by event: attempts with one event id. */
export function storedEvents(t: Trial): readonly StoredEvent[] {
  const groups = Map.groupBy(storedDeliveries(t), (delivery) => headerOfArrival(t, delivery, 'Event-Id') ?? '');
  return [...groups.values()].flatMap((group): StoredEvent[] => {
    const [first, ...rest] = group;
    return first ? [[first, ...rest]] : [];
  });
}

/** The events of which no attempt was acknowledged, and that were tried again. */
export function unacknowledged(t: Trial): readonly StoredEvent[] {
  const found = storedEvents(t).filter((event) => event.length > 1 && !event.some(isAcknowledged));
  if (found.length === 0) throw new NotExercised('the receiver stored no event that it refused and that came again');
  return found;
}

/** When the retries of an event came, in seconds after its first attempt. */
export function retryTimes([first, ...rest]: StoredEvent): readonly number[] {
  const times: number[] = [];
  let lastMs = first.arrivedAtMs;
  for (const { arrivedAtMs } of rest) {
    if (arrivedAtMs - lastMs > duplicateMs) times.push(Math.round((arrivedAtMs - first.arrivedAtMs) / 1000));
    lastMs = arrivedAtMs;
  }
  return times;
}

/** Ladders that are noted of what was stored: as many as a report can show. */
const mostLadders = 20;

/** Notes when the first events that no attempt acknowledged were tried again. */
export function noteLadders(t: Trial): void {
  const untilMs = storedUntilMs(storedDeliveries(t));
  for (const event of unacknowledged(t).slice(0, mostLadders)) {
    const isVerdict = headerOfArrival(t, event[0], 'Event') === 'invoice.verify.completed';
    t.ladder({
      channel: isVerdict ? 'verification' : 'issuance',
      source: 'stored',
      retriesSeconds: [...retryTimes(event)],
      watchedSeconds: Math.round((untilMs - event[0].arrivedAtMs) / 1000),
    });
  }
}

/** Whether a delivery was answered so that it is acknowledged. */
export function isAcknowledged({ answeredStatus }: StoredDelivery): boolean {
  return answeredStatus >= 200 && answeredStatus <= 299;
}

/** Of the last delivery that was stored: until then at least the receiver was up. Unix milliseconds. */
export function storedUntilMs(stored: readonly Arrival[]): number {
  return Math.max(...stored.map(({ arrivedAtMs }) => arrivedAtMs));
}

const known = new WeakMap<StoredDelivery, StoredDelivery>();

/** A Buffer travelled as plain bytes. The same one whenever it is asked for, so that it counts once. */
function revived(delivery: StoredDelivery): StoredDelivery {
  const whole = known.get(delivery) ?? { ...delivery, rawBody: Buffer.from(delivery.rawBody) };
  known.set(delivery, whole);
  return whole;
}
