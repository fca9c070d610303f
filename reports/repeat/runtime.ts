/* oxlint-disable no-await-in-loop -- the steps of a story follow each other */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExchangeEvidence } from '../../schemas/results.ts';
import type { Form, Piece, Signing } from '../../schemas/signing.ts';
import type { Step } from '../../schemas/story.ts';

/** What a script repeats, and what it is to say of it. */
export interface Story {
  readonly baseUrl: string;
  readonly expected: string;
  readonly actual: string;
  /** The answers that are due to the last request, where these are all that tells. */
  readonly due?: readonly { readonly status: number; readonly code?: string }[] | 'accepted';
  readonly wholeCheck: string;
  readonly steps: readonly Step[];
}

type Call = Extract<Step, { evidence: unknown }>;
type Steering = Extract<Step, { kind: 'steering' }>;
type Headers = readonly (readonly [string, string])[];

/** What can't be done with what is at hand: one line, and the script ends with 2. */
class NotTried extends Error {}
/** What came otherwise than in the run. */
class Otherwise extends Error {
  readonly status: number | undefined;
  readonly code: string;
  constructor(words: string, status?: number, code = '') {
    super(words);
    this.status = status;
    this.code = code;
  }
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}
interface Arrival {
  readonly method: string;
  readonly target: string;
  readonly headers: Headers;
  readonly body: Buffer;
  readonly atMs: number;
}
interface Application {
  readonly key: string;
  readonly secrets: string[];
  /** Whether its clock stands still until it is moved. */
  readonly hasOwnClock: boolean;
}

const env = process.env;
const answerWithinMs = 40_000;
/** How long a delivery of the run is waited for, and how long at the end for one that the run did not have. */
const deliveryMs = Number(env['REPEAT_WAIT_SECONDS'] ?? 8) * 1000;
const quietMs = Math.min(1_500, deliveryMs);
/** How far two times may differ that are alike, by the clock of their application. */
const alikeMs = 20_000;
/** Pauses of a run that are made again are longer than the checks themselves need. */
const pauseMs = 3_000;

const hidden: [value: string, name: string][] = [];
function hide(value: string, name: string): string {
  hidden.push([value, name]);
  return value;
}
/** No secret, and no control character, reaches the terminal. */
function shown(text: string): string {
  return hidden
    .reduce((masked, [value, name]) => masked.split(value).join(name), text)
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, (unit) => `\\x${unit.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
function secretNamed(name: string): string {
  const value = env[name];
  if (!value) throw new NotTried(`${name} is not set`);
  return hide(value, `$${name}`);
}

/** Repeats a story. Ends with 1 where everything comes as in the run, with 0 where it does not any more, with 2 where that can't be told. */
export async function repeat(story: Story): Promise<number> {
  const teller = new Repetition(story);
  try {
    await teller.run();
    console.log(`\nREPRODUCED: ${shown(story.actual)}\n  expected: ${shown(story.expected)}`);
    return 1;
  } catch (error) {
    if (error instanceof NotTried) {
      console.error(`NOT TRIED: ${shown(error.message)}`);
      return 2;
    }
    if (!(error instanceof Otherwise)) throw error;
    const isWrong = error.status !== undefined && story.due !== undefined && !isDue(story.due, error);
    console.log(`\n${isWrong ? 'REPRODUCED, but otherwise' : 'NOT REPRODUCED'}: ${shown(error.message)}`);
    console.log(`  expected: ${shown(story.expected)}`);
    return isWrong ? 1 : 0;
  } finally {
    teller.close();
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
  /** Links in what came, each with how the run shows its like. */
  readonly links: { readonly was: string; readonly is: string }[] = [];

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
    if (steps.some(({ kind, ...step }) => kind === 'delivery' || ('address' in step && step.address))) await this.receiver.listen();
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
    if (difference === undefined || step.isSetUp) return;
    throw new Otherwise(`${what}: ${difference}`, answer.status, codeIn(answer.body));
  }

  /** What was not settled when it was asked for is asked for again: a run does no more than that. */
  async patiently(step: Call, send: () => Promise<Answer>): Promise<Answer> {
    const until = Date.now() + (step.kind === 'call' && step.evidence.request.method === 'GET' ? 2_000 : 0);
    for (;;) {
      const answer = await send();
      const isOther = answer.status === step.evidence.response?.status && this.differenceOf(step, answer, true) !== undefined;
      if (!isOther || Date.now() >= until || step.kind === 'link') return answer;
      await sleep(150);
    }
  }

  differenceOf(step: Call, answer: Answer, isTrial = false): string | undefined {
    const { response } = step.evidence;
    if (!response) return 'an answer came, in the run none';
    if (answer.status !== response.status) return `answered ${answer.status}, in the run ${response.status}`;
    const likeness = isTrial ? this.alike.copy() : this.alike;
    const clocks = { was: step.now === undefined ? atOf(step) : step.now * 1000, is: step.now === undefined ? Date.now() : step.now * 1000 };
    const difference = likeness.ofMessages({ headers: pairs(response.headers), body: bytesOf(response.body) }, answer, clocks);
    if (!isTrial) this.links.push(...likeness.takeLinks());
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
    const upload = uploadOf(step);
    const sent = upload ? await multipart(this.alike.translated(target), upload) : undefined;
    return this.request(request.method, target, sent ? withType(headers, sent.type) : headers, sent?.body ?? body, connection);
  }

  /** The request of a step with what is new this time: ids, addresses, the time, the signature. */
  made(step: Call) {
    const { request } = step.evidence;
    const signing = step.evidence.signing ?? rightly(step);
    const target = this.filled(this.alike.translated(request.target));
    const body = uploadOf(step) ? Buffer.alloc(0) : this.bodyOf(step);
    const needsSecret = !('text' in signing.token) && !('madeUp' in signing.token);
    const secret = needsSecret ? this.secretOf(signing.secret, step) : '';
    const token = formed(signing.token, secret, (text) => this.filled(this.tokenOfAnother(text, step)));
    const now = step.now ?? Math.floor(Date.now() / 1000);
    const sent = { token, path: target.split('?', 1).join(''), body: Buffer.from(body.filter((byte) => byte !== 13 && byte !== 10)), timestamp: '' };
    const timestamp = signing.timestamp.map((piece) => String(pieceOf(piece, sent, now))).join('');
    const digest = signing.digest && digested(signing.digest, { ...sent, timestamp }, now);
    return { target, body, token, timestamp, sign: formed(signing.sign, digest ?? '', (text) => text) };
  }

  bodyOf(step: Call): Buffer {
    const { body } = step.evidence.request;
    if (!body) return Buffer.alloc(0);
    const encoding = body.encoding === 'utf-8' ? 'utf8' : 'latin1';
    const text = body.encoding === 'utf-8' ? body.text : Buffer.from(body.text, 'base64').toString('latin1');
    if (step.address !== undefined) return Buffer.from(this.registering(text, step.address));
    return Buffer.from(this.filled(this.alike.translated(fromProfile(text))), encoding);
  }

  /** A registration with an address of this script's own in the place of the run's, and a token of its own. */
  registering(text: string, address: string): string {
    const asked: { uri?: unknown; token?: unknown } = JSON.parse(this.alike.translated(text));
    const was = String(asked.uri);
    const token = String(asked.token).startsWith('$') ? hide(randomBytes(16).toString('hex'), '$WEBHOOK_TOKEN') : asked.token;
    return JSON.stringify({ ...asked, uri: this.receiver.addressFor(address, was, this.answersFor(address)), ...('token' in asked ? { token } : {}) });
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
    if (Object.keys(standing).length > 0) throw new NotTried('NFE_CONTROL_URL is not set: the run had made an application in a condition of its own');
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
      .replace(/\$NEW_APP_SECRET|\$APP_SECRET/g, () => [...this.applications.values()].at(0)?.secrets.at(-1) ?? secretNamed('NFE_APP_SECRET'))
      .replace(/\$NFE_[A-Z_]+/g, (name) => secretNamed(name.slice(1)))
      .replace(/\$([A-Za-z]+)\b/g, (name, own: string) => env[own] ?? name);
  }

  async follow(step: Call): Promise<Answer> {
    const was = withoutToken(this.alike.translated(step.evidence.request.target));
    const found = this.links.findLast(({ is }) => like(was, withoutToken(is)));
    if (!found) throw new Otherwise(`no link like ${step.evidence.request.target} came`);
    const url = new URL(found.is, this.base);
    return this.request('GET', url.pathname + url.search, [], Buffer.alloc(0), undefined, url);
  }

  async steer({ call, application, isSetUp }: Steering): Promise<void> {
    if (call.path === '/applications') return this.make(call.json, application ?? '');
    const path = this.alike.translated(call.path);
    const json = this.steering(call.json, application);
    const { status, answer } = await control(call.method, path, json);
    console.log(shown(`steer ${call.method} ${path} ${json === undefined ? '' : JSON.stringify(json).slice(0, 120)} -> ${status}`));
    if (/\/secret$/.test(path) && typeof answer === 'object' && answer !== null && 'appSecret' in answer) {
      const secret = hide(String(answer.appSecret), '$NEW_APP_SECRET');
      this.applications.get(application ?? '')?.secrets.push(secret);
    }
    if (status === call.status) return;
    const words = `the control API answered ${call.method} ${call.path} with ${status}, in the run ${call.status}`;
    throw isSetUp || !/verification-webhook$/.test(path) ? new NotTried(words) : new Otherwise(words);
  }

  /** What is sent to the control API, with addresses of this script's own in the place of the run's. */
  steering(json: unknown, application: string | undefined): unknown {
    if (typeof json !== 'object' || json === null || !('urls' in json) || !Array.isArray(json.urls)) {
      return json === undefined || json === null ? undefined : JSON.parse(this.alike.translated(JSON.stringify(json)));
    }
    const addresses = this.addressesOf(application, json.urls.map(String));
    return { urls: json.urls.map((url, at) => this.receiver.addressFor(addresses[at] ?? `none ${at}`, String(url), this.answersFor(addresses[at] ?? ''))) };
  }

  /** The names of the addresses for verdicts, in the order of their URLs, as far as deliveries came to them. */
  addressesOf(application: string | undefined, urls: readonly string[]): string[] {
    const deliveries = this.story.steps.filter((step): step is Call => step.kind === 'delivery' && step.application === application);
    const names = [...new Set(deliveries.flatMap(({ address }) => address ?? []))];
    const byPath = urls.map((url) => deliveries.find(({ evidence }) => new URL(url).pathname === evidence.request.target.split('?', 1)[0])?.address);
    const left = names.filter((name) => !byPath.includes(name));
    return byPath.map((name, at) => name ?? left.shift() ?? `none ${at} of ${application}`);
  }

  async make(wish: unknown, was: string): Promise<void> {
    const { status, answer } = await control('POST', '/applications', wish);
    const has = (name: string): string => (typeof answer === 'object' && answer !== null && name in answer ? String(Reflect.get(answer, name)) : '');
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
    const [queryWas, queryIs] = [this.receiver.isExact(request.target, step.address), this.receiver.isExactArrival(arrival)];
    if (queryWas !== undefined && queryWas !== queryIs) return queryIs ? 'it is called as it was registered' : 'it is not called as it was registered';
    const own = this.applications.get(step.application ?? '');
    const signature = own ? signatureOf(arrival, own.secrets) : undefined;
    if (step.signature !== undefined && signature !== undefined && signature !== step.signature)
      return signature === 'right' ? 'its signature is right, in the run it was not' : 'its signature is not right, in the run it was';
    const stood = own?.hasOwnClock === true;
    const clocks = { was: atOf(step), is: stood ? atOf(step) : arrival.atMs };
    const difference = this.alike.ofMessages({ headers: pairs(request.headers), body: bytesOf(request.body) }, arrival, clocks, stood);
    this.links.push(...this.alike.takeLinks());
    return difference;
  }

  /** Nothing more is to come than came in the run. */
  async quiet(): Promise<void> {
    if (!this.receiver.isListening()) return;
    await sleep(quietMs);
    const more = this.receiver.more();
    if (more > 0) throw new Otherwise(`${more} more deliveries came than in the run`);
  }

  request(method: string, target: string, headers: Headers, body: Buffer, connection?: number, url = this.base): Promise<Answer> {
    const all: Headers = [...(headers.some(([name]) => /^host$/i.test(name)) ? [] : [['host', url.host] as const]), ...headers];
    const path = url === this.base ? this.base.pathname.replace(/\/+$/, '') + target : target;
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
    return env['NFE_CONTROL_URL'] && env['NFE_CONTROL_TOKEN'] ? undefined : 'NFE_CONTROL_URL and NFE_CONTROL_TOKEN are not set: the run steered the target by its control API';
  }
  const { request } = step.evidence;
  const what = `${request.method} ${request.target}`;
  if (step.kind !== 'call') return undefined;
  if (step.isFlawed) return `${what} was signed in a way that the report does not tell`;
  if (!request.body?.cut) return undefined;
  if (!uploadOf(step)) return `the body of ${what} is too long for the report`;
  return env['NFE_PROFILE'] ? undefined : 'NFE_PROFILE is not set: the folder with the certificate that the run uploaded';
}

/** Where a certificate was uploaded: the report does not show it, and a profile has it. */
function uploadOf({ evidence: { request } }: Call): { readonly file: string } | undefined {
  const isUpload = request.body?.cut && pairs(request.headers).some(([name, value]) => /^content-type$/i.test(name) && /^multipart\//i.test(value));
  return isUpload ? { file: 'certificado.pfx' } : undefined;
}

async function multipart(_target: string, { file }: { readonly file: string }): Promise<{ type: string; body: Buffer }> {
  const folder = env['NFE_PROFILE'] ?? '';
  const [path, fields] = [join(folder, file), join(folder, 'certificado.json')];
  if (!existsSync(path) || !existsSync(fields)) throw new NotTried(`NFE_PROFILE has no ${file} or no certificado.json`);
  const form: { file: string; fields: Record<string, string> } = JSON.parse(readFileSync(fields, 'utf8'));
  const data = new FormData();
  data.append(form.file, new Blob([readFileSync(path)], { type: 'application/x-pkcs12' }), file);
  for (const [name, value] of Object.entries(form.fields)) data.append(name, hide(value, '$certificado'));
  const made = new Response(data);
  return { type: made.headers.get('content-type') ?? '', body: Buffer.from(await made.arrayBuffer()) };
}

/** A body with what a profile has in the place of what the report masks: a document whole, JSON text by text. */
function fromProfile(text: string): string {
  const folder = env['NFE_PROFILE'];
  if (!folder || !hasMask(text)) return text;
  const files = readdirSync(folder).filter((name) => /\.(?:json|xml)$/.test(name)).map((name) => readFileSync(join(folder, name), 'utf8'));
  const whole = files.find((content) => maskOf(text).test(content) || maskOf(text).test(content.trimEnd()));
  if (whole !== undefined) return maskOf(text).test(whole) ? whole : whole.trimEnd();
  const texts = files.flatMap((content) => content.match(/"(?:[^"\\]|\\.)*"/g) ?? []);
  return text.replaceAll(/"(?:[^"\\]|\\.)*"/g, (own) => (hasMask(own) ? (texts.find((other) => maskOf(own).test(other)) ?? own) : own));
}

function withType(headers: Headers, type: string): Headers {
  return headers.filter(([name]) => !/^content-length$/i.test(name)).map(([name, value]) => (/^content-type$/i.test(name) ? [name, type] : [name, value]));
}

function isOwn(name: string): boolean {
  return name === '$APP_SECRET' || name === '$NEW_APP_SECRET';
}

/** How a request is signed that has no fault. */
function rightly({ evidence: { request } }: Call): Signing {
  const secret = pairs(request.headers).find(([name]) => name.toLowerCase() === 'token')?.[1] ?? '$NFE_APP_SECRET';
  return {
    secret,
    token: { between: ['', ''] },
    timestamp: [{ clock: 'seconds', offsetSeconds: 0 }],
    digest: { hash: 'md5', of: [{ sent: 'token' }, { sent: 'path' }, { sent: 'body' }, { sent: 'timestamp' }] },
    sign: { between: ['', ''] },
  };
}

type Sent = { readonly token: string; readonly path: string; readonly body: Buffer; readonly timestamp: string };

function formed(form: Form, source: string, text: (text: string) => string): string {
  if ('between' in form) return form.between.join(source);
  if ('as' in form) return written(source, form.as);
  if ('dropStart' in form) return source.slice(form.dropStart, source.length - form.dropEnd);
  if ('changedAt' in form) return source.slice(0, form.changedAt) + (source[form.changedAt] === '0' ? '1' : '0') + source.slice(form.changedAt + 1);
  return 'madeUp' in form ? 'x'.repeat(form.madeUp) : text(form.text);
}

function written(source: string, as: Extract<Form, { as: unknown }>['as']): string {
  if (as === 'upper-case') return source.toUpperCase();
  if (as === 'lower-case') return source.toLowerCase();
  if (as === 'first-letter-upper-case') return source.replace(/[a-z]/, (letter) => letter.toUpperCase());
  if (as === 'uuid') return source.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return as === 'base64' ? Buffer.from(source, 'hex').toString('base64') : Buffer.from(source, 'hex').reverse().toString('hex');
}

function pieceOf(piece: Piece, sent: Sent, now: number): string | Buffer {
  if ('text' in piece) return piece.text;
  if ('base64' in piece) return Buffer.from(piece.base64, 'base64');
  if ('sent' in piece) return sent[piece.sent];
  if ('clock' in piece) {
    const at = now + piece.offsetSeconds;
    const date = new Date(at * 1000);
    return { seconds: String(at), hex: at.toString(16), iso: date.toISOString(), 'http-date': date.toUTCString() }[piece.clock];
  }
  return piece.token === 'md5' ? createHash('md5').update(sent.token).digest('hex') : written(sent.token, piece.token);
}

function digested({ hash, of }: NonNullable<Signing['digest']>, sent: Sent, now: number): string {
  const signed = Buffer.concat(of.map((piece) => Buffer.from(pieceOf(piece, sent, now))));
  if (hash.startsWith('hmac-')) return createHmac(hash.slice(5), sent.token).update(signed).digest('hex');
  const once = createHash(hash === 'md5-of-md5' ? 'md5' : hash).update(signed).digest('hex');
  return hash === 'md5-of-md5' ? createHash('md5').update(once).digest('hex') : once;
}

function signatureOf({ headers, body }: Arrival, secrets: readonly string[]): 'right' | 'other' {
  const named = (end: RegExp): string => headers.find(([name]) => end.test(name))?.[1] ?? '';
  const [timestamp, given] = [named(/^x-.+-timestamp$/i), named(/^x-.+-signature$/i)];
  const due = createHmac('sha256', secrets.at(-1) ?? '').update(`${timestamp}.`).update(body).digest('hex');
  return given === due ? 'right' : 'other';
}

async function control(method: string, path: string, json: unknown): Promise<{ status: number; answer: unknown }> {
  const [url, token] = [env['NFE_CONTROL_URL'], env['NFE_CONTROL_TOKEN']];
  if (!url || !token) throw new NotTried('NFE_CONTROL_URL and NFE_CONTROL_TOKEN are not set: the run steered the target by its control API');
  hide(token, '$NFE_CONTROL_TOKEN');
  try {
    const came = await fetch(`${url.replace(/\/+$/, '')}/control/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await came.text();
    return { status: came.status, answer: jsonIn(text) };
  } catch {
    throw new NotTried('the control API cannot be reached');
  }
}

interface Outgoing {
  readonly url: URL;
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: Buffer;
  readonly agent: http.Agent | undefined;
}

function exchanged({ url, method, path, headers, body, agent }: Outgoing): Promise<Answer> {
  const has = (name: string): boolean => headers.some(([own]) => own.toLowerCase() === name);
  const takesBody = body.length > 0 || /^(POST|PUT|PATCH)$/.test(method);
  const length = takesBody && !has('content-length') && !has('transfer-encoding') ? [['content-length', String(body.length)]] : [];
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(new NotTried(`no answer: ${error.message}`));
    const options = { hostname: url.hostname.replace(/^\[|\]$/g, ''), port: url.port, path, method, ...(agent ? { agent } : {}) };
    const outgoing = request({ ...options, headers: [...headers, ...length].flat() });
    outgoing.on('response', (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', fail);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: pairsOf(answer.rawHeaders), body: Buffer.concat(chunks) }));
    });
    outgoing.on('error', fail);
    outgoing.setTimeout(answerWithinMs, () => outgoing.destroy(new Error(`nothing came within ${answerWithinMs / 1000} s`)));
    outgoing.end(body);
  });
}

/** Receives deliveries at addresses of its own, and answers them as the run did. */
class Receiver {
  readonly places = new Map<string, { path: string; query: string; was: string; answers: readonly Call[]; came: Arrival[]; taken: number }>();
  readonly server = http.createServer((incoming, outgoing) => this.#receive(incoming, outgoing));
  #origin = '';

  listen(): Promise<void> {
    const [host = '127.0.0.1', port = '0'] = (env['NFE_WEBHOOK_LISTEN'] ?? '').split(/:(?=\d+$)/);
    return new Promise((resolve, reject) => {
      this.server.on('error', (error) => reject(new NotTried(`no receiver at NFE_WEBHOOK_LISTEN: ${error.message}`)));
      this.server.listen(Number(port), host || '127.0.0.1', () => {
        const address = this.server.address();
        const own = `http://${host || '127.0.0.1'}:${typeof address === 'object' ? address?.port : port}`;
        this.#origin = (env['NFE_WEBHOOK_PUBLIC_URL'] || own).replace(/\/+$/, '');
        resolve();
      });
    });
  }

  isListening(): boolean {
    return this.server.listening;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** An address of this script's own for one of the run; what was no address at all stays as it was. */
  addressFor(name: string, was: string, answers: readonly Call[]): string {
    if (!URL.canParse(was)) return was;
    const url = new URL(was);
    const known = this.places.get(name);
    const query = url.search;
    const path = known?.path ?? (/[$…]/.test(url.pathname) || url.pathname.length < 8 ? `/${randomBytes(18).toString('base64url')}` : url.pathname);
    this.places.set(name, { came: [], taken: 0, ...known, path, query, was: url.pathname + url.search, answers });
    return this.#origin + path + query;
  }

  /** Whether a delivery of the run was called as its address was registered; `undefined` where the report masks that. */
  isExact(target: string, name: string | undefined): boolean | undefined {
    const place = this.places.get(name ?? '');
    return !place || /[$…]/.test(target + place.was) ? undefined : target === place.was;
  }

  isExactArrival({ target }: Arrival): boolean {
    return [...this.places.values()].some(({ path, query }) => target === path + query);
  }

  async next(name: string, withinMs: number): Promise<Arrival | undefined> {
    const place = this.places.get(name) ?? (this.places.size === 1 ? [...this.places.values()][0] : undefined);
    const until = Date.now() + withinMs;
    while (place && place.came.length <= place.taken && Date.now() < until) await sleep(20);
    const arrival = place?.came[place.taken];
    if (place && arrival) place.taken += 1;
    return arrival;
  }

  more(): number {
    return [...this.places.values()].reduce((sum, { came, taken }) => sum + came.length - taken, 0);
  }

  #receive(incoming: http.IncomingMessage, outgoing: http.ServerResponse): void {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', () => undefined);
    incoming.on('end', () => {
      const { method = '', url = '', rawHeaders } = incoming;
      const pathname = url.split('?', 1).join('').replace(/(?<=.)\/$/, '');
      const place = [...this.places.values()].find(({ path }) => pathname.endsWith(path.split('/').at(-1) ?? path));
      if (!place) return void outgoing.writeHead(404).end();
      place.came.push({ method, target: url, headers: pairsOf(rawHeaders), body: Buffer.concat(chunks), atMs: Date.now() });
      const step = place.answers[place.came.length - 1];
      void this.#answer(step, outgoing, place.path);
    });
  }

  async #answer(step: Call | undefined, outgoing: http.ServerResponse, path: string): Promise<void> {
    const answered = step ? step.evidence.answered : 200;
    if (step?.answeredAfterMs !== undefined && step.answeredAfterMs > 500) await sleep(step.answeredAfterMs);
    // Not answered in the run: it is left open.
    if (answered === undefined) return;
    if (answered === 'hang-up') return void outgoing.destroy();
    const isRedirect = answered >= 300 && answered < 400;
    outgoing.writeHead(answered, isRedirect ? { location: this.#origin + path } : {}).end();
  }
}

interface Clocks {
  readonly was: number;
  readonly is: number;
}

/** What stands for what: of values that are made anew each time, the one of the run and the one of now. */
class Likeness {
  #known = new Map<string, string>();
  #links: { was: string; is: string }[] = [];

  copy(): Likeness {
    const copy = new Likeness();
    copy.#known = new Map(this.#known);
    return copy;
  }

  same(was: string, is: string): void {
    this.#known.set(was, is);
  }

  takeLinks(): { was: string; is: string }[] {
    return this.#links.splice(0);
  }

  /** A text of the run with what is new in the place of what was. */
  translated(text: string): string {
    return [...this.#known]
      .filter(([was]) => was.length >= 6)
      .toSorted(([one], [other]) => other.length - one.length)
      .reduce((all, [was, is]) => all.split(was).join(is), text);
  }

  /** The first difference that tells, between a message of the run and one of now; `undefined` where there is none. */
  ofMessages(was: { headers: Headers; body: Buffer | undefined }, is: { headers: Headers; body: Buffer }, clocks: Clocks, hasOwnTime = false): string | undefined {
    return this.#ofHeaders(was.headers, is.headers, clocks, hasOwnTime) ?? this.#ofBodies(was.body, is.body, clocks, hasOwnTime);
  }

  #ofHeaders(was: Headers, is: Headers, clocks: Clocks, hasOwnTime: boolean): string | undefined {
    const telling = /^(?:content-type|content-encoding|location|set-cookie|token|x-.+)$/i;
    const valuesOf = (headers: Headers): Map<string, string> =>
      new Map(headers.filter(([name]) => telling.test(name)).map(([name, value]) => [name.toLowerCase(), value]));
    const [before, now] = [valuesOf(was), valuesOf(is)];
    for (const name of new Set([...before.keys(), ...now.keys()])) {
      const [one, other] = [before.get(name), now.get(name)];
      // Whether a signature is right was told before; it is made anew each time.
      if (one === undefined || other === undefined) return `header ${name}: ${other ?? 'missing'}, in the run ${one ?? 'missing'}`;
      if (/-signature$/.test(name) ? shapeOf(one) !== shapeOf(other) : !this.#alike(one, other, clocks, hasOwnTime))
        return `header ${name}: ${other}, in the run ${one}`;
    }
    return undefined;
  }

  #ofBodies(was: Buffer | undefined, is: Buffer, clocks: Clocks, hasOwnTime: boolean): string | undefined {
    if (was === undefined) return undefined;
    const [one, other] = [was.toString('utf8'), is.toString('utf8')];
    const [before, now] = [jsonIn(one), jsonIn(other)];
    if ((before === undefined) !== (now === undefined)) return now === undefined ? 'a body that is no JSON, in the run JSON' : 'JSON, in the run not';
    if (before !== undefined) return this.#ofJson(before, now, '', clocks, hasOwnTime);
    if ((one === '') !== (other === '')) return other === '' ? 'no body, in the run one' : 'a body, in the run none';
    const names = [...this.#known].filter(([name]) => name.length >= 12);
    const odd = names.find(([name, now]) => one.includes(name) !== other.includes(now));
    if (odd) return `a text that ${one.includes(odd[0]) ? 'does not name' : 'names'} ${odd[1]}`;
    return one.slice(0, 12) === other.slice(0, 12) || /[$…]/.test(one.slice(0, 30)) ? undefined : `${other.slice(0, 60)}, in the run ${one.slice(0, 60)}`;
  }

  #ofJson(was: unknown, is: unknown, at: string, clocks: Clocks, hasOwnTime: boolean): string | undefined {
    const place = at === '' ? 'the body' : at;
    if (typeof was !== typeof is || Array.isArray(was) !== Array.isArray(is) || (was === null) !== (is === null))
      return `${place} is ${brief(is)}, in the run ${brief(was)}`;
    if (typeof was === 'object' && was !== null && typeof is === 'object' && is !== null) {
      const [before, now] = [new Map(Object.entries(was)), new Map(Object.entries(is))];
      for (const key of new Set([...before.keys(), ...now.keys()])) {
        // A person hidden as the name of a member.
        if (/[$…]/.test(key)) continue;
        if (!now.has(key)) return `${at}/${key} is missing, in the run ${brief(before.get(key))}`;
        if (!before.has(key)) return [...before.keys()].some((own) => /[$…]/.test(own)) ? undefined : `${at}/${key} is there, in the run it was missing`;
        const difference = this.#ofJson(before.get(key), now.get(key), `${at}/${key}`, clocks, hasOwnTime);
        if (difference !== undefined) return difference;
      }
      return undefined;
    }
    const isAlike = typeof was === 'string' && typeof is === 'string' ? this.#alike(was, is, clocks, hasOwnTime) : was === is || isTime(was, is, clocks, hasOwnTime);
    return isAlike ? undefined : `${place} is ${brief(is)}, in the run ${brief(was)}`;
  }

  #alike(was: string, is: string, clocks: Clocks, hasOwnTime: boolean): boolean {
    if (/^(?:https?:\/)?\/\S+$/.test(is)) this.#links.push({ was, is });
    if (was === is) return true;
    const known = this.#known.get(was);
    if (known !== undefined) return known === is;
    if (hasMask(was)) return is !== '' && maskOf(was).test(is);
    if ([...this.#known.values()].includes(is) && is.length >= 6) return false;
    if (isTime(was, is, clocks, hasOwnTime)) return true;
    if (shapeOf(was) === shapeOf(is) && isMade(was) && isMade(is)) {
      this.#known.set(was, is);
      return true;
    }
    const split = /[^A-Za-z0-9_.%-]+/;
    const [one, other] = [was.split(split), is.split(split)];
    if (one.length < 2 || one.length !== other.length || was.replaceAll(/[A-Za-z0-9_.%-]+/g, '') !== is.replaceAll(/[A-Za-z0-9_.%-]+/g, '')) return false;
    return one.every((piece, at) => this.#alike(piece, other[at] ?? '', clocks, hasOwnTime) || (/^https?:/.test(was) && /^\d{2,5}$/.test(piece)));
  }
}

/** Names that a mask puts in the place of what it hides, and what an allowance tells of a text instead of the text. */
const masked = /\$[A-Za-z][A-Za-z_]*(?:\.[a-z]+:\w+)?|\(another token of \d+ characters\)|….*$/;

function hasMask(text: string): boolean {
  return masked.test(text);
}

/** What a text is like that a mask has changed. */
function maskOf(text: string): RegExp {
  const parts = text.split(new RegExp(masked, 'g')).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text.includes('…') ? /./s : new RegExp(`^${parts.join('.*')}$`, 's');
}

/** Letters and digits as such: values that are made by one rule have one shape. */
function shapeOf(text: string): string {
  const isHex = /^[0-9a-f-]{8,}$/.test(text);
  const isCapitalHex = /^[0-9A-F-]{8,}$/.test(text);
  if (/^\d+$/.test(text)) return text.replaceAll(/\d/g, '9');
  if (isHex || isCapitalHex) return text.replaceAll(/[0-9a-fA-F]/g, isHex ? 'f' : 'F');
  return `${text.length > 16 || /\d/.test(text) ? text.length : text} ${/[^\w.-]/.test(text) ? text : ''}`;
}

/** Whether a value is one that is made anew each time, rather than a word of the contract. */
function isMade(text: string): boolean {
  return text.length >= 6 && /\d/.test(text) && !/\s/.test(text);
}

function isTime(was: unknown, is: unknown, clocks: Clocks, hasOwnTime: boolean): boolean {
  const [one, other] = [timeOf(was), timeOf(is)];
  if (one === undefined || other === undefined || one.form !== other.form) return false;
  const difference = hasOwnTime ? other.ms - one.ms : other.ms - clocks.is - (one.ms - clocks.was);
  return Math.abs(difference) <= alikeMs;
}

function timeOf(value: unknown): { ms: number; form: string } | undefined {
  const text = String(value);
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text))) return { ms: Date.parse(text), form: text.replaceAll(/\d/g, '9') };
  const seconds = /^1\d{9}$/.test(text) ? Number(text) : undefined;
  if (seconds !== undefined) return { ms: seconds * 1000, form: 'seconds' };
  return /^1\d{12}$/.test(text) ? { ms: Number(text), form: 'milliseconds' } : undefined;
}

function brief(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 100);
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

function atOf(step: Step): number {
  return (step.kind === 'steering' ? step.call.at : step.evidence.at) ?? 0;
}

function endOf(step: Step): number {
  return atOf(step) + (step.kind === 'call' ? step.evidence.durationMs : 0);
}

function withoutToken(target: string): string {
  return target.replace(/^https?:\/\/[^/]+/, '').split('?', 1).join('');
}

function like(was: string, is: string): boolean {
  return was === is || (/[$…]/.test(was) && maskOf(was).test(is));
}

function bytesOf(body: ExchangeEvidence['request']['body']): Buffer | undefined {
  if (!body) return Buffer.alloc(0);
  if (body.cut) return undefined;
  return body.encoding === 'utf-8' ? Buffer.from(body.text) : Buffer.from(body.text, 'base64');
}

function codeIn(body: Buffer): string {
  const json = jsonIn(body.toString('utf8'));
  return typeof json === 'object' && json !== null && 'code' in json ? String(json.code) : '';
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pairs(headers: readonly (readonly string[])[]): Headers {
  return headers.map(([name = '', value = '']) => [name, value]);
}

function pairsOf(raw: readonly string[]): Headers {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : []));
}
