import { check } from './kit/check.ts';
import { noteLadders, storedDeliveries } from './kit/attempts.ts';

/** What is judged of what a receiver stored in hours before this run, in place of what a movable clock shows. */
const ofStored = [
  ['webhook-delivery.five-retries', 'no event that was stored was retried more than five times'],
  [
    'webhook-delivery.retries-stop-when-acknowledged',
    'no retry of an event was stored after the one that was acknowledged',
  ],
  ['webhook-delivery.event-id-kept-on-retry', 'what was stored with one body has one event id'],
  [
    'webhook-delivery.fresh-timestamp-on-retry',
    'the attempts that were stored have a timestamp each, of their own time',
  ],
  ['webhook-delivery.body-kept-on-retry', 'the attempts of an event that were stored have one body'],
] as const;

for (const [clause, title] of ofStored) {
  check(clause, title, async (t) => void (await storedDeliveries(t)), { isOtherWay: true });
}

check(
  'webhook-delivery.retry-delays',
  'the retries that were stored came at the instants of the ladder',
  async (t) => noteLadders(t, await storedDeliveries(t)),
  { isOtherWay: true },
);
