import { limits } from '../../contract/limits.ts';
import { duration } from '../../reports/figures.ts';
import { ok, problem, warning, type Finding } from './finding.ts';
import type { Asked } from './session.ts';

/** How far the target's clock is from this machine's. */
export interface Skew {
  /** Target minus own, in seconds. */
  readonly seconds: number;
  /** How far off that may be, in seconds. */
  readonly doubtSeconds: number;
  readonly source: 'echo serverTime' | 'Date header';
}

/** A `Date` header has whole seconds: on average half a second has passed since. */
const halfSecondMs = 500;

/** The skew that an echo shows: at half its round trip the target's clock stood at `serverTime`, else at its Date header. */
export function skewOf({ answer, receivedMs, durationMs }: Asked): Skew | undefined {
  if ('error' in answer) return undefined;
  const middleMs = receivedMs - durationMs / 2;
  const stated = isoMs(answer.data['serverTime']);
  if (stated !== undefined) {
    return { seconds: (stated - middleMs) / 1000, doubtSeconds: durationMs / 2000, source: 'echo serverTime' };
  }
  const datedMs = Date.parse(answer.date ?? '') + halfSecondMs;
  if (Number.isNaN(datedMs)) return undefined;
  const doubtSeconds = (durationMs / 2 + halfSecondMs) / 1000;
  return { seconds: (datedMs - middleMs) / 1000, doubtSeconds, source: 'Date header' };
}

const goodSeconds = 30;

/** The largest skew that leaves checks at the edge of the tolerance a margin of 5 s. */
const mostSeconds = limits.timestampToleranceSeconds - 5;

export function judgeSkew(skew: Skew | undefined): Finding {
  if (!skew) {
    return warning(
      'clock',
      'the target tells no time, neither in serverTime nor in Date',
      'see that both clocks are right',
    );
  }
  const distance = Math.abs(skew.seconds);
  const by = `is ${distance.toFixed(1)} s ${skew.seconds > 0 ? 'ahead of' : 'behind'}`;
  const relation = distance < 0.05 ? 'agrees with' : by;
  const doubt = `${skew.source}, ± ${duration(skew.doubtSeconds * 1000)}`;
  const found = `the target's clock ${relation} this machine's (${doubt})`;
  if (distance <= goodSeconds) return ok('clock', found);
  if (distance <= mostSeconds) {
    return warning('clock', found, 'the run allows for it; set the clock that is wrong all the same');
  }
  const tolerance = `±${limits.timestampToleranceSeconds} s`;
  return problem('clock', `${found}: too far for timestamps judged to ${tolerance}`, 'set the clock that is wrong');
}

function isoMs(value: unknown): number | undefined {
  const ms = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
