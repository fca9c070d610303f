import { codes, limits } from '../../contract/values.ts';
import { endpoint } from '../../contract/endpoints.ts';
import type { TargetAddress } from '../../targets/address.ts';
import { echoCall } from '../../generators/calls.ts';
import { answerText, isRefusal, type TargetAnswer, type Silence, obstacleIn } from './answer.ts';
import { ok, problem, type Remark, warning } from './finding.ts';
import { placeOf, proxyFor, proxyText, type Proxy } from './proxy.ts';
import type { Asked, Session } from './session.ts';
import { judgeDistrust, speaksTls } from './tls.ts';
import { duration } from '../../reports/language.ts';

const examined = 'echo';

/** What echo is sent, and has to return. */
export const echoMessage = 'preflight';

/** A correct echo of the preflight. */
export const preflightEcho = echoCall(echoMessage);

/**
 * Examines whether an echo endpoint of the contract is where the settings say, whatever it thinks of the application: not a
 * firewall, a portal, a redirect or a port that speaks another protocol.
 */
export async function examineEcho(session: Session, { answer }: Asked, address: TargetAddress): Promise<Remark> {
  const { baseUrl, network = {} } = address;
  const judged = throughProxy(judgeEcho(answer, baseUrl), answer, proxyFor(new URL(baseUrl), network));
  if (await isPlainOnTls(answer, baseUrl, network.extraCa)) {
    return problem(
      examined,
      `${baseUrl} speaks TLS, not plain http (${answerText(answer)})`,
      `set NFE_BASE_URL to ${baseUrl.replace(/^http:/, 'https:')}`,
    );
  }
  if (judged.state === 'ok' && (await isPortal(session, answer))) {
    const empty = 'form' in answer && answer.form === 'nothing' ? ' and nothing' : '';
    return problem(
      examined,
      `${baseUrl} answers ${answerText(answer)}${empty} to everything, also to a request that makes no sense`,
      'a portal or a stub stands in place of the service: check NFE_BASE_URL and the network',
      'network',
    );
  }
  return judged;
}

/** A proxy that answers in the target's place is named, since it is the one to ask. */
function throughProxy(finding: Remark, answer: TargetAnswer | Silence, proxy: Proxy | undefined): Remark {
  if (finding.state !== 'problem' || !proxy) return finding;
  const { variable } = proxy;
  const isAskingWho = 'error' in answer ? answer.error.includes('(407)') : answer.status === 407;
  const advice = isAskingWho
    ? `put its user and password into ${variable}, http://user:password@host:port`
    : `check that proxy, or name the host in NO_PROXY if it is reached straight; ${finding.advice ?? ''}`;
  return { ...finding, found: `${finding.found}, through ${proxyText(proxy)}`, advice, trouble: 'network' };
}

/** Judges whether an echo endpoint is there, as far as one answer tells. */
export function judgeEcho(answer: TargetAnswer | Silence, baseUrl: string): Remark {
  if ('error' in answer) {
    const distrust = judgeDistrust(examined, new URL(baseUrl).hostname, answer.error);
    if (distrust) return distrust;
    const found = `${baseUrl} gives no answer (${answer.error})`;
    return problem(examined, found, 'check the address, the network and the proxy', 'network');
  }
  const { status } = answer;
  const found = `${baseUrl} answers ${answerText(answer)}`;
  if (status === 429) {
    const advice = 'wait until the limit is over, ask for a higher one for this application, or set NFE_MAX_RPS lower';
    const isPage = answer.form === 'page';
    const said = isPage ? `${found} with an HTML page to the first requests` : `${found} to the first requests`;
    return problem(examined, said, advice);
  }
  const obstacle = obstacleIn(answer, baseUrl);
  if (obstacle) return problem(examined, `${baseUrl} ${obstacle.found}`, obstacle.advice, obstacle.trouble);
  const prefixAdvice = 'check NFE_BASE_URL: it ends where /openapi begins';
  if (status === 404 || status === 405) return problem(examined, `${found}: no echo endpoint is there`, prefixAdvice);
  if (isRefusal(answer, codes.signMismatch) && /\/openapi(?:\/|$)/i.test(baseUrl)) {
    return problem(examined, `${found}, and holds /openapi itself`, prefixAdvice);
  }
  return ok(examined, found);
}

/** A plain request to a port that speaks TLS is answered with a complaint or not at all. */
async function isPlainOnTls(
  answer: TargetAnswer | Silence,
  baseUrl: string,
  extraCa: string | undefined,
): Promise<boolean> {
  const url = new URL(baseUrl);
  const isComplaint = 'error' in answer || (answer.status === 400 && answer.code === undefined);
  return url.protocol === 'http:' && isComplaint && (await speaksTls(placeOf(url), extraCa));
}

/** Whether a success that returns nothing of what was sent is given to a request that makes no sense, too. */
async function isPortal(session: Session, answer: TargetAnswer | Silence): Promise<boolean> {
  if ('error' in answer || answer.status >= 300 || answer.data['echo'] === echoMessage) return false;
  const { method } = endpoint('echo');
  const rawBody = Buffer.from('no sense');
  const call = { method, path: '/openapi/conformance-probe/nowhere', contentType: 'text/plain', rawBody };
  const { answer: other } = await session.send({ call, token: 'nobody', timestamp: '0' });
  return 'status' in other && other.status < 300;
}

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
 * Examines the clock by which the target judges timestamps. What `serverTime` says is believed only as far as the timestamps
 * that are taken bear it out: a `serverTime` that is wrong or stands still is a deviation of the target, not a clock.
 */
export async function examineClock(
  session: Pick<Session, 'ask'>,
  secret: string,
  first: Asked,
): Promise<ExaminedClock> {
  const stated = statedSkew(first);
  const dated = datedSkew(first);
  if ('status' in first.answer && isRefusal(first.answer, codes.timestampInvalid)) {
    const isOut = (skew: Skew | undefined): boolean => Math.abs(skew?.seconds ?? 0) > mostSeconds;
    const skew = [stated, dated].find(isOut) ?? (await skewByTrial(session, secret)) ?? dated;
    const judged = judgeSkew(skew);
    const found = `${judged.found}; it answers ${answerText(first.answer)}`;
    return { findings: [judged.state === 'problem' ? { ...judged, found } : judged], ...known(skew) };
  }
  const isTaken = 'status' in first.answer && first.answer.status === 200;
  const isBelieved = stated && (!isTaken || (await isBorneOut(session, secret, stated, first)));
  if (stated && !isBelieved) return { ...known(dated), findings: [doubted(stated), judgeSkew(dated)] };
  const skew = stated ?? dated;
  return { findings: [judgeSkew(skew)], ...known(skew) };
}

function known(skew: Skew | undefined): Pick<ExaminedClock, 'skew'> {
  return skew && Math.abs(skew.seconds) <= mostSeconds ? { skew } : {};
}

function doubted({ seconds }: Skew): Remark {
  return warning(
    'clock',
    `echo's serverTime is ${duration(Math.abs(seconds) * 1000)} off, and yet the target takes this machine's timestamps`,
    'it is not taken for a clock: npm test judges it',
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
