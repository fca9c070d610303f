import { costBy, type Cost } from '../contract/cost.ts';
import { needs, remedyFor, type Need, type NeedName } from '../contract/needs.ts';
import type { Draft } from '../contract/request.ts';
import type { CallerFacts, Standing } from '../contract/standing.ts';
import type { Stalls } from '../client/guard/stalls.ts';
import { productionRisk } from '../client/interlock.ts';
import { openLedger, type Ledger } from '../client/ledger.ts';
import { sideEffectOf } from '../client/side-effects.ts';
import { signedRequest, type SignedRequest } from '../client/signed-request.ts';
import { openTransport, type Exchange } from '../client/transport.ts';
import type { Answer } from '../client/receiver-answer.ts';
import type { Arrival } from '../client/receiver-arrival.ts';
import type { AuthoritySteeringBody, InvoiceRecordBody } from '../schemas/control.ts';
import type { SteeringRecord } from '../trace/records.ts';
import type { People } from '../trace/people/memory.ts';
import type { Credentials, Lack, TargetAddress, Traffic } from './address.ts';
import {
  openControl,
  type ApplicationWish,
  type Control,
  type ControlledApplication,
  type DeliveryRecord,
} from './control.ts';
import { registerEmpresa, revivedEmpresa, type EmpresaName, type RegisteredEmpresa, type SendCall } from './empresa.ts';
import { refuseWhenHalted, sleepLooking } from './halted.ts';
import { inboxesAt, type Inboxes } from './inbox.ts';
import { learningOf, type Learning } from './learned.ts';
import { LeftOut } from './left-out.ts';
import { NotExercised } from './not-exercised.ts';
import { usualPatience, type Patience } from './patience.ts';
import { peopleAt } from './people.ts';
import { linkPlace, placeOf } from './place.ts';
import { readProfile, type Profile } from './profile.ts';

/** An application as its integrator sees it: what a check calls the target with. */
export interface Caller {
  readonly appSecret: string;
  /** Known where a control API or the settings tell it. */
  readonly appKey?: string;
  readonly appName?: string;
  /** What it is like; absent where it is active and may call everything. */
  readonly standing?: Standing;
  readonly hasOwnClock?: true;
  /** Whether the control API made it. */
  readonly isMade?: true;
  /** Unix seconds of the clock by which the target judges this caller. */
  now(): number;
}

/** A caller whose clock stands still until it is moved. */
export interface ClockedCaller extends Caller {
  /** Moves the clock; with `none` without waiting for the attempts that this starts. */
  advance(seconds: number, wait?: 'attempts' | 'none'): Promise<void>;
}

/** A target as specs see it: what can be asked of it, and the preconditions that it can supply. */
export interface Target {
  readonly address: TargetAddress;
  /** Secrets of the applications made so far and of what was received, each with the text that takes its place in reports. */
  readonly secrets: ReadonlyMap<string, string>;
  /** The App Secrets that an application has had, the last one now, by its name in records. */
  secretsOf(caller: string | undefined): readonly string[];
  /** Has a further secret replaced by that text in reports. */
  hide(secret: string, stand: string): void;
  /** What is known of people at the target; absent where everything is shown. */
  readonly people?: People;
  /** Takes note of what came, wherever it came from, so that free texts that quote it show no more than evidence does. */
  readonly learning: Learning;
  /** Why a need can't be met: what would meet it, or what the target said; `undefined` when it can be. */
  missing(need: NeedName): Lack | undefined;
  /** An active application that may call everything: its own for each call where there is a control API. */
  caller(): Promise<Caller>;
  /** An application in that condition. Needs the need of the same name. */
  callerIn(condition: Condition): Promise<Caller>;
  /** An application made to measure. Needs `chosen-application`. */
  chosenCaller(wish: ApplicationWish): Promise<Caller>;
  /** An application on a clock of its own. Needs `movable-clock`. */
  clockedCaller(wish?: ApplicationWish): Promise<ClockedCaller>;
  /** An application for which minutes can pass: by a clock of its own, or by waiting. Needs `passing-time`. */
  patientCaller(wish?: ApplicationWish): Promise<ClockedCaller>;
  readonly profile: Profile;
  /** Where deliveries to this check arrive. */
  readonly inboxes: Inboxes;
  /** Saves a caller's addresses for verification events; whether they were. Needs `chosen-application`. */
  saveVerificationUrls(caller: Caller, urls: readonly string[]): Promise<boolean>;
  /** What the target keeps of a caller's events. Needs `chosen-application`. */
  deliveriesOf(caller: Caller): Promise<readonly DeliveryRecord[]>;
  /** Puts an invoice on the tax authority's record, for all applications. Needs `chosen-application`. */
  putInvoice(chave: string, record: InvoiceRecordBody): Promise<void>;
  /** Has an event of a caller pushed again by hand. Needs `chosen-application`. */
  redeliver(caller: Caller, eventId: string): Promise<void>;
  /** Steers how the tax authority answers a caller. Needs `chosen-application`. */
  steer(caller: Caller, wish: AuthoritySteeringBody): Promise<void>;
  /** A company of the profile with its certificate: registered by these calls, or the one that all checks share. */
  empresa(name: EmpresaName, send: SendCall): Promise<RegisteredEmpresa>;
  /** A secret that a rotation has made invalid. Needs `rotated-secret`. */
  rotatedSecret(): Promise<string>;
  /** Makes a caller's application like that from now on; the caller as it is then. Needs `chosen-application`. */
  change(caller: Caller, standing: Standing): Promise<Caller>;
  /** Rotates the secret of a caller that `caller()` gave; the caller with its new one. Needs `rotation`. */
  rotate(caller: Caller): Promise<Caller>;
  /** Unix seconds of the target's system clock, which judges requests whose token it does not know. */
  now(): number;
  /**
   * Sends at the pace that the target allows. Throws a NotExercised, and sends nothing, once the request budget is spent or
   * the run goes no further, and for an issuance that might reach production.
   */
  send(draft: Draft, manner?: Manner): Promise<Exchange>;
  /** Follows a link to a document by a plain GET, at the same pace and from the same budget. */
  download(url: string): Promise<Exchange>;
  readonly ledger: Ledger;
  readonly patience: Patience;
  /** Throws a NotExercised once the run goes no further. */
  readonly look: () => void;
  /** Whether an answer was late where many have been: then it says no less than several. */
  isStalled(exchange: Exchange): boolean;
  /** What was sent by way of this target so far, and what that has left behind. */
  spent(): Cost;
  close(): Promise<void>;
}

/** How a request is sent. */
export interface Manner {
  /** At the pace that the target allows, which is the rule. */
  readonly isPaced?: boolean;
  /** How many milliseconds the whole answer may take; that of the target's patience when absent. */
  readonly withinMs?: number;
}

/** How an application in a condition is had: made so by the control API, or known by its secret. */
const conditions = {
  'disabled-application': { wish: { state: 'disabled' }, credential: 'disabled' },
  'pending-application': { wish: { state: 'pending' }, credential: 'pending' },
  'rejected-application': { wish: { state: 'rejected' }, credential: 'rejected' },
  'application-of-disabled-integrator': { wish: { integratorState: 'disabled' }, credential: 'integratorDisabled' },
  'unsubscribed-application': { wish: { subscriptions: [] }, credential: 'unsubscribed' },
  'rate-limited-application': { wish: { rateLimit: { limit: 5, windowSeconds: 60 } }, credential: 'rateLimited' },
} as const satisfies Partial<Record<NeedName, { wish: ApplicationWish; credential: keyof Credentials }>>;

/** A condition in which an application can be asked for. */
export type Condition = keyof typeof conditions;

/** Far from any system clock, so that a target that mixes up clocks shows it. */
const testClockStart = '2031-05-17T09:30:00.000Z';

/** Of every application that a check makes. */
const appName = 'Conformance suite';

/** Is told what happens at a target besides what is sent to it. */
export interface TargetListener {
  /** What arrived at an address that the check has opened, and how it was answered. */
  readonly delivery: (arrival: Arrival, answer: Answer) => void;
  readonly steering: (record: SteeringRecord) => void;
  /** What was sent, with what came of it. */
  readonly exchange?: (exchange: Exchange) => void;
}

const nobody: TargetListener = { delivery: () => undefined, steering: () => undefined };

/** Opens the target at that address for one check. */
export function openTarget(address: TargetAddress, traffic: Traffic, listener: TargetListener = nobody): Target {
  const ledger = openLedger(traffic.memory, { maxRps: address.maxRps, budget: traffic.budget });
  const patience = { ...usualPatience, ...traffic.patience };
  const look = (): void => refuseWhenHalted(ledger, traffic);
  const isOver = (): boolean => ledger.guard.halted() !== undefined;
  const { stalls } = ledger.guard;
  const transport = openTransport(address.baseUrl, address.network, { isOver, userAgent: address.userAgent });
  const control = address.control
    ? openControl(address.control, address.network, { ledger, patience, look }, listener.steering)
    : undefined;
  const now = (): number => Math.floor(Date.now() / 1000 + address.clockSkewSeconds);
  const secrets = new Map<string, string>();
  const people = peopleAt(address);
  const learning = learningOf(people, secrets);
  const { active, appKey: ownKey } = address.credentials;
  const secretsOf = new Map<string, readonly string[]>(
    active === undefined ? [] : [[ownKey ?? 'NFE_APP_SECRET', [active]]],
  );
  const create = async (
    owner: Control,
    wish: ApplicationWish,
  ): Promise<ControlledApplication & { readonly isMade: true }> => {
    const application = await owner.createApplication(wish);
    secrets.set(application.appSecret, '$APP_SECRET');
    people?.sent.add(application.appKey);
    secretsOf.set(application.appKey, [application.appSecret]);
    return { ...application, isMade: true };
  };
  const clockedCaller: Target['clockedCaller'] = async (wish) => {
    const owner = required(control, 'movable-clock');
    const application = await create(owner, { appName, ...wish, clock: testClockStart });
    return clocked(owner, { ...application, ...(wish ? { standing: wish } : {}) });
  };
  const spent = costBy(() => 0);
  const takeTurn = async (isPaced?: boolean): Promise<void> => {
    look();
    if (await ledger.take(isPaced)) return void (spent.requests += 1);
    throw new NotExercised(`the budget of ${traffic.budget} requests for this run is spent`, 'settings');
  };
  const inboxes = inboxesAt(address.webhook, ledger, { came: learning.arrival, answered: listener.delivery });
  const profile = lazily(() => readProfile(address.profile.folder));
  return {
    address,
    secrets,
    ...(people ? { people } : {}),
    learning,
    secretsOf: (caller) => (caller === undefined ? [] : (secretsOf.get(caller) ?? [])),
    hide: (secret, stand) => void secrets.set(secret, stand),
    now,
    get profile() {
      return profile();
    },
    clockedCaller,
    patientCaller(wish) {
      if (control) return clockedCaller(wish);
      if (!address.isSlow) required(undefined, 'passing-time');
      return Promise.resolve({ ...configured(address, now), advance: (seconds) => sleepLooking(seconds * 1000, look) });
    },
    inboxes,
    saveVerificationUrls: (caller, urls) =>
      required(control, 'chosen-application').saveVerificationUrls(appKeyOf(caller), urls),
    deliveriesOf: (caller) => required(control, 'chosen-application').deliveries(appKeyOf(caller)),
    putInvoice: (chave, record) => required(control, 'chosen-application').putInvoice(chave, record),
    redeliver: (caller, eventId) => required(control, 'chosen-application').redeliver(appKeyOf(caller), eventId),
    async steer(caller, wish) {
      const owner = required(control, 'chosen-application');
      await owner.steerAuthority(appKeyOf(caller), wish);
    },
    async empresa(name, send) {
      if (control) return registerEmpresa(send, profile(), name);
      const shared = address.empresas?.[name];
      return revivedEmpresa(required(shared, name === 'own' ? 'empresa' : 'other-empresa'));
    },
    missing: (need) => lackAt(address, need),
    async caller() {
      return control ? { ...(await create(control, { appName })), now } : configured(address, now);
    },
    async callerIn(condition) {
      const { wish, credential } = conditions[condition];
      if (control) return { ...(await create(control, { appName, ...wish })), standing: wish, now };
      return { appSecret: required(address.credentials[credential], condition), standing: wish, now };
    },
    async chosenCaller(wish) {
      const application = await create(required(control, 'chosen-application'), { appName, ...wish });
      return { ...application, standing: wish, now };
    },
    async rotatedSecret() {
      if (!control) return required(address.credentials.rotated, 'rotated-secret');
      const { appKey, appSecret } = await create(control, { appName });
      secrets.set(await control.rotateSecret(appKey), '$NEW_APP_SECRET');
      return appSecret;
    },
    async change(caller, standing) {
      await required(control, 'chosen-application').changeApplication(appKeyOf(caller), standing);
      return { ...caller, standing };
    },
    async rotate(caller) {
      const appKey = required(caller.appKey, 'rotation');
      const appSecret = await required(control, 'rotation').rotateSecret(appKey);
      secrets.set(appSecret, '$NEW_APP_SECRET');
      secretsOf.set(appKey, [...(secretsOf.get(appKey) ?? []), appSecret]);
      return { ...caller, appSecret };
    },
    ledger,
    patience,
    look,
    isStalled: ({ request, isLate }) => isLate === true && stalls.isStalled(placeOf(request)),
    spent: () => ({ ...spent }),
    async send(draft, { isPaced, withinMs } = {}) {
      const request = signedRequest(draft);
      guardProduction(request, address, ledger);
      await takeTurn(isPaced);
      const exchange = await transport.send(
        request,
        withinMs ?? stalls.patienceMs(placeOf(request), patience.answerMs),
      );
      learning.exchange(exchange);
      listener.exchange?.(exchange);
      if (exchange.response) ledger.guard.pace.noteAnswer(exchange.durationMs);
      if (withinMs === undefined) noteStall(stalls, exchange);
      const left = sideEffectOf(exchange);
      if (left !== undefined) {
        ledger.countLeft(left);
        spent[left] += 1;
      }
      return exchange;
    },
    async download(url) {
      await takeTurn();
      const exchange = await transport.download(url, stalls.patienceMs(linkPlace, patience.answerMs));
      noteStall(stalls, exchange);
      learning.exchange(exchange);
      return exchange;
    },
    async close() {
      await Promise.all([transport.close(), control?.close(), inboxes.close()]);
    },
  };
}

function noteStall(stalls: Stalls, { request, response, isLate, durationMs }: Exchange): void {
  if (response) stalls.noteWhole(durationMs);
  if (isLate) stalls.noteLate(placeOf(request));
}

/** Which credential supplies a need to a target without control API; the others only a control API supplies. */
const credentialFor: Partial<Record<NeedName, keyof Credentials>> = {
  'known-app-key': 'appKey',
  'known-app-name': 'appName',
  'rotated-secret': 'rotated',
  ...Object.fromEntries(Object.entries(conditions).map(([need, { credential }]) => [need, credential])),
};

/** Who a caller is, as a record tells it; one that no setting names goes by its place. */
export function callerFacts({ appKey, standing = {}, hasOwnClock, isMade }: Caller): CallerFacts {
  const { state, integratorState, subscriptions, rateLimit } = standing;
  return {
    name: appKey ?? (Object.keys(standing).length === 0 ? 'NFE_APP_SECRET' : JSON.stringify(standing)),
    standing: {
      ...(state === undefined ? {} : { state }),
      ...(integratorState === undefined ? {} : { integratorState }),
      ...(subscriptions === undefined ? {} : { subscriptions }),
      ...(rateLimit === undefined ? {} : { rateLimit }),
    },
    ...(isMade ? { isMade } : {}),
    ...(hasOwnClock ? { hasOwnClock } : {}),
  };
}

/** Whether a target can supply a need: by a control API, by the profile or by a setting. */
function supplied(address: TargetAddress, need: NeedName): boolean {
  const { profileFiles }: Need = needs[need];
  if (need === 'real-issuance') return mayIssueForReal(address);
  if (need === 'passing-time' && address.isSlow) return true;
  if (need === 'stored-deliveries') return (address.webhook.stored?.length ?? 0) > 0;
  if (need === 'callbacks') return address.webhook.isReachable;
  if (need === 'verification-webhook') return hasVerificationWebhook(address);
  if (need === 'empresa' && isEmpresaGiven(address)) return true;
  if (need === 'empresa-registration' && isEmpresaGiven(address)) return false;
  if (profileFiles) return profileFiles.every((file) => address.profile.files.includes(file));
  const credential = credentialFor[need];
  return address.control !== undefined || (credential !== undefined && address.credentials[credential] !== undefined);
}

/** A control API saves the address; without one somebody has saved it in the provider's console. */
function hasVerificationWebhook({ control, webhook }: TargetAddress): boolean {
  return webhook.isReachable && (control !== undefined || webhook.verificationUrl !== undefined);
}

/** Whether a setting names the company, so that none is registered. An application made by the control API has none yet. */
function isEmpresaGiven({ control, empresas }: TargetAddress): boolean {
  return !control && empresas?.own?.empresaId !== undefined && empresas.own.registration === undefined;
}

/** Whether what might issue for real may be sent there: to a target of ours, or to a sandbox that gives leave. */
export function mayIssueForReal({ kind, control, allowProducao }: TargetAddress): boolean {
  return kind !== 'sandbox' || control !== undefined || allowProducao;
}

/** Why a target at that address can't meet a need; `undefined` when it can. */
export function lackAt(address: TargetAddress, need: NeedName): Lack | undefined {
  if (supplied(address, need)) return address.unproven?.[need];
  const isGiven = need === 'empresa-registration' && isEmpresaGiven(address);
  const remedy = isGiven ? 'unset NFE_EMPRESA_ID, which names one' : remedyFor(need);
  return { reason: `needs ${needs[need].text}: ${remedy}`, trouble: 'settings' };
}

function required<T>(value: T | undefined, need: NeedName): T {
  if (value === undefined) throw new NotExercised(`needs ${needs[need].text}: ${remedyFor(need)}`, 'settings');
  return value;
}

function appKeyOf({ appKey }: Caller): string {
  return required(appKey, 'chosen-application');
}

function configured(address: TargetAddress, now: () => number): Caller {
  const { active, appKey, appName } = address.credentials;
  if (active === undefined) throw new NotExercised('needs an active application: set NFE_APP_SECRET', 'settings');
  return { appSecret: active, ...(appKey ? { appKey } : {}), ...(appName ? { appName } : {}), now };
}

function clocked(control: Control, application: ControlledApplication & { standing?: Standing }): ClockedCaller {
  let seconds = Date.parse(testClockStart) / 1000;
  return {
    ...application,
    hasOwnClock: true,
    now: () => seconds,
    async advance(by, wait) {
      await control.advanceClock(application.appKey, by, wait);
      seconds += by;
    },
  };
}

/** Makes the value when it is first asked for. */
function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Where the bytes leave: nothing that might issue an invoice in production gets past here unless it was allowed to. */
function guardProduction(request: SignedRequest, address: TargetAddress, ledger: Ledger): void {
  const risk = productionRisk(request);
  if (risk.kind === 'none' || address.kind !== 'sandbox') return;
  if (!mayIssueForReal(address)) {
    throw new LeftOut(`an issuance was held back, since ${risk.why}: NFE_ALLOW_PRODUCAO lets it go`, 'settings');
  }
  ledger.countProduction();
}
