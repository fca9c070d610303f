import { limits } from '../contract/limits.ts';
import type { ExchangeRecord } from '../trace/records.ts';

/** Seconds by which a clock that runs is not known: it is measured in whole ones. */
const unknownSeconds = 3;

/** Where a timestamp lies on the clock of its caller, whenever on its way the request was looked at; `undefined` where it is no number. */
export function timestampOf({
  signing,
  caller,
  durationMs,
}: ExchangeRecord): 'within' | 'near the edge' | 'behind' | 'ahead' | undefined {
  const { aheadSeconds: first } = signing ?? {};
  if (first === undefined) return undefined;
  const [margin, under] = caller?.hasOwnClock ? [0, 0] : [unknownSeconds, durationMs / 1000];
  const last = first - under;
  const most = limits.timestampToleranceSeconds;
  if (first + margin < -most) return 'behind';
  if (last - margin > most) return 'ahead';
  return last - margin >= -most && first + margin <= most ? 'within' : 'near the edge';
}
