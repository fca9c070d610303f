import { codes, limits } from '../../contract/values.ts';
import { answerText, isRefusal } from './answer.ts';
import { ok, problem, type Remark, warning } from './finding.ts';
import { askSurely, type Asked, type Session } from './session.ts';
import { duration } from '../../reports/language.ts';
import { preflightEcho } from './echo.ts';

/** How far the target's clock is from this machine's. */
interface Skew {
  /** Target minus own, in seconds. */
  readonly seconds: number;
  /** How far off that may be, in seconds. */
  readonly doubtSeconds: number;
  readonly source: 'echo serverTime' | 'Date header' | 'the timestamps that it takes';
}

/** What was found of the clock. */
interface ExaminedClock {
  readonly findings: readonly Remark[];
  /** Absent where it could not be told. */
  readonly skew?: Skew;
}

/** A `Date` header has whole seconds: on average half a second has passed since. */
const halfSecondMs = 500;
const goodSeconds = 30;
const tolerance = limits.timestampToleranceSeconds;
/** The largest skew that leaves checks at the edge of the tolerance a margin of 5 s. */
const mostSeconds = tolerance - 5;

/**
 * Examines the clock by which the target judges timestamps. What `serverTime` and `Date` say is believed only as far as the
 * timestamps that are taken bear it out: one that is wrong or stands still is a deviation of the target, not a clock, and so is a node
 * of several that refuses what the others take.
 */
export async function examineClock(
  session: Pick<Session, 'ask'>,
  secret: string,
  asked: Asked,
): Promise<ExaminedClock> {
  const first = isOutOfTime(asked) ? await askedAgain(session, secret) : asked;
  const stated = statedSkew(first);
  const dated = datedSkew(first);
  if (isOutOfTime(first)) {
    const isOut = (skew: Skew | undefined): boolean => Math.abs(skew?.seconds ?? 0) > mostSeconds;
    const skew = [stated, dated].find(isOut) ?? (await skewByTrial(session, secret)) ?? dated;
    const judged = judgeSkew(skew);
    const found = `${judged.found}; it answers ${answerText(first.answer)}`;
    return { findings: [judged.state === 'problem' ? { ...judged, found } : judged], ...known(skew) };
  }
  const isTaken = 'status' in first.answer && first.answer.status === 200;
  const isBelieved = stated && (!isTaken || (await isBorneOut(session, secret, stated, first)));
  if (isBelieved) return { findings: [judgeSkew(stated)], ...known(stated) };
  const doubts = stated ? [doubted(stated)] : [];
  const isDateWrong = isTaken && dated && Math.abs(dated.seconds) > tolerance;
  if (isDateWrong) return { findings: [...doubts, doubted(dated)] };
  return { findings: [...doubts, judgeSkew(dated)], ...known(dated) };
}

function isOutOfTime({ answer }: Asked): boolean {
  return 'status' in answer && isRefusal(answer, codes.timestampInvalid);
}

/** The same echo again, by this machine's clock, until it is not refused for its time. */
function askedAgain(session: Pick<Session, 'ask'>, secret: string): Promise<Asked> {
  const ask = (): Promise<Asked> => session.ask(secret, preflightEcho, 0);
  return askSurely(ask, (answer) => isRefusal(answer, codes.timestampInvalid));
}

function known(skew: Skew | undefined): Pick<ExaminedClock, 'skew'> {
  return skew && Math.abs(skew.seconds) <= mostSeconds ? { skew } : {};
}

function doubted({ seconds, source }: Skew): Remark {
  return warning(
    'clock',
    `${source === 'Date header' ? 'the Date header' : "echo's serverTime"} is ${duration(Math.abs(seconds) * 1000)} off, and yet the target takes this machine's timestamps`,
    'it is not taken for a clock; one that is further off than a timestamp that is taken is told by npm test',
  );
}

/** How far apart two echoes are asked to see whether `serverTime` moves, in milliseconds. */
const apartMs = 1_200;

/**
 * Whether what `serverTime` says is the clock that judges timestamps: it moves with time, and a timestamp that only this
 * clock would refuse, is refused.
 */
async function isBorneOut(session: Pick<Session, 'ask'>, secret: string, stated: Skew, first: Asked): Promise<boolean> {
  if (Math.abs(stated.seconds) > tolerance) return false;
  if (Math.abs(stated.seconds) <= goodSeconds / 10) return true;
  await new Promise((resolve) => setTimeout(resolve, apartMs));
  // In time by this machine's clock, and out of time by the one that is stated.
  const outOfTime = -Math.sign(stated.seconds) * (tolerance - Math.abs(stated.seconds) / 2);
  const later = await session.ask(secret, preflightEcho, 0);
  const hasMoved = movedAlong(statedSkew(later), stated, (later.receivedMs - first.receivedMs) / 1000);
  const { answer } = await session.ask(secret, preflightEcho, outOfTime);
  return hasMoved && 'status' in answer && isRefusal(answer, codes.timestampInvalid);
}

/** How far apart the clocks of the nodes behind one address may be: whoever sends to the edge keeps as far away from it. */
const nodesApartSeconds = 5;

/** Whether a clock goes: one that stands is behind by all that has passed since, and nodes are hardly apart by just that. */
function movedAlong(later: Skew | undefined, stated: Skew, passedSeconds: number): boolean {
  if (!later) return false;
  const drift = later.seconds - stated.seconds;
  const doubtSeconds = 0.001 + later.doubtSeconds + stated.doubtSeconds;
  return Math.abs(drift) <= nodesApartSeconds && Math.abs(drift + passedSeconds) > doubtSeconds;
}

/** Offsets that are tried where timestamps of now are refused and nothing tells the time, in seconds: the tolerances meet. */
const offsets = [600, -600, 1200, -1200, 1800, -1800, 3600, -3600, 10_800, -10_800];

/** The skew by the first offset at which a timestamp is taken, within the tolerance. */
async function skewByTrial(session: Pick<Session, 'ask'>, secret: string): Promise<Skew | undefined> {
  for (const seconds of offsets) {
    const { answer } = await session.ask(secret, preflightEcho, seconds);
    const isTaken = 'status' in answer && !isRefusal(answer, codes.timestampInvalid);
    if (isTaken) return { seconds, doubtSeconds: tolerance, source: 'the timestamps that it takes' };
  }
  return undefined;
}

/** The skew that `serverTime` of an echo states: at half its round trip the target's clock stood there. */
export function statedSkew({ answer, receivedMs, durationMs }: Asked): Skew | undefined {
  const stated = 'error' in answer ? undefined : isoMs(answer.data['serverTime']);
  if (stated === undefined) return undefined;
  const seconds = (stated - receivedMs + durationMs / 2) / 1000;
  return { seconds, doubtSeconds: durationMs / 2000, source: 'echo serverTime' };
}

/** The skew that the `Date` header of an answer shows. */
export function datedSkew({ answer, receivedMs, durationMs }: Asked): Skew | undefined {
  const datedMs = 'error' in answer ? Number.NaN : Date.parse(answer.date ?? '') + halfSecondMs;
  if (Number.isNaN(datedMs)) return undefined;
  const seconds = (datedMs - receivedMs + durationMs / 2) / 1000;
  return { seconds, doubtSeconds: (durationMs / 2 + halfSecondMs) / 1000, source: 'Date header' };
}

/** Judges a skew. */
export function judgeSkew(skew: Skew | undefined): Remark {
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
  const found = `the target's clock ${relation} this machine's (${skew.source}, ± ${duration(skew.doubtSeconds * 1000)})`;
  if (distance <= goodSeconds) return ok('clock', found);
  if (distance <= mostSeconds) {
    return warning('clock', found, 'the run allows for it; set the clock that is wrong all the same');
  }
  return problem(
    'clock',
    `${found}: too far for timestamps judged to ±${tolerance} s`,
    'set the clock that is wrong',
    'target',
  );
}

function isoMs(value: unknown): number | undefined {
  const ms = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
