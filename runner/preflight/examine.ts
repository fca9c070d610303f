import { catalogue, isJudged, neededBy } from '../../contract/catalogue.ts';
import { needs, type Need, type NeedName } from '../../contract/clause.ts';
import type { TargetAddress, Traffic } from '../../targets/address.ts';
import { lackAt, mayIssueForReal } from '../../targets/needs-met.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { nobody, type TargetListener } from '../../targets/target.ts';
import type { Settings } from '../settings/settings.ts';
import { coverageOf, judgeCoverage, type Coverage } from './clauses.ts';
import { askFirst, askSurely, examineControl, openSession, type Asked, type Session } from './session.ts';
import { hasProblem, warning, type Remark, type Report, skipped, ok, problem } from './finding.ts';
import { examineProfile, provenAt } from './profile.ts';
import type { Proof } from './profile-proof.ts';
import { examineWay, examineWebhook } from './way.ts';
import { examineApplications } from './applications.ts';
import { examineEcho, judgeEcho, preflightEcho } from './echo.ts';
import type { Mask } from '../../trace/people/words-mask.ts';
import { counted, type Say } from '../../reports/language.ts';
import { codes, isOfWay } from '../../contract/values.ts';
import type { Call } from '../../contract/request.ts';
import { endpoint, endpoints, type EndpointName, scopeOf } from '../../contract/endpoints.ts';
import { probeCall } from '../../generators/calls.ts';
import { answerText, isRefusal, type TargetAnswer, type Silence, obstacleIn } from './answer.ts';
import { shortened, visible } from '../../reports/visible.ts';
import { examineClock } from './clock.ts';

/** What is asked of an examination. */
export interface ExaminationWish {
  /** Ids of the clauses that are to be judged: only what they need is tried. All when absent. */
  readonly clauses?: readonly string[];
  /** What is needed besides. */
  readonly needs?: readonly NeedName[];
  /** Whether nothing may be left behind at somebody's server: no company is registered there and no invoice issued. */
  readonly isHarmless?: boolean;
  /** Is told of all that is sent, and done to the target. */
  readonly listener?: TargetListener;
}

const allJudged = catalogue.filter(isJudged).map(({ id }) => id);

/** What is known of a target before its first clause is judged. */
interface Examination {
  readonly findings: readonly Remark[];
  /** The target's address with all that was learned of it. */
  readonly address: TargetAddress;
  readonly proofs: readonly Proof[];
  /** The clauses that a run will exercise. */
  readonly coverage: Coverage;
  /** Secrets of applications that were made for it, each with the text that takes its place. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Secret of the application that asked, where there is one that may call everything. */
  readonly appSecret?: string;
}

/**
 * Examines a target once, for everybody who is about to judge it: the way there, the control API, the echo endpoint, the
 * clock, every secret, the endpoints, the receiver and the profile. A problem keeps a run from being fair; what comes after
 * it is left out as far as it rests on it.
 */
export async function examine(
  settings: Settings,
  start: TargetAddress,
  traffic: Traffic,
  report: Report = () => undefined,
  { clauses = allJudged, needs: further = [], isHarmless = false, listener }: ExaminationWish = {},
): Promise<Examination> {
  const asked: Exchange[] = [];
  const session = openSession(start, traffic, {
    ...nobody,
    ...listener,
    exchange(exchange) {
      listener?.exchange?.(exchange);
      if (isOfSharedApplication(start, exchange)) asked.push(exchange);
    },
  });
  const findings: Remark[] = [];
  const told = (...found: readonly Remark[]): void => {
    findings.push(...found);
    report(found);
  };
  try {
    const isOurs = start.kind !== 'sandbox';
    const way = isOurs ? [] : await examineWay(start);
    told(...way, ...examineShow(start));
    const control = await examineControl(session, start);
    const secret = start.control ? control.secret : start.credentials.active;
    const service = hasProblem(way)
      ? { findings: skipService("the server can't be reached") }
      : await examineService(session, start, secret);
    told(...service.findings, ...control.findings);
    if (!isOurs) told(await examineWebhook(settings, start));
    const address = learned(start, control.implementation, service);
    const needed = new Set([...neededBy(clauses), ...further]);
    const isWanted = (need: NeedName): boolean => needed.has(need) && !(isHarmless && !isOurs && leavesSomething(need));
    const profile = await examineProfile(session, address, settings, hasProblem(findings) ? undefined : isWanted);
    told(...profile.findings);
    const proven = { ...provenAt(address, profile), ...(asked.length === 0 ? {} : { asked }) };
    const coverage = coverageOf((need) => lackAt(proven, need)?.reason, mayIssueForReal(proven));
    told(...judgeCoverage(coverage, settings, hasProblem(findings)));
    return {
      findings,
      address: proven,
      proofs: profile.proofs,
      coverage,
      secrets: session.target.secrets,
      ...(secret === undefined ? {} : { appSecret: secret }),
    };
  } finally {
    await session.target.close();
  }
}

/** Whether a request was a right one to an endpoint, of the application as which checks will ask the same. */
function isOfSharedApplication({ control, credentials }: TargetAddress, { request, response }: Exchange): boolean {
  const isRefusal = [401, 403].includes(response?.status ?? 401);
  return (
    !control && request.parts.token === credentials.active && !isRefusal && request.parts.path !== endpoint('echo').path
  );
}

/** Says that reports show whatever a server sends, where that is so. */
function examineShow({ kind, shows }: TargetAddress): Remark[] {
  if (kind !== 'sandbox' || shows !== 'all') return [];
  return [
    warning(
      'NFE_SHOW',
      'reports show whatever the server sends, whoever it tells of; only secrets and links are hidden',
      'unset it where the server knows real people',
    ),
  ];
}

/** The address with what was learned of the target itself. */
function learned(
  address: TargetAddress,
  implementation: string | undefined,
  { skewSeconds, server }: ExaminedService,
): TargetAddress {
  const known = address.kind === 'embedded' ? 0 : wholeSeconds(skewSeconds);
  return {
    ...address,
    ...(implementation === undefined ? {} : { implementation }),
    ...(implementation !== undefined || server === undefined ? {} : { server }),
    clockSkewSeconds: known ?? 0,
    ...(known === undefined ? {} : { knownSkewSeconds: known }),
  };
}

/** A little less than none is none: `Math.round` would give -0, which a report shows as "-0 s". */
function wholeSeconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds) || 0;
}

/** Whether trying what supplies a need leaves a company or an invoice at the target. */
function leavesSomething(need: NeedName): boolean {
  const { profileFiles = [] }: Need = needs[need];
  return profileFiles.some((file) => file.includes('empresa') || file.startsWith('nf-e.'));
}

/** Takes the place of a secret that nobody has: even the refusal tells whether an echo endpoint is there, and the time. */
const noSecret = 'preflight-without-secret';

/** What was found of the service. */
interface ExaminedService {
  readonly findings: readonly Remark[];
  /** Target clock minus own clock, in seconds; absent where it is not known. */
  readonly skewSeconds?: number;
  /** What the headers of its first answer say of who serves. */
  readonly server?: string;
}

/** Examines what answers at the target's address: echo, clock, applications, endpoints. */
async function examineService(
  session: Session,
  address: TargetAddress,
  secret: string | undefined,
): Promise<ExaminedService> {
  const first = await askSurely(
    () => askFirst(session, secret ?? noSecret, preflightEcho, 0),
    (answer) => hasProblem([judgeEcho(answer, address.baseUrl)]),
  );
  const echo = await examineEcho(session, first, address);
  if (hasProblem([echo])) return { findings: [echo, ...skipService('there is no echo endpoint to ask').slice(1)] };
  const clock = await examineClock(session, secret ?? noSecret, first);
  const found = [echo, ...clock.findings];
  const skewSeconds = clock.skew?.seconds;
  const known = { ...serverOf(first), ...(skewSeconds === undefined ? {} : { skewSeconds }) };
  if (hasProblem(found)) return { findings: [...found, ...skipService("the clocks don't agree").slice(2)], ...known };
  if (secret === undefined)
    return {
      findings: [...found, ...skipService('the control API gives no application to ask with').slice(2)],
      ...known,
    };
  const { findings, obstacle } = await examineApplications(session, address, secret, skewSeconds ?? 0);
  const subscriptions =
    obstacle === undefined
      ? await examineSubscriptions(session, address, secret, skewSeconds ?? 0)
      : [skipped('subscriptions', obstacle)];
  return { findings: [...found, ...findings, ...subscriptions], ...known };
}

function serverOf({ answer }: Asked): Pick<ExaminedService, 'server'> {
  return 'error' in answer || answer.server === undefined ? {} : { server: answer.server };
}

/** None of this was examined. */
function skipService(why: string): Remark[] {
  return ['echo', 'clock', 'application secrets', 'subscriptions'].map((examined) => skipped(examined, why));
}

const longestText = 300;
const mostWarnings = 6;

/** What `npm test` prints of its preflight: what is in order in one line, then a line for each warning, a few of them. */
export function preflightLines(
  { findings, address }: Pick<Examination, 'findings' | 'address'>,
  mask: Mask,
  say: Say = (english) => english,
): string[] {
  if (address.kind !== 'sandbox') return [];
  const clean = (text: string): string => shortened(visible(mask(text)), longestText);
  const told = (text: string): string => say(clean(text));
  const inOrder = [...new Set(findings.filter(({ state }) => state === 'ok').map(({ examined }) => examined))];
  const warnings = findings.filter(({ state }) => state === 'warning');
  const shown = warnings.slice(0, mostWarnings);
  const rest = warnings.length - shown.length;
  return [
    say(`Preflight: in order are ${inOrder.map(told).join(', ')}.`),
    ...shown.map(({ examined, found, advice }) => {
      return `! ${told(examined)}: ${told(found)}${advice === undefined ? '' : ` → ${told(advice)}`}`;
    }),
    ...(rest > 0 ? [say(`! ${counted(rest, 'warning')} more: npm run doctor tells them`)] : []),
  ];
}

/** Asks every endpoint but echo once, with calls that change nothing, whether the application may call it. */
async function examineSubscriptions(
  session: Session,
  { kind, baseUrl, xmlContentType }: TargetAddress,
  secret: string,
  skewSeconds: number,
): Promise<Remark[]> {
  const names = endpoints.map(({ name }) => name).filter((name) => name !== 'echo' && !isLeftOut(name, kind));
  const ask = (call: Call): Promise<Asked> => session.ask(secret, call, skewSeconds);
  const answers: [EndpointName, TargetAnswer | Silence][] = [];
  for (const name of names) {
    const call = probeCall(name, xmlContentType);
    const { answer } = await askSurely(
      () => ask(call),
      (each) => hasProblem(judgeProbe(name, each, baseUrl)),
    );
    answers.push([name, answer]);
  }
  const found: Remark[] = [];
  for (const [name, answer] of answers) {
    const alike = answers.filter(([other]) => bodyKind(other) === bodyKind(name)).map(([, each]) => each);
    const isOwn = await isOwnAnswer(answer, alike, async () => (await ask(plainCall(name))).answer);
    found.push(...judgeProbe(name, answer, baseUrl, isOwn));
  }
  const passed = `${counted(names.length - found.length, 'endpoint')} of ${names.length} beyond echo let the application pass`;
  const leftOut =
    kind === 'sandbox'
      ? '; registrations and issuance were not asked, since a lenient server might take the question for one'
      : '';
  return [ok('subscriptions', `${passed}${leftOut}`), ...found];
}

/** A sandbox might keep what it ought to refuse. */
function isLeftOut(name: EndpointName, kind: TargetAddress['kind']): boolean {
  return kind === 'sandbox' && endpoint(name).makesNew === true;
}

/**
 * Whether what seems to stand in the way is the endpoint's own answer: others that take bodies of its kind get through, or, where none
 * does, a page comes to JSON as well, which gets through elsewhere.
 */
async function isOwnAnswer(
  answer: TargetAnswer | Silence,
  alike: readonly (TargetAnswer | Silence)[],
  toJson: () => Promise<TargetAnswer | Silence>,
): Promise<boolean> {
  if (alike.length === 1 && isPage(answer)) return isPage(await toJson());
  return isElsewhere(answer) && !alike.every(isElsewhere);
}

/** JSON in place of what an endpoint takes. */
function plainCall(name: EndpointName): Call {
  return { ...probeCall(name, ''), contentType: 'application/json', rawBody: Buffer.from('{}') };
}

function isPage(answer: TargetAnswer | Silence): boolean {
  return 'form' in answer && answer.form === 'page';
}

/** A page that is served with success, or a redirect. */
function isElsewhere(answer: TargetAnswer | Silence): boolean {
  if ('error' in answer) return false;
  const { form, status, location } = answer;
  return status < 300 ? form === 'page' : status < 400 && location !== undefined;
}

/**
 * Judges what an endpoint answers to its probe; nothing where the gateway lets it pass. A firewall bars all bodies of a kind, and nothing
 * else: where others of a kind get through a page that is served is the endpoint's own answer, as of a service that has one for whatever it has
 * no route for, and so are a redirect, as to the login of people, and a page that comes to another kind as well.
 */
export function judgeProbe(
  name: EndpointName,
  answer: TargetAnswer | Silence,
  baseUrl: string,
  isOwn = false,
): Remark[] {
  const { method, path } = endpoint(name);
  const examined = `subscription to ${scopeOf(endpoint(name))}`;
  const says = `${method} ${path} answers ${answerText(answer)}`;
  if ('error' in answer) return [warning(examined, says, "try again: the subscription can't be told")];
  const obstacle = obstacleIn(answer, baseUrl);
  // Unavailable here alone, or elsewhere within the service, while echo is there, is an answer of this endpoint's.
  if (obstacle && !isOfWay(answer.status) && !isOwn && !isWithinService(answer, baseUrl)) {
    const what = `${method} ${path} (${bodyKind(name)}) ${obstacle.found}, while echo gets through`;
    return [problem('way to the endpoints', what, obstacle.advice, obstacle.trouble)];
  }
  if (isRefusal(answer, codes.notSubscribed)) {
    return [warning(examined, says, 'subscribe the application of NFE_APP_SECRET to this scope')];
  }
  if (![401, 403, 429].includes(answer.status) && !isOwn) return [];
  return [
    warning(
      examined,
      isOwn && answer.form === 'page' ? `${says} with an HTML page` : says,
      'echo lets this application pass: npm test tells whether the target deviates',
    ),
  ];
}

/** Whether an answer sends to another path of the service, such as the same with a slash at its end. */
function isWithinService({ location = '' }: TargetAnswer, baseUrl: string): boolean {
  return URL.canParse(location, baseUrl) && new URL(location, baseUrl).href.startsWith(`${baseUrl}/openapi/`);
}

/** What an endpoint is sent, as a firewall tells requests apart. */
function bodyKind(name: EndpointName): string {
  if (name === 'nfe-verification') return 'XML body';
  if (name === 'certificado-association') return 'multipart body';
  return ['GET', 'DELETE'].includes(endpoint(name).method) ? 'no body' : 'JSON body';
}
