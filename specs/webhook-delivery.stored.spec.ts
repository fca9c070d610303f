import { isOnLadder, ladderText, retryDelaysSeconds } from './kit/attempts.ts';
import { headerOfArrival } from './kit/callbacks.ts';
import { check } from './kit/check.ts';
import {
  isAcknowledged,
  noteLadders,
  retryTimes,
  storedDeliveries,
  storedEvents,
  storedUntilMs,
  unacknowledged,
} from './kit/stored.ts';

/** These checks judge what a receiver stored in hours before this run, in place of what a movable clock shows. */
const otherWay = { isOtherWay: true } as const;

/** After that time the last retry of an event has come, by either reading. */
const wholeLadderMs = retryDelaysSeconds.reduce((sum, delay) => sum + delay, 0) * 1.1 * 1000;

check(
  'webhook-delivery.retry-delays',
  'the retries that were stored came at the instants of the ladder',
  async (t) => {
    noteLadders(t);
    await t.each(unacknowledged(t), (event) => {
      const times = retryTimes(event).slice(0, retryDelaysSeconds.length);
      t.holds(isOnLadder(times), { expected: ladderText, actual: `retries after ${times.join(', ')} s` });
    });
  },
  otherWay,
);

check(
  'webhook-delivery.five-retries',
  'no event that was stored was retried more than five times, and one that was never acknowledged five times',
  async (t) => {
    const untilMs = storedUntilMs(storedDeliveries(t));
    await t.each(unacknowledged(t), (event) => {
      const retries = retryTimes(event).length;
      const isOver = untilMs - event[0].arrivedAtMs > wholeLadderMs;
      t.holds(retries <= retryDelaysSeconds.length && (!isOver || retries === retryDelaysSeconds.length), {
        expected: isOver ? '5 retries' : 'at most 5 retries',
        actual: `${retries}`,
      });
    });
  },
  otherWay,
);

check(
  'webhook-delivery.retries-stop-when-acknowledged',
  'no retry of an event was stored after the one that was acknowledged',
  async (t) => {
    await t.each(storedEvents(t), (event) => {
      const at = event.findIndex(isAcknowledged);
      const acknowledged = event[at];
      const late = event
        .slice(at + 1)
        .filter(({ arrivedAtMs }) => arrivedAtMs - (acknowledged?.arrivedAtMs ?? 0) > 30_000);
      t.holds(acknowledged === undefined || late.length === 0, {
        expected: 'no attempt after the acknowledgement',
        actual: `${late.length} more`,
      });
    });
  },
  otherWay,
);

check(
  'webhook-delivery.event-id-kept-on-retry',
  'what was stored with one body has one event id',
  async (t) => {
    const byBody = Map.groupBy(storedDeliveries(t), ({ rawBody }) => rawBody.toString('base64'));
    await t.each([...byBody.values()], (same) => {
      const ids = new Set(same.map((delivery) => headerOfArrival(t, delivery, 'Event-Id')));
      t.holds(ids.size === 1, { expected: 'one event id for one body', actual: [...ids].join(', ') });
    });
  },
  otherWay,
);

check(
  'webhook-delivery.fresh-timestamp-on-retry',
  'the attempts that were stored have a timestamp each, of their own time',
  async (t) => {
    await t.each(unacknowledged(t), (event) =>
      t.each(event, (attempt) => {
        const timestamp = Number(headerOfArrival(t, attempt, 'Timestamp') ?? NaN);
        const distance = Math.abs(timestamp - attempt.arrivedAtMs / 1000 - t.target.address.clockSkewSeconds);
        t.holds(distance <= 30, {
          expected: `the timestamp of an attempt at ${new Date(attempt.arrivedAtMs).toISOString()}`,
          actual: `${timestamp}, ${Math.round(distance)} s away`,
        });
      }),
    );
  },
  otherWay,
);

check(
  'webhook-delivery.body-kept-on-retry',
  'the attempts of an event that were stored have one body',
  async (t) => {
    await t.each(unacknowledged(t), (event) => {
      const bodies = new Set(event.map(({ rawBody }) => rawBody.toString('base64')));
      t.holds(bodies.size === 1, { expected: 'the same bytes each time', actual: `${bodies.size} different bodies` });
    });
  },
  otherWay,
);
