import { retryInstantsSeconds, retryReadings, type RetryReading } from '../../../contract/retry-ladder.ts';
import type { ObservedLadder } from '../../../schemas/observed.ts';

/** Reading of the delays that comes nearest to the retries as a whole; `undefined` where both come equally near. */
export function nearestReading(retriesSeconds: readonly number[]): RetryReading | undefined {
  const [one, other] = retryReadings;
  const [ofOne, ofOther] = [distance(retriesSeconds, one), distance(retriesSeconds, other)];
  if (ofOne === ofOther) return undefined;
  return ofOne < ofOther ? one : other;
}

/** Seconds by which a retry came after its instant, by the nearest reading; `undefined` of one that is not planned. */
export function offsetSeconds({ retriesSeconds }: ObservedLadder, index: number): number | undefined {
  const instant = retryInstantsSeconds[nearestReading(retriesSeconds) ?? retryReadings[0]][index];
  const retry = retriesSeconds[index];
  return instant === undefined || retry === undefined ? undefined : retry - instant;
}

function distance(retriesSeconds: readonly number[], reading: RetryReading): number {
  const instants = retryInstantsSeconds[reading].slice(0, retriesSeconds.length);
  return instants.reduce((sum, instant, at) => sum + Math.abs((retriesSeconds[at] ?? 0) - instant) / instant, 0);
}

/** Below this, in seconds, the time line is about linear; above, logarithmic. */
const linearSeconds = 30;

/** Where a time stands on a line that ends at `endSeconds`, in percent of its length. */
export function placeOnLine(seconds: number, endSeconds: number): number {
  const share = Math.log1p(Math.min(seconds, endSeconds) / linearSeconds) / Math.log1p(endSeconds / linearSeconds);
  return Math.round(share * 10_000) / 100;
}
