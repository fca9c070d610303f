/** How often something failed, of how many tries. */
export interface Rate {
  readonly failed: number;
  readonly of: number;
}

/** A rate of wrong answers that is to be excluded, and how surely: both above 0 and below 1. */
export interface Bound {
  readonly atMost: number;
  readonly confidence: number;
}

/** Share of intervals that hold the true rate. */
const confidence = 0.95;

/**
 * Bounds of the true rate, from 0 to 1: the exact interval of Clopper and Pearson, which holds it at least 95 times in 100,
 * however few the tries. At a rate below it so many failures or more, above it so few or fewer, come less than once in 40.
 */
export function intervalOf({ failed, of }: Rate): readonly [number, number] {
  const tail = (1 - confidence) / 2;
  const isTooFew = (rate: number): boolean => 1 - atMost(failed - 1, of, rate) < tail;
  return [failed === 0 ? 0 : border(isTooFew), failed === of ? 1 : border((rate) => atMost(failed, of, rate) >= tail)];
}

/** The rate above which so few failures would come less than once in 20: what so many tries exclude at 95 %. */
export function boundOf({ failed, of }: Rate): number {
  return failed === of ? 1 : border((rate) => atMost(failed, of, rate) >= 1 - confidence);
}

/** How many tries, none of which fails, exclude a rate above that one with that confidence. */
export function triesToExclude({ atMost: rate, confidence: sure }: Bound): number {
  return Math.ceil(Math.log1p(-sure) / Math.log1p(-rate));
}

/** Whether so many failures come less often than once in a thousand where each try fails with that probability. */
export function isMoreThan({ failed, of }: Rate, probability: number): boolean {
  return 1 - atMost(failed - 1, of, probability) < 0.001;
}

/** A rate in words: "in all 4 tries", or "in 1 of 4 tries: intermittent, 95 % interval 0.6 % to 81 %". */
export function rateText(rate: Rate, what: string): string {
  const { failed, of } = rate;
  if (failed === of) return `in all ${of} ${what}`;
  const [low, high] = intervalOf(rate).map(percentText);
  return `in ${failed} of ${of} ${what}: intermittent, 95 % interval ${low} to ${high}`;
}

/** Below 1 % one digit that tells, else none behind the point. */
function percentText(share: number): string {
  const percent = share * 100;
  return `${percent < 1 ? Number(percent.toPrecision(1)) : Math.round(percent)} %`;
}

/** Rate up to which something holds that holds at 0 and not at 1. */
function border(holds: (rate: number) => boolean): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Probability of at most so many failures in so many tries at a rate between 0 and 1. */
export function atMost(failures: number, tries: number, rate: number): number {
  const odds = Math.log(rate) - Math.log1p(-rate);
  let logTerm = tries * Math.log1p(-rate);
  let sum = 0;
  for (let count = 0; count <= failures; count++) {
    sum += Math.exp(logTerm);
    logTerm += Math.log(tries - count) - Math.log(count + 1) + odds;
  }
  return Math.min(1, sum);
}

/**
 * Wald's sequential test between two rates at which a case fails again: that of a right target behind an honest network, and
 * that of a wrong target. A network that drops one connection in twenty fails a case of ten requests in one try of 900, since a
 * request fails by three in a row that spare their twins; one in a hundred leaves room.
 */
export interface SequentialTest {
  /** Rate at which a case of a right target fails, at most. */
  readonly honest: number;
  /** Rate at which a case of a wrong target fails, at least. */
  readonly wrong: number;
  /** How often a right target is accused, at most. */
  readonly accused: number;
  /** How often a wrong one is let go, at most. */
  readonly missed: number;
}

/** What is held against a target whose failure may be the network's. */
export const againstNetwork: SequentialTest = { honest: 0.01, wrong: 0.5, accused: 0.001, missed: 0.05 };

/** What so many failures and passes say; `undefined` where more tries are needed. */
export function decided(
  { honest, wrong, accused, missed }: SequentialTest,
  { failed, passed }: { readonly failed: number; readonly passed: number },
): 'wrong' | 'honest' | undefined {
  const evidence = failed * Math.log(wrong / honest) + passed * Math.log((1 - wrong) / (1 - honest));
  if (evidence >= Math.log((1 - missed) / accused)) return 'wrong';
  return evidence <= Math.log(missed / (1 - accused)) ? 'honest' : undefined;
}
