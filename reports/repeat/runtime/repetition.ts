import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import type { Step } from '../../../schemas/evidence.ts';
import {
  NotTried,
  Otherwise,
  env,
  hide,
  shown,
  secretNamed,
  pairs,
  codeIn,
  jsonIn,
  membersOf,
  bytesOf,
  atOf,
  endOf,
  type Story,
  type Call,
  type Steering,
  type Headers,
  type Answer,
  type Arrival,
  fits,
} from './kit.ts';
import {
  rightly,
  formed,
  pieceOf,
  digested,
  signatureOf,
  isOwn,
  control,
  exchanged,
  controlAt,
  noControl,
} from './requests.ts';
import { isUpload, upload, fromProfile, isMasked, withType } from './profile.ts';
import { Receiver } from './receiver.ts';
import { Likeness, type Link } from './likeness.ts';

interface Application {
  readonly key: string;
  readonly secrets: string[];
  /** Whether its clock stands still until it is moved. */
  readonly hasOwnClock: boolean;
}

/** How long a delivery of the run is waited for, and how long at the end for one that the run did not have. */
const deliveryMs = Number(env['REPEAT_WAIT_SECONDS'] ?? 8) * 1000;

const quietMs = Math.min(1_500, deliveryMs);

/** Pauses of a run that are made again are longer than the checks themselves need. */
const pauseMs = 3_000;

/** Repeats a story. Ends with 1 where everything comes as in the run, with 0 where it does not any more, with 2 where that can't be told. */
export async function repeat(story: Story): Promise<number> {
  let teller: Repetition | undefined;
  try {
    teller = new Repetition(story);
    await teller.run();
    console.log(`\nREPRODUCED: ${shown(story.actual)}\n  expected: ${shown(story.expected)}`);
    return 1;
  } catch (error) {
    if (!(error instanceof Otherwise)) {
      console.error(`NOT TRIED: ${shown(error instanceof Error ? error.message : String(error))}`);
      return 2;
    }
    const isWrong = error.status !== undefined && story.due !== undefined && !isDue(story.due, error);
    console.log(`\n${isWrong ? 'REPRODUCED, but otherwise' : 'NOT REPRODUCED'}: ${shown(error.message)}`);
    console.log(`  expected: ${shown(story.expected)}`);
    return isWrong ? 1 : 0;
  } finally {
    teller?.close();
  }
}

function isDue(due: NonNullable<Story['due']>, { status = 0, code }: Otherwise): boolean {
  if (due === 'accepted') return ![401, 403, 410, 429].includes(status);
  return due.some((one) => one.status === status && (one.code ?? code) === code);
}

class Repetition {
  readonly story: Story;
  readonly base: URL;
  readonly applications = new Map<string, Application>();
  readonly receiver = new Receiver();
  readonly alike = new Likeness();
  readonly agents = new Map<number, http.Agent>();
  /** What came over links, by how many bytes it had in the run. */
  readonly documents = new Map<number, Buffer>();
  /** Links in what came, each with how the run shows its like. */
  readonly links: (Link & { readonly at: number })[] = [];

  constructor(story: Story) {
    this.story = story;
    const given = env['NFE_BASE_URL'] || story.baseUrl;
    if (!URL.canParse(given) || !/^https?:/.test(given)) throw new NotTried('NFE_BASE_URL is no http or https address');
    this.base = new URL(given);
    this.alike.same(new URL(story.baseUrl).origin, this.base.origin);
  }

  async run(): Promise<void> {
    const { steps } = this.story;
    const lacking = steps.map(lackOf).find((lack) => lack !== undefined);
    if (lacking !== undefined) throw new NotTried(lacking);
    if (steps.some(({ kind, ...step }) => kind === 'delivery' || ('address' in step && step.address)))
      await this.receiver.listen();
    const groups = togetherIn(steps);
    let endedAt: number | undefined;
    for (const group of groups) {
      const [first] = group;
      if (first === undefined) continue;
      const startedAt = atOf(first);
      if (endedAt !== undefined && startedAt - endedAt > pauseMs) await this.pause(startedAt - endedAt);
      endedAt = Math.max(...group.map(endOf));
      if (first.kind === 'delivery') await this.delivered(group);
      else await Promise.all(group.map((step) => this.take(step)));
    }
    await this.quiet();
  }

  close(): void {
    this.receiver.close();
    for (const agent of this.agents.values()) agent.destroy();
  }

  /** Time that the run let pass: a clock that stands still need not be waited for. */
  async pause(ms: number): Promise<void> {
    if ([...this.applications.values()].some(({ hasOwnClock }) => hasOwnClock)) return;
    console.log(`wait  ${Math.round(ms / 1000)} s, as in the run`);
    await sleep(ms);
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'steering') return this.steer(step);
    const what = `${step.evidence.request.method} ${step.evidence.request.target}`;
    const send = () => (step.kind === 'link' ? this.follow(step) : this.call(step));
    const answer = await this.patiently(step, send);
    console.log(shown(`call  ${what} -> ${answer.status}`));
    if (step.isSetUp && answer.status !== step.evidence.response?.status)
      throw new NotTried(`${what} was answered ${answer.status}, in the run ${step.evidence.response?.status}`);
    const difference = this.differenceOf(step, answer);
    const lack = this.lackBehind(step, answer);
    if (lack !== undefined) throw new NotTried(`${what} was answered ${answer.status}: ${lack}`);
    if (difference === undefined || step.isSetUp) return;
    // What is due is due to the last request.
    const isLast = this.story.steps.findLast(({ kind }) => kind === 'call') === step;
    throw isLast
      ? new Otherwise(`${what}: ${difference}`, answer.status, codeIn(answer.body))
      : new Otherwise(`${what}: ${difference}`);
  }

  /** Why a request that was taken in the run may be refused now though nothing was mended: the last one apart, which is what is told of. */
  lackBehind(step: Call, { status }: Answer): string | undefined {
    const { response, request } = step.evidence;
    const wasTaken = response !== undefined && response.status < 300;
    const isLast = this.story.steps.findLast(({ kind }) => kind === 'call') === step;
    if (!wasTaken || status < 400 || (isLast && status !== 400)) return undefined;
    if (step.kind === 'call' && step.address === undefined && !isUpload(step) && isMasked(this.bodyOf(step)))
      return 'the report masks what was sent, and NFE_PROFILE does not have it';
    return !isLast && /\/empresas(?:\/[^/]+\/certificadoDigital)?$/.test(request.target)
      ? 'the company of the run can not be set up here'
      : undefined;
  }

  /** What was not settled when it was asked for is asked for again: a run does no more than that. */
  async patiently(step: Call, send: () => Promise<Answer>): Promise<Answer> {
    const until = Date.now() + (step.kind === 'call' && step.evidence.request.method === 'GET' ? 2_000 : 0);
    for (;;) {
      const answer = await send();
      const isOther =
        answer.status === step.evidence.response?.status && this.differenceOf(step, answer, true) !== undefined;
      if (!isOther || Date.now() >= until || step.kind === 'link') return answer;
      await sleep(150);
    }
  }

  differenceOf(step: Call, answer: Answer, isTrial = false): string | undefined {
    const { response } = step.evidence;
    if (!response) return 'an answer came, in the run none';
    if (answer.status !== response.status) return `answered ${answer.status}, in the run ${response.status}`;
    for (const [was, is] of this.receiver.origins) this.alike.same(was, is);
    const likeness = isTrial ? this.alike.copy() : this.alike;
    const clocks = {
      was: step.now === undefined ? atOf(step) : step.now * 1000,
      is: step.now === undefined ? Date.now() : step.now * 1000,
    };
    const difference = likeness.ofMessages(
      { headers: pairs(response.headers), body: bytesOf(response.body) },
      answer,
      clocks,
    );
    if (!isTrial) this.links.push(...likeness.takeLinks().map((link) => ({ ...link, at: atOf(step) })));
    return difference;
  }

  async call(step: Call): Promise<Answer> {
    const { request, connection } = step.evidence;
    const { token, timestamp, sign, target, body } = this.made(step);
    const madeAnew: Record<string, string> = { token, timestamp, sign };
    const headers = pairs(request.headers).map(([name, value]): [string, string] => [
      name,
      madeAnew[name.toLowerCase()] ?? this.filled(this.alike.translated(value)),
    ]);
    const sent = isUpload(step) ? await upload() : undefined;
    return this.request(
      request.method,
      target,
      sent ? withType(headers, sent.type) : headers,
      sent?.body ?? body,
      connection,
    );
  }

  /** The request of a step with what is new this time: ids, addresses, the time, the signature. */
  made(step: Call) {
    const { request } = step.evidence;
    const signing = step.evidence.signing ?? rightly(step);
    const target = this.filled(this.alike.translated(request.target));
    const body = isUpload(step) ? Buffer.alloc(0) : this.bodyOf(step);
    const needsSecret = !('text' in signing.token) && !('madeUp' in signing.token);
    const secret = needsSecret ? this.secretOf(signing.secret, step) : '';
    const token = formed(signing.token, secret, (text) => this.filled(this.tokenOfAnother(text, step)));
    const now = step.now ?? Math.floor(Date.now() / 1000);
    const sent = {
      token,
      path: target.split('?', 1).join(''),
      body: Buffer.from(body.filter((byte) => byte !== 13 && byte !== 10)),
      timestamp: '',
    };
    const timestamp = signing.timestamp.map((piece) => String(pieceOf(piece, sent, now))).join('');
    const digest = signing.digest && digested(signing.digest, { ...sent, timestamp }, now);
    return { target, body, token, timestamp, sign: formed(signing.sign, digest ?? '', (text) => text) };
  }

  bodyOf(step: Call): Buffer {
    const { body } = step.evidence.request;
    if (!body) return Buffer.alloc(0);
    // A document that came over a link is handed in as it came this time.
    const document = this.documents.get(body.bytes);
    if (document) return document;
    const encoding = body.encoding === 'utf-8' ? 'utf8' : 'latin1';
    const text = body.encoding === 'utf-8' ? body.text : Buffer.from(body.text, 'base64').toString('latin1');
    if (step.address !== undefined) return Buffer.from(this.registering(text, step.address));
    return Buffer.from(this.filled(this.alike.translated(fromProfile(text))), encoding);
  }

  /** A registration with an address of this script's own in the place of the run's, and a token of its own. */
  registering(text: string, address: string): string {
    // A mask may have cut an escape in the token through.
    const uri = /"uri":"([^"]*)"/.exec(text)?.[1] ?? '';
    const asked = membersOf(jsonIn(this.alike.translated(text)) ?? { uri, token: '$WEBHOOK_TOKEN' });
    const was = String(asked.uri);
    const token = String(asked.token).startsWith('$')
      ? hide(randomBytes(16).toString('hex'), '$WEBHOOK_TOKEN')
      : asked.token;
    return JSON.stringify({
      ...asked,
      uri: this.receiver.addressFor(address, was, this.answersFor(address)),
      ...('token' in asked ? { token } : {}),
    });
  }

  answersFor(address: string): Call[] {
    return this.story.steps.filter((step): step is Call => step.kind === 'delivery' && step.address === address);
  }

  secretOf(name: string, step: Call): string {
    const own = this.applications.get(step.application ?? '');
    if (name === '$NEW_APP_SECRET' && own) return own.secrets.at(-1) ?? '';
    if (own) return own.secrets[0] ?? '';
    if (!isOwn(name)) return secretNamed(name.slice(1));
    const { standing = {} } = step.evidence.caller ?? {};
    if (Object.keys(standing).length > 0)
      throw new NotTried('NFE_CONTROL_URL is not set: the run had made an application in a condition of its own');
    return secretNamed('NFE_APP_SECRET');
  }

  /** A token that is not its caller's: his App Key, a secret that a rotation has made invalid, or that of another application. */
  tokenOfAnother(text: string, { application }: Call): string {
    const all = [...this.applications];
    const own = this.applications.get(application ?? '');
    if (text === '$NFE_APP_KEY' && own) return own.key;
    if (!isOwn(text)) return text;
    const rotated = all.find(([, { secrets }]) => secrets.length > 1)?.[1];
    const other = rotated ?? all.find(([name]) => name !== application)?.[1] ?? own;
    return other?.secrets.at(text === '$NEW_APP_SECRET' ? -1 : 0) ?? text;
  }

  /** Names of the mask, each replaced by what the environment has for it. */
  filled(text: string): string {
    return text
      .replace(
        /\$NEW_APP_SECRET|\$APP_SECRET/g,
        () => [...this.applications.values()].at(0)?.secrets.at(-1) ?? secretNamed('NFE_APP_SECRET'),
      )
      .replace(/\$NFE_[A-Z_]+/g, (name) => secretNamed(name.slice(1)))
      .replace(/\$([A-Za-z]+)\b/g, (name, own: string) => env[own] ?? name);
  }

  async follow(step: Call): Promise<Answer> {
    const was = withoutToken(this.alike.translated(step.evidence.request.target));
    const isOwn = ({ at, leadsTo }: (typeof this.links)[number]): boolean =>
      at === step.cameAt && leadsTo === step.leadsTo;
    const found = this.links.findLast(isOwn) ?? this.links.findLast(({ is }) => like(was, withoutToken(is)));
    if (!found) throw new Otherwise(`no link like ${step.evidence.request.target} came`);
    const url = new URL(found.is, this.base);
    const answer = await this.request('GET', url.pathname + url.search, [], Buffer.alloc(0), undefined, url);
    const { body } = step.evidence.response ?? {};
    if (body && body.bytes > 200) this.documents.set(body.bytes, answer.body);
    return answer;
  }

  async steer({ call, application, isSetUp }: Steering): Promise<void> {
    if (call.path === '/applications') return this.make(call.json, application ?? '');
    const path = this.alike.translated(call.path);
    const json = this.steering(call.json, application, call.at);
    const { status, answer } = await control(call.method, path, json);
    console.log(
      shown(
        `steer ${call.method} ${path} ${json === undefined ? '' : JSON.stringify(json).slice(0, 120)} -> ${status}`,
      ),
    );
    if (path.endsWith('/secret') && typeof answer === 'object' && answer !== null && 'appSecret' in answer) {
      const secret = hide(String(answer.appSecret), '$NEW_APP_SECRET');
      this.applications.get(application ?? '')?.secrets.push(secret);
    }
    if (status === call.status) return;
    const words = `the control API answered ${call.method} ${call.path} with ${status}, in the run ${call.status}`;
    throw isSetUp || !path.endsWith('verification-webhook') ? new NotTried(words) : new Otherwise(words);
  }

  /** What is sent to the control API, with addresses of this script's own in the place of the run's. */
  steering(json: unknown, application: string | undefined, at: number): unknown {
    if (typeof json !== 'object' || json === null || !('urls' in json) || !Array.isArray(json.urls)) {
      return json === undefined || json === null ? undefined : JSON.parse(this.alike.translated(JSON.stringify(json)));
    }
    const addresses = this.addressesOf(application, json.urls.map(String), at);
    return {
      urls: json.urls.map((url, at) =>
        this.receiver.addressFor(addresses[at] ?? `none ${at}`, String(url), this.answersFor(addresses[at] ?? '')),
      ),
    };
  }

  /** The names of the addresses for verdicts, in the order of their URLs, as far as deliveries came to them from then on. */
  addressesOf(application: string | undefined, urls: readonly string[], at: number): string[] {
    const deliveries = this.story.steps.filter(
      (step): step is Call => step.kind === 'delivery' && step.application === application && atOf(step) >= at,
    );
    const names = [...new Set(deliveries.flatMap(({ address }) => address ?? []))];
    const byPath = urls.map(
      (url) =>
        deliveries.find(({ evidence }) => new URL(url).pathname === evidence.request.target.split('?', 1)[0])?.address,
    );
    const left = names.filter((name) => !byPath.includes(name));
    return byPath.map((name, at) => name ?? left.shift() ?? `none ${at} of ${application}`);
  }

  async make(wish: unknown, was: string): Promise<void> {
    const { status, answer } = await control('POST', '/applications', wish);
    const has = (name: string): string =>
      typeof answer === 'object' && answer !== null && name in answer ? String(Reflect.get(answer, name)) : '';
    if (status !== 201) throw new NotTried(`the control API made no application: ${status}`);
    console.log(`make  an application ${JSON.stringify(wish)}`);
    const hasOwnClock = typeof wish === 'object' && wish !== null && 'clock' in wish && wish.clock !== 'system';
    this.applications.set(was, { key: has('appKey'), secrets: [hide(has('appSecret'), '$APP_SECRET')], hasOwnClock });
    if (was !== '') this.alike.same(was, has('appKey'));
  }

  /** Waits for deliveries of the run, in whichever order they come at their addresses. */
  async delivered(group: readonly Step[]): Promise<void> {
    for (const step of group) {
      if (step.kind !== 'delivery') continue;
      const place = step.address ?? '';
      const arrival = await this.receiver.next(place, deliveryMs);
      const what = `delivery to ${place === '' ? 'the receiver' : 'the address'} that was registered`;
      if (!arrival) throw new Otherwise(`${what}: none came within ${deliveryMs / 1000} s, in the run one came`);
      console.log(`came  ${what}, answered ${step.evidence.answered ?? 'not at all'}`);
      const difference = this.differenceOfDelivery(step, arrival);
      if (difference !== undefined && !step.isSetUp) throw new Otherwise(`${what}: ${difference}`);
    }
  }

  differenceOfDelivery(step: Call, arrival: Arrival): string | undefined {
    const { request } = step.evidence;
    if (arrival.method !== request.method) return `by ${arrival.method}, in the run by ${request.method}`;
    const isExact = this.receiver.isExact(arrival);
    if (step.isExact !== undefined && step.isExact !== isExact)
      return `it is ${isExact ? '' : 'not '}called as it was registered`;
    const own = this.applications.get(step.application ?? '');
    const signature = own ? signatureOf(arrival, own.secrets) : undefined;
    if (step.signature !== undefined && signature !== undefined && signature !== step.signature)
      return signature === 'right'
        ? 'its signature is right, in the run it was not'
        : 'its signature is not right, in the run it was';
    const stood = own?.hasOwnClock === true;
    const clocks = { was: atOf(step), is: stood ? atOf(step) : arrival.atMs };
    const difference = this.alike.ofMessages(
      { headers: pairs(request.headers), body: bytesOf(request.body) },
      arrival,
      clocks,
      stood,
    );
    this.links.push(...this.alike.takeLinks().map((link) => ({ ...link, at: atOf(step) })));
    return difference;
  }

  /** Nothing more is to come than came in the run. */
  async quiet(): Promise<void> {
    if (!this.receiver.isListening()) return;
    await sleep(quietMs);
    const more = this.receiver.more();
    if (more > 0) throw new Otherwise(`${more} more deliveries came than in the run`);
  }

  request(
    method: string,
    target: string,
    headers: Headers,
    body: Buffer,
    connection?: number,
    url = this.base,
  ): Promise<Answer> {
    const all: Headers = [
      ...(headers.some(([name]) => /^host$/i.test(name)) ? [] : [['host', url.host] as const]),
      ...headers,
    ];
    const path = url === this.base ? this.base.pathname.replace(/(?<!\/)\/+$/, '') + target : target;
    return exchanged({ url, method, path, headers: all, body, agent: this.agentOf(connection, url) });
  }

  agentOf(connection: number | undefined, { protocol }: URL): http.Agent | undefined {
    if (connection === undefined || protocol === 'https:') return undefined;
    const agent = this.agents.get(connection) ?? new http.Agent({ keepAlive: true });
    this.agents.set(connection, agent);
    return agent;
  }
}

/** Why a step can't be repeated, whatever is at hand; `undefined` where it can. */
function lackOf(step: Step): string | undefined {
  if (step.kind === 'steering') {
    return controlAt() ? undefined : noControl;
  }
  const { request } = step.evidence;
  const what = `${request.method} ${request.target}`;
  if (step.kind !== 'call') return undefined;
  if (step.isFlawed) return `${what} was signed in a way that the report does not tell`;
  if (!request.body?.cut) return undefined;
  if (!isUpload(step)) return `the body of ${what} is too long for the report`;
  return env['NFE_PROFILE']
    ? undefined
    : 'NFE_PROFILE is not set: the folder with the certificate that the run uploaded';
}

/** Steps that were under way at once, and deliveries that nothing but deliveries stands between. */
function togetherIn(steps: readonly Step[]): Step[][] {
  const groups: Step[][] = [];
  let end = -Infinity;
  for (const step of steps) {
    const last = groups.at(-1);
    const isAlongside = step.kind === 'call' && last?.[0]?.kind === 'call' && atOf(step) + 1 < end && !step.isSetUp;
    if (isAlongside) last.push(step);
    else groups.push([step]);
    if (step.kind === 'call') end = isAlongside ? Math.min(end, endOf(step)) : endOf(step);
  }
  return groups;
}

function withoutToken(target: string): string {
  return target
    .replace(/^https?:\/\/[^/]+/, '')
    .split('?', 1)
    .join('');
}

export function like(was: string, is: string): boolean {
  return was === is || (/[$…]/.test(was) && fits(was, is));
}
