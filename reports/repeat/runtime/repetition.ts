import { setTimeout as sleep } from 'node:timers/promises';
import type { Step } from '../../../schemas/evidence.ts';
import {
  NotTried,
  Otherwise,
  env,
  shown,
  pairs,
  isDue,
  jsonIn,
  membersOf,
  atOf,
  endOf,
  type Story,
  type Call,
  type Answer,
  type Arrival,
} from './kit.ts';
import { rightly, formed, pieceOf, digested, signatureOf, Connections } from './requests.ts';
import { isSignedEmpty, isUpload, upload, fromProfile, isMasked, isMaskedDocument, withType } from './profile.ts';
import { Applications } from './applications.ts';
import { ownToken, Receiver } from './receiver.ts';
import { companiesHad, registrationOfCompany } from './companies.ts';
import { steer } from './steering.ts';
import { deliveriesTo, lackOf, ownRegistrations, togetherIn } from './steps.ts';
import { Documents } from './documents.ts';
import { freshIds } from './fresh-ids.ts';
import { Likeness } from './likeness.ts';

/** How long a delivery of the run is waited for, and how long at the end for one that the run did not have. */
const deliveryMs = Number(env['REPEAT_WAIT_SECONDS'] ?? 8) * 1000;

const quietMs = Math.min(1_500, deliveryMs);

/** Pauses of a run that are made again are longer than the checks themselves need. */
const pauseMs = 3_000;

/** No further try begins after so long. */
const triesMs = 20_000;

/**
 * Repeats a story, as often as it takes until it comes. Ends with 1 where everything comes as in the run, with 0 where it does not any
 * more, with 2 where that can't be told.
 */
export async function repeat(story: Story): Promise<number> {
  const until = Date.now() + triesMs;
  for (let tried = 1; ; tried += 1) {
    const status = await once(story);
    if (status !== 0) return status;
    if (tried >= story.tries || Date.now() >= until) {
      if (tried < story.enough) console.log(fewTries(tried, story.enough));
      return status;
    }
    console.log('again: in the run it did not come every time');
  }
}

/** What is said where a defect that comes now and then may be there all the same. */
function fewTries(tried: number, enough: number): string {
  return `Of its clause the run saw right answers, too: if that comes and goes, ${tried} of ${enough} tries tell little.`;
}

async function once(story: Story): Promise<number> {
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
    console.log(`\n${error.isWrong ? 'REPRODUCED, but otherwise' : 'NOT REPRODUCED'}: ${shown(error.message)}`);
    console.log(`  expected: ${shown(story.expected)}`);
    return error.isWrong ? 1 : 0;
  } finally {
    teller?.close();
  }
}

const notInProfile = 'the report masks what was sent, and NFE_PROFILE does not have it';

class Repetition {
  readonly story: Story;
  readonly steps: Step[];
  readonly base: URL;
  readonly receiver = new Receiver();
  readonly alike: Likeness;
  readonly applications: Applications;
  readonly connections = new Connections();
  readonly documents = new Documents();

  constructor(story: Story) {
    this.story = story;
    this.alike = new Likeness(story.expected);
    this.applications = new Applications(this.alike);
    this.steps = [...ownRegistrations(story.steps), ...story.steps];
    const given = env['NFE_BASE_URL'] || story.baseUrl;
    if (!URL.canParse(given) || !/^https?:/.test(given)) throw new NotTried('NFE_BASE_URL is no http or https address');
    this.base = new URL(given);
    this.alike.same(new URL(story.baseUrl).origin, this.base.origin);
    const isRefusalDue = /\b4\d\d\b|refus/.test(story.expected);
    for (const [was, is] of freshIds(story.steps, isRefusalDue)) this.alike.same(was, is);
  }

  async run(): Promise<void> {
    const steps = [...this.steps];
    const lacking = steps.map(lackOf).find((lack) => lack !== undefined);
    if (lacking !== undefined) throw new NotTried(lacking);
    if (steps.some(({ kind, ...step }) => kind === 'delivery' || ('address' in step && step.address)))
      await this.receiver.listen();
    for (const first of await this.applications.standIn(steps)) await this.registerCompanies(first);
    const groups = togetherIn(steps);
    let endedAt: number | undefined;
    for (const group of groups) {
      const [first] = group;
      if (first === undefined) continue;
      const startedAt = atOf(first);
      if (endedAt !== undefined && startedAt - endedAt > pauseMs) await this.pause(startedAt - endedAt);
      endedAt = Math.max(...group.map(endOf));
      this.receiver.isSettingUp = first.isSetUp === true;
      if (first.kind === 'delivery') await this.delivered(group);
      else await Promise.all(group.map((step) => this.take(step)));
    }
    await this.quiet();
  }

  /** Registers the companies that the application of that call had, at the one that is made in its place. */
  async registerCompanies(first: Call): Promise<void> {
    for (const [at, was] of companiesHad(this.story, first.application).entries()) {
      const [registration, certificate] = registrationOfCompany(first, was, at);
      this.steps.unshift(registration);
      const { status, body } = await this.call(registration);
      const { empresaId } = membersOf(jsonIn(body.toString('utf8')));
      if (status !== 200 || typeof empresaId !== 'string')
        throw new NotTried(`the company of the run can not be set up here: ${status}`);
      this.alike.same(decodeURIComponent(was), empresaId);
      const uploaded = await this.call(certificate);
      if (uploaded.status !== 200)
        throw new NotTried(`the certificate of the company is not taken: ${uploaded.status}`);
    }
  }

  close(): void {
    this.receiver.close();
    this.connections.close();
  }

  /** Time that the run let pass: a clock that stands still need not be waited for. */
  async pause(ms: number): Promise<void> {
    if (this.applications.haveOwnClock()) return;
    console.log(`wait  ${Math.round(ms / 1000)} s, as in the run`);
    await sleep(ms);
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'steering') return steer(step, this);
    const what = `${step.evidence.request.method} ${step.evidence.request.target}`;
    // With a name in the place of another its signature is wrong, and nothing that is said of it tells.
    if (step.kind === 'call' && isMaskedDocument(this.textOf(step))) throw new NotTried(`${what}: ${notInProfile}`);
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
    const isLast = this.steps.findLast(({ kind }) => kind === 'call') === step;
    const { due } = this.story;
    throw new Otherwise(`${what}: ${difference}`, isLast && due !== undefined && !isDue(due, answer));
  }

  /** Why a request that was taken in the run may be refused now though nothing was mended: the last one apart, which is what is told of. */
  lackBehind(step: Call, { status }: Answer): string | undefined {
    const { response, request } = step.evidence;
    const wasTaken = response !== undefined && response.status < 300;
    const isLast = this.steps.findLast(({ kind }) => kind === 'call') === step;
    if (!wasTaken || status < 400 || (isLast && status !== 400)) return undefined;
    if (isMasked(this.applications.anew(request.target)) || isMasked(this.textOf(step))) return notInProfile;
    if (!isLast && status === 404 && /\/empresas\/./.test(request.target) && this.isAsBefore(request.target))
      return 'the company of the run is not there';
    // Of an application that was there before the company may be registered already.
    const isOpen = !isLast || this.applications.of(step) === undefined;
    return isOpen && /\/empresas(?:\/[^/]+\/certificadoDigital)?$/.test(request.target)
      ? 'the company of the run can not be set up here'
      : undefined;
  }

  /** What a step sends of what the run sent: of an upload and a registration nothing, they are made anew each time. */
  textOf(step: Call): string {
    return step.address !== undefined || isUpload(step) ? '' : this.bodyOf(step).toString('utf8');
  }

  /** Whether a path names the company of the run, since none was made in its place. */
  isAsBefore(target: string): boolean {
    const [, empresaId = ''] = /\/empresas\/([^/]+)/.exec(target) ?? [];
    return this.applications.anew(empresaId) === empresaId;
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
    const passedMs = Date.now() - atOf(step);
    const difference = likeness.ofMessages(response, answer, step.now === undefined ? [passedMs] : [0, passedMs]);
    if (!isTrial) this.documents.addLinks(likeness.takeLinks(), atOf(step));
    return difference;
  }

  async call(step: Call): Promise<Answer> {
    const { request, connection } = step.evidence;
    const { token, timestamp, sign, target, body } = this.made(step);
    this.alike.sent(`${request.target} ${request.body?.text}`, `${target} ${body.toString()}`);
    const madeAnew: Record<string, string> = { token, timestamp, sign };
    const headers = pairs(request.headers).map(([name, value]): [string, string] => [
      name,
      madeAnew[name.toLowerCase()] ?? this.applications.anew(value),
    ]);
    const sent = isUpload(step) ? await upload(this.registered(step)) : undefined;
    return this.connections.send({
      url: this.base,
      method: request.method,
      path: this.base.pathname.replace(/(?<!\/)\/+$/, '') + target,
      headers: sent ? withType(headers, sent.type) : headers,
      body: sent?.body ?? body,
      connection,
    });
  }

  /** The body that registered the company whose certificate a step uploads: it was answered with the id in its path. */
  registered({ evidence: { request } }: Call): string {
    const [, empresaId = '/'] = /\/empresas\/([^/]+)/.exec(request.target) ?? [];
    const made = this.steps.find((one) => one.kind === 'call' && one.evidence.response?.body.text.includes(empresaId));
    return made?.kind === 'call' ? (made.evidence.request.body?.text ?? '') : '';
  }

  /** The request of a step with what is new this time: ids, addresses, the time, the signature. */
  made(step: Call) {
    const { request } = step.evidence;
    const signing = step.evidence.signing ?? rightly(step);
    const target = this.applications.anew(request.target);
    const body = isUpload(step) ? Buffer.alloc(0) : this.bodyOf(step);
    const needsSecret = !('text' in signing.token) && !('madeUp' in signing.token);
    const secret = needsSecret ? this.applications.secretOf(signing.secret, step) : '';
    const token = formed(signing.token, secret, (text) =>
      this.applications.anew(this.applications.tokenOfAnother(text, step)),
    );
    const now = step.now ?? Math.floor(Date.now() / 1000);
    const sent = {
      token,
      path: target.split('?', 1).join(''),
      body: isSignedEmpty(step) ? Buffer.alloc(0) : Buffer.from(body.filter((byte) => byte !== 13 && byte !== 10)),
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
    const document = this.documents.of(body.bytes);
    if (document) return document;
    const encoding = body.encoding === 'utf-8' ? 'utf8' : 'latin1';
    const text = body.encoding === 'utf-8' ? body.text : Buffer.from(body.text, 'base64').toString('latin1');
    if (step.address !== undefined) return Buffer.from(this.registering(step, step.address, text, body.bytes));
    return Buffer.from(this.applications.anew(fromProfile(text)), encoding);
  }

  /** A registration with an address of this script's own in the place of the run's, and a token of its own. */
  registering({ application }: Call, address: string, text: string, bytes: number): string {
    // A mask may have cut an escape in the token through.
    const shown = /"uri":"([^"]*)"/.exec(text)?.[1] ?? '';
    const asked = membersOf(jsonIn(this.alike.translated(text)) ?? { uri: shown, token: '$WEBHOOK_TOKEN' });
    const was = String(asked.uri);
    const isHidden = String(asked.token).startsWith('$');
    const token = isHidden ? ownToken(bytes - Buffer.byteLength(JSON.stringify({ uri: was, token: '' }))) : asked.token;
    const uri = this.receiver.addressFor(address, was, deliveriesTo(this.steps, address));
    if ('token' in asked) this.receiver.places.get(address)?.tokens.set(application, String(token));
    return JSON.stringify({ ...asked, uri, ...('token' in asked ? { token } : {}) });
  }

  async follow(step: Call): Promise<Answer> {
    const link = this.documents.linkOf(step, this.alike.translated(step.evidence.request.target));
    if (link === undefined) throw new Otherwise(`no link like ${step.evidence.request.target} came`);
    const url = new URL(link, this.base);
    const path = url.pathname + url.search;
    const answer = await this.connections.send({ url, method: 'GET', path, headers: [], body: Buffer.alloc(0) });
    const isAsBefore = answer.status === step.evidence.response?.status;
    const difference = isAsBefore ? this.documents.add(step, answer.body) : undefined;
    if (difference !== undefined) throw new Otherwise(`${step.evidence.request.target}: ${difference}`);
    return answer;
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
      if (difference !== undefined && !step.isSetUp)
        throw new Otherwise(`${what}: ${difference}`, this.isWrongAsInTheRun(step, arrival));
    }
  }

  /** Whether a delivery lacks now what another one lacked in the run: its token, or a right signature. */
  isWrongAsInTheRun(step: Call, arrival: Arrival): boolean {
    const lacksToken = this.receiver.hasToken(step, arrival) === false;
    const lacksSignature = this.signatureOf(step, arrival) === 'other';
    return this.steps.some(
      (one) =>
        one.kind === 'delivery' &&
        ((lacksToken && one.hasToken === false) || (lacksSignature && one.signature === 'other')),
    );
  }

  signatureOf(step: Call, arrival: Arrival): ReturnType<typeof signatureOf> | undefined {
    const own = this.applications.of(step);
    return own && signatureOf(arrival, own.secrets);
  }

  differenceOfDelivery(step: Call, arrival: Arrival): string | undefined {
    const { request } = step.evidence;
    if (arrival.method !== request.method) return `by ${arrival.method}, in the run by ${request.method}`;
    const isExact = this.receiver.isExact(arrival);
    if (step.isExact !== undefined && step.isExact !== isExact)
      return `it is ${isExact ? '' : 'not '}called as it was registered`;
    const hasToken = this.receiver.hasToken(step, arrival);
    if (step.hasToken !== undefined && hasToken !== undefined && step.hasToken !== hasToken)
      return `its token is ${hasToken ? '' : 'not '}the registered one`;
    const signature = this.signatureOf(step, arrival);
    if (step.signature !== undefined && signature !== undefined && signature !== step.signature)
      return signature === 'right'
        ? 'its signature is right, in the run it was not'
        : 'its signature is not right, in the run it was';
    const stood = this.applications.of(step)?.hasOwnClock === true;
    const passedMs = arrival.atMs - atOf(step);
    const difference = this.alike.ofMessages(request, arrival, stood ? [0, passedMs] : [passedMs]);
    this.documents.addLinks(this.alike.takeLinks(), atOf(step));
    return difference;
  }

  /** Nothing more is to come than came in the run. */
  async quiet(): Promise<void> {
    if (!this.receiver.isListening()) return;
    await sleep(quietMs);
    const more = this.receiver.more();
    if (more > 0) throw new Otherwise(`${more} more deliveries came than in the run`);
  }
}
