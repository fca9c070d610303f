import { type Cost, costBy } from '../contract/endpoints.ts';
import { codes, isOfWay } from '../contract/values.ts';
import type { NeedName } from '../contract/clause.ts';
import type { Draft } from '../contract/request.ts';
import { openLedger, type Ledger } from './traffic/ledger.ts';
import { Connections } from './traffic/connections.ts';
import { openTransport, type Transport } from './traffic/transport.ts';
import { jsonIn, type Exchange, type Arrival } from '../trace/exchange.ts';
import type { Answer } from './receiver/address.ts';
import type { AuthoritySteeringBody, InvoiceRecordBody } from '../schemas/control.ts';
import { member, onFirstUse } from '../schemas/values.ts';
import type { SteeringRecord } from '../trace/records.ts';
import type { People } from '../trace/people/memory.ts';
import { type Lack, type TargetAddress, type Traffic, usualPatience, type Patience } from './address.ts';
import { appKeyOf, applicationsAt, type ApplicationsOfCheck, type Caller } from './applications.ts';
import { Control, type DeliveryRecord, linkPlace, placeOf } from './control.ts';
import { registerEmpresa, revivedEmpresa, type EmpresaName, type RegisteredEmpresa, type SendCall } from './empresa.ts';
import { NotExercised, LeftOut } from './not-exercised.ts';
import { sleepLooking, refuseWhenHalted } from './outage.ts';
import { inboxesAt, type Inboxes } from './inbox.ts';
import { learningOf, type Learning, peopleAt } from './mask.ts';
import { lackAt, required, mayIssueForReal } from './needs-met.ts';
import { readProfile, type Profile } from './profile.ts';
import type { LimitFunction } from 'p-limit';
import type { Stalls } from './traffic/guard.ts';
import { productionRisk, sideEffectOf } from './traffic/interlock.ts';
import { signedRequest, type SignedRequest } from '../client/sign.ts';
import { hash } from 'node:crypto';

/** A target as specs see it: what can be asked of it, and the preconditions that it can supply. */
export interface Target extends ApplicationsOfCheck, ProvidersDesk {
  readonly address: TargetAddress;
  /** Secrets of the applications made so far and of what was received, each with the text that takes its place in reports. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Has a further secret replaced by that text in reports. */
  hide(secret: string, stand: string): void;
  /** What is known of people at the target; absent where everything is shown. */
  readonly people?: People;
  /** Takes note of what came, wherever it came from, so that free texts that quote it show no more than evidence does. */
  readonly learning: Learning;
  /** Why a need can't be met: what would meet it, or what the target said; `undefined` when it can be. */
  missing(need: NeedName): Lack | undefined;
  readonly profile: Profile;
  /** Where deliveries to this check arrive. */
  readonly inboxes: Inboxes;
  /** A company of the profile with its certificate: registered by these calls, or the one that all checks share. */
  empresa(name: EmpresaName, send: SendCall): Promise<RegisteredEmpresa>;
  /** Unix seconds of the target's system clock, which judges requests whose token it does not know. */
  now(): number;
  /**
   * Sends at the pace that the target allows. Throws a NotExercised, and sends nothing, once the request budget is spent or
   * the run goes no further, and for an issuance that might reach production.
   */
  send(draft: Draft | (() => Draft), manner?: Manner): Promise<Exchange>;
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

/** Is told what happens at a target besides what is sent to it. */
export interface TargetListener {
  /** What arrived at an address that the check has opened, and how it was answered. */
  readonly delivery: (arrival: Arrival, answer: Answer) => void;
  readonly steering: (record: SteeringRecord) => void;
  /** What was sent, with what came of it. */
  readonly exchange?: (exchange: Exchange) => void;
}

/** Hears of nothing. */
export const nobody: TargetListener = { delivery: () => undefined, steering: () => undefined };

/** What else a control API does for a check: what an integrator would ask the provider for. */
interface ProvidersDesk {
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
}

/** A company that a profile has is registered only where a clause that is asked for needs it: what is asked leaves no more behind. */
const unregistered =
  'no such company was registered, since no clause that was asked for needs it: ask for nfe-query, too';

/** Opens the target at that address for one check. */
export function openTarget(address: TargetAddress, traffic: Traffic, listener: TargetListener = nobody): Target {
  const ledger = openLedger(traffic.memory, { maxRps: address.maxRps, budget: traffic.budget });
  const patience = { ...usualPatience, ...traffic.patience };
  let isClosed = false;
  const look = (): void => {
    // A check that fails in the middle may leave others of its calls under way: what fails of them is nobody's.
    if (isClosed) throw new NotExercised('the check has ended', 'suite');
    refuseWhenHalted(ledger, traffic);
  };
  const isOver = (): boolean => ledger.guard.halted() !== undefined;
  const { userAgent } = address;
  const connections = connectionsAt(address);
  const transport = openTransport(address.baseUrl, address.network, { isOver, userAgent, connections });
  const control = address.control
    ? new Control(address.control, address.network, { ledger, patience, look }, listener.steering)
    : undefined;
  const now = (): number => Math.floor(Date.now() / 1000 + address.clockSkewSeconds);
  const inForceSeconds = (address.certificateMs ?? 0) / 1000;
  const sleep = (seconds: number): Promise<void> => sleepLooking(seconds * 1000, look);
  const secrets = new Map<string, string>();
  const people = peopleAt(address);
  const learning = learningOf(people, secrets);
  const learn = (exchange: Exchange): void => {
    learning.exchange(exchange);
    listener.exchange?.(exchange);
  };
  const line = new Line({ address, ledger, patience, traffic, transport, connections, look, learn });
  const inboxes = inboxesAt(address.webhook, ledger, { came: learning.arrival, answered: listener.delivery });
  const profile = onFirstUse(() => readProfile(address.profile.folder));
  return {
    address,
    secrets,
    ...(people ? { people } : {}),
    learning,
    hide: (secret, stand) => void secrets.set(secret, stand),
    now,
    get profile() {
      return profile();
    },
    ...applicationsAt({ address, control, secrets, people, now, sleep }),
    ...deskOf(control),
    inboxes,
    async empresa(name, send) {
      if (control) return registerEmpresa(send, profile(), name).finally(() => sleep(inForceSeconds));
      const shared = address.empresas?.[name];
      const need = name === 'own' ? 'empresa' : 'other-empresa';
      if (!shared && !lackAt(address, need)) throw new NotExercised(unregistered, 'settings');
      return revivedEmpresa(required(shared, need));
    },
    missing: (need) => lackAt(address, need),
    ledger,
    patience,
    look,
    isStalled: (exchange) => line.isStalled(exchange),
    spent: () => line.spent(),
    send: (draft, manner) => line.send(draft, manner),
    download: (url) => line.download(url),
    async close() {
      isClosed = true;
      await Promise.all([transport.close(), control?.close(), inboxes.close()]);
    },
  };
}

function deskOf(control: Control | undefined): ProvidersDesk {
  const desk = (): Control => required(control, 'chosen-application');
  return {
    saveVerificationUrls: async (caller, urls) => desk().saveVerificationUrls(appKeyOf(caller), urls),
    deliveriesOf: async (caller) => desk().deliveries(appKeyOf(caller)),
    putInvoice: async (chave, record) => desk().putInvoice(chave, record),
    redeliver: async (caller, eventId) => desk().redeliver(appKeyOf(caller), eventId),
    async steer(caller, wish) {
      await desk().steerAuthority(appKeyOf(caller), wish);
    },
  };
}

/** How a request is sent. */
interface Manner {
  /** At the pace that the target allows, which is the rule. */
  readonly isPaced?: boolean;
  /** How many milliseconds the whole answer may take; that of the target's patience when absent. */
  readonly withinMs?: number;
}

/** What a line is laid with. */
interface Laying {
  readonly address: TargetAddress;
  readonly ledger: Ledger;
  readonly patience: Patience;
  readonly traffic: Pick<Traffic, 'budget' | 'isAnnounced'>;
  readonly transport: Transport;
  readonly connections: Connections | undefined;
  /** Throws a NotExercised once the run goes no further. */
  readonly look: () => void;
  /** Is told of each exchange. */
  readonly learn: (exchange: Exchange) => void;
}

/** The connections to an address, of checks that are made abreast all together; as many as it takes where no burst is set. */
const connectionsTo = new Map<string, Connections>();

function connectionsAt({ baseUrl, burst }: TargetAddress): Connections | undefined {
  if (burst === undefined) return undefined;
  const place = `${burst} ${baseUrl}`;
  const connections = connectionsTo.get(place) ?? new Connections(burst);
  connectionsTo.set(place, connections);
  return connections;
}

/** What has waited longer for its turn is signed anew. */
const longestTurnMs = 250;

/** The way to a target: everything goes out over it, at the pace and within the budget of the run. */
class Line {
  readonly #laid: Laying;
  readonly #stalls: Stalls;
  readonly #spent = costBy(() => 0);
  /** Lets so many requests be under way at once. */
  readonly #gate: LimitFunction | undefined;

  constructor(laid: Laying) {
    this.#laid = laid;
    this.#gate = laid.connections?.gate;
    this.#stalls = laid.ledger.guard.stalls;
  }

  /**
   * Sends at the pace that the target allows. Throws a NotExercised, and sends nothing, once the request budget is spent or
   * the run goes no further, and for an issuance that might reach production.
   */
  send(draft: Draft | (() => Draft), manner: Manner = {}): Promise<Exchange> {
    const signed = typeof draft === 'function' ? draft : (): Draft => draft;
    return this.#inTurn(() => overLive(() => this.#send(signed, manner)));
  }

  /** Follows a link to a document by a plain GET, at the same pace and from the same budget. */
  download(url: string): Promise<Exchange> {
    return this.#inTurn(() => overLive(() => this.#download(url)));
  }

  #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    return this.#gate ? this.#gate(ask) : ask();
  }

  async #send(draft: () => Draft, { isPaced = true, withinMs }: Manner): Promise<Exchange> {
    const { address, ledger, patience, transport, learn } = this.#laid;
    const early = signedRequest(draft());
    guardProduction(early, address, ledger);
    const askedMs = performance.now();
    await this.#takeTurn(isPaced);
    // Timestamps tell seconds: what was signed while others had their turns would be late by some.
    const request = performance.now() - askedMs < longestTurnMs ? early : signedRequest(draft());
    const exchange = await transport.send(
      request,
      withinMs ?? this.#stalls.patienceMs(placeOf(request), patience.answerMs),
      isPaced && this.#isLast(request),
    );
    learn(exchange);
    noteUnanswered(ledger, exchange);
    noteStanding(ledger, address, exchange);
    if (exchange.response) ledger.guard.pace.noteAnswer(exchange.durationMs);
    if (withinMs === undefined) noteStall(this.#stalls, exchange);
    const left = sideEffectOf(exchange);
    if (left !== undefined) {
      ledger.countLeft(left);
      this.#spent[left] += 1;
    }
    return exchange;
  }

  /** Draws whether a request is the last of its connection: behind an address may be several nodes, each of which is to be met. */
  #isLast({ target, parts: { timestamp } }: SignedRequest): boolean {
    const { perConnection = 0 } = this.#laid.address;
    if (perConnection === 0) return false;
    const [drawn = 0] = hash('sha256', `${timestamp} ${this.#spent.requests} ${target}`, 'buffer');
    return drawn < 256 / perConnection;
  }

  async #download(url: string): Promise<Exchange> {
    const { ledger, patience, transport, learn } = this.#laid;
    await this.#takeTurn();
    const exchange = await transport.download(url, this.#stalls.patienceMs(linkPlace, patience.answerMs));
    noteStall(this.#stalls, exchange);
    noteUnanswered(ledger, exchange);
    learn(exchange);
    return exchange;
  }

  /** Whether an answer was late where many have been: then it says no less than several. */
  isStalled({ request, isLate }: Exchange): boolean {
    return isLate === true && this.#stalls.isStalled(placeOf(request));
  }

  /** What was sent over it so far, and what that has left behind. */
  spent(): Cost {
    return { ...this.#spent };
  }

  async #takeTurn(isPaced?: boolean): Promise<void> {
    const { ledger, traffic, look } = this.#laid;
    look();
    if (await ledger.take(isPaced)) return void (this.#spent.requests += 1);
    throw spentBudget(traffic);
  }
}

/** Sends again what went out over a connection that the server was about to end: that is nobody's fault. RFC 9112, section 9.3.1. */
async function overLive(send: () => Promise<Exchange>): Promise<Exchange> {
  let exchange = await send();
  while (exchange.isEndedIdle) exchange = { ...(await send()), isResent: true };
  return exchange;
}

/** That nothing more may be sent: by what was asked for, or by what the suite has announced as the most, and keeps to. */
function spentBudget({ budget, isAnnounced }: Pick<Traffic, 'budget' | 'isAnnounced'>): NotExercised {
  return isAnnounced
    ? new NotExercised(
        `the ${budget} requests that were announced as the most are spent, and failures took many, or a limit on the rate that answers 503: ask for fewer topics, mend first what failed, or lower NFE_MAX_RPS`,
        'suite',
      )
    : new NotExercised(`the budget of ${budget} requests for this run is spent`, 'settings');
}

function noteStall(stalls: Stalls, { request, response, isLate, durationMs }: Exchange): void {
  if (response) stalls.noteWhole(durationMs);
  if (isLate) stalls.noteLate(placeOf(request));
}

function noteUnanswered(ledger: Ledger, { response, isEndedIdle }: Exchange): void {
  if (!isEndedIdle && (!response || isOfWay(response.status))) ledger.countUnanswered();
}

/** Codes that say that a secret, or whose it is, may not call at all: what else is wrong with a request has others. Section 7.2. */
const ofStanding: ReadonlySet<unknown> = new Set(
  [codes.tokenInvalid, codes.applicationDisabled, codes.applicationNotEffective, codes.integratorDisabled].map(
    ({ code }) => code,
  ),
);

/** Notes whether the application that all checks share may still call. */
function noteStanding(ledger: Ledger, { credentials: { active } }: TargetAddress, exchange: Exchange): void {
  const { request, response } = exchange;
  if (
    active === undefined ||
    !response ||
    !request.headers.some(([name, value]) => name === 'token' && value === active)
  )
    return;
  if (response.status >= 200 && response.status <= 299) return ledger.noteStanding(0);
  const code = member(jsonIn(response.rawBody.toString('utf8')), 'code');
  if (typeof code === 'number' && ofStanding.has(code)) ledger.noteStanding(code);
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
