import { limits } from '../../contract/values.ts';
import type { Arrival } from '../../trace/exchange.ts';
import type { ObservedLadder } from '../../schemas/observed.ts';
import type { Script } from '../../targets/receiver/address.ts';
import type { ClockedCaller } from '../../targets/applications.ts';
import type { Trial } from './trial.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import type { StoredDelivery } from '../../targets/address.ts';
import { headerOfArrival } from './callbacks.ts';

/** Delays of the retries, each after the one before it. Section 6.4. */
export const retryDelaysSeconds = limits.webhookRetryDelaysSeconds;

/** A day and more: no retry is due any more. */
export const beyondRetriesSeconds = 36 * 60 * 60;

/** Long enough for the first retry. */
export const twoMinutes = 120;

/** Many more attempts than are ever due at an address here. */
const endless = 40;

/** Refuses each attempt, and each with another status than the one before it; who never ends is heard to be wrong by then, and is let go. */
export const refusing: Script = (_, attempt) => ({ status: attempt >= endless ? 200 : attempt % 2 === 0 ? 500 : 503 });

/** What comes again within that time is an immediate duplicate. */
const duplicateSeconds = 5;

/** Long enough for the last retry by either reading. */
const watchSeconds = 10 * 60 * 60;

/** Watches all retries on the caller's clock and notes them: in seconds after the first attempt. */
export async function watchLadder(
  t: Trial,
  channel: ObservedLadder['channel'],
  caller: ClockedCaller,
  arrivals: () => readonly Arrival[],
): Promise<void> {
  const times = await attemptTimes(caller, arrivals, watchSeconds);
  t.received(...arrivals());
  t.ladder({ channel, source: 'moved-clock', retriesSeconds: [...times], watchedSeconds: watchSeconds });
}

/**
 * When the attempts after the first were made, in seconds after it: the clock is moved in steps that grow, and each new
 * arrival is dated to the step in which it came. An immediate duplicate counts as one with its attempt.
 */
async function attemptTimes(
  caller: ClockedCaller,
  arrivals: () => readonly Arrival[],
  untilSeconds: number,
): Promise<readonly number[]> {
  const times: number[] = [];
  let [seconds, last] = [0, 0];
  let seen = arrivals().length;
  while (seconds < untilSeconds) {
    const step = Math.max(2, Math.round((seconds - last) * 0.05));
    await caller.advance(step);
    seconds += step;
    const now = arrivals().length;
    if (now === seen) continue;
    seen = now;
    if (seconds - last > duplicateSeconds) times.push(seconds);
    last = seconds;
  }
  return times;
}

/** An immediate duplicate counts as one with its attempt. */
const duplicateMs = 5_000;

/**
 * The deliveries that a receiver stored before this run, but for tests of an address, as they are surely the target's: one with
 * their event id or their bytes is signed by the application. They are judged as if they came now.
 */
export async function storedDeliveries(t: Trial): Promise<readonly StoredDelivery[]> {
  const stored = (t.target.address.webhook.stored ?? []).map(revived);
  const events = stored.filter((delivery) => headerOfArrival(t, delivery, 'Event') !== 'webhook.verify');
  if (events.length === 0) throw new NotExercised('the receiver stored no event');
  const known = new Set(
    events.filter((delivery) => t.isSurelySent(delivery)).flatMap((delivery) => namesOf(t, delivery)),
  );
  const sure = events.filter((delivery) => namesOf(t, delivery).some((name) => known.has(name)));
  if (sure.length === 0)
    throw new NotExercised('NFE_APP_SECRET signed none of the events that the receiver stored', 'settings');
  t.receivedBefore(await t.caller(), sure);
  return sure;
}

function namesOf(t: Trial, delivery: StoredDelivery): readonly string[] {
  const eventId = headerOfArrival(t, delivery, 'Event-Id');
  return [delivery.rawBody.toString('base64'), ...(eventId === undefined ? [] : [`id ${eventId}`])];
}

/** When the retries of an event came, in seconds after its first attempt. */
function retryTimes(attempts: readonly StoredDelivery[]): readonly number[] {
  const [firstMs = 0] = attempts.map(({ arrivedAtMs }) => arrivedAtMs);
  return attempts.flatMap(({ arrivedAtMs }, at) => {
    const isNew = arrivedAtMs - (attempts[at - 1]?.arrivedAtMs ?? arrivedAtMs) > duplicateMs;
    return isNew ? [Math.round((arrivedAtMs - firstMs) / 1000)] : [];
  });
}

/** Ladders that are noted of what was stored: as many as a report can show. */
const mostLadders = 20;

/** Notes when the first events that no attempt acknowledged were tried again. */
export function noteLadders(t: Trial, stored: readonly StoredDelivery[]): void {
  const untilMs = Math.max(...stored.map(({ arrivedAtMs }) => arrivedAtMs));
  const events = [...Map.groupBy(stored, (delivery) => headerOfArrival(t, delivery, 'Event-Id') ?? '').values()];
  const refused = events.filter((event) => event.length > 1 && !event.some(isAcknowledged));
  for (const event of refused.slice(0, mostLadders)) {
    const isVerdict = event.some((delivery) => headerOfArrival(t, delivery, 'Event') === 'invoice.verify.completed');
    t.ladder({
      channel: isVerdict ? 'verification' : 'issuance',
      source: 'stored',
      retriesSeconds: [...retryTimes(event)],
      watchedSeconds: Math.round((untilMs - (event[0]?.arrivedAtMs ?? untilMs)) / 1000),
    });
  }
}

function isAcknowledged({ answeredStatus }: StoredDelivery): boolean {
  return answeredStatus >= 200 && answeredStatus <= 299;
}

const known = new WeakMap<StoredDelivery, StoredDelivery>();

/** A Buffer travelled as plain bytes. The same one whenever it is asked for, so that it counts once. */
function revived(delivery: StoredDelivery): StoredDelivery {
  const { rawBody, codedBody } = delivery;
  const bytes = { rawBody: Buffer.from(rawBody), ...(codedBody ? { codedBody: Buffer.from(codedBody) } : {}) };
  const whole = known.get(delivery) ?? { ...delivery, ...bytes };
  known.set(delivery, whole);
  return whole;
}
