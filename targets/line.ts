import { costBy, type Cost } from '../contract/endpoints.ts';
import limited from 'p-limit';
import type { LimitFunction } from 'p-limit';
import type { Draft } from '../contract/request.ts';
import type { Stalls } from './traffic/guard.ts';
import { productionRisk, sideEffectOf } from './traffic/interlock.ts';
import type { Ledger } from './traffic/ledger.ts';
import { signedRequest, type SignedRequest } from '../client/sign.ts';
import type { Transport } from './traffic/transport.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { TargetAddress, Patience, Traffic } from './address.ts';
import { LeftOut, NotExercised } from './not-exercised.ts';
import { mayIssueForReal } from './needs-met.ts';
import { linkPlace, placeOf } from './place.ts';

/** How a request is sent. */
export interface Manner {
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
  /** Throws a NotExercised once the run goes no further. */
  readonly look: () => void;
  /** Is told of each exchange. */
  readonly learn: (exchange: Exchange) => void;
}

/** The way to a target: everything goes out over it, at the pace and within the budget of the run. */
export class Line {
  readonly #laid: Laying;
  readonly #stalls: Stalls;
  readonly #spent = costBy(() => 0);
  /** Lets so many requests be under way at once. */
  readonly #gate: LimitFunction;

  constructor(laid: Laying) {
    this.#laid = laid;
    this.#gate = limited(laid.address.burst ?? Infinity);
    this.#stalls = laid.ledger.guard.stalls;
  }

  /**
   * Sends at the pace that the target allows. Throws a NotExercised, and sends nothing, once the request budget is spent or
   * the run goes no further, and for an issuance that might reach production.
   */
  send(draft: Draft, manner: Manner = {}): Promise<Exchange> {
    return this.#gate(() => this.#send(draft, manner));
  }

  /** Follows a link to a document by a plain GET, at the same pace and from the same budget. */
  download(url: string): Promise<Exchange> {
    return this.#gate(() => this.#download(url));
  }

  async #send(draft: Draft, { isPaced, withinMs }: Manner): Promise<Exchange> {
    const { address, ledger, patience, transport, learn } = this.#laid;
    const request = signedRequest(draft);
    guardProduction(request, address, ledger);
    await this.#takeTurn(isPaced);
    const exchange = await transport.send(
      request,
      withinMs ?? this.#stalls.patienceMs(placeOf(request), patience.answerMs),
    );
    learn(exchange);
    if (exchange.response) ledger.guard.pace.noteAnswer(exchange.durationMs);
    if (withinMs === undefined) noteStall(this.#stalls, exchange);
    const left = sideEffectOf(exchange);
    if (left !== undefined) {
      ledger.countLeft(left);
      this.#spent[left] += 1;
    }
    return exchange;
  }

  async #download(url: string): Promise<Exchange> {
    const { patience, transport, learn } = this.#laid;
    await this.#takeTurn();
    const exchange = await transport.download(url, this.#stalls.patienceMs(linkPlace, patience.answerMs));
    noteStall(this.#stalls, exchange);
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

/** That nothing more may be sent: by what was asked for, or by what the suite has announced as the most, and keeps to. */
function spentBudget({ budget, isAnnounced }: Pick<Traffic, 'budget' | 'isAnnounced'>): NotExercised {
  return isAnnounced
    ? new NotExercised(
        `the ${budget} requests that were announced as the most are spent, and failures took many: ask for fewer topics, or mend first what failed`,
        'suite',
      )
    : new NotExercised(`the budget of ${budget} requests for this run is spent`, 'settings');
}

function noteStall(stalls: Stalls, { request, response, isLate, durationMs }: Exchange): void {
  if (response) stalls.noteWhole(durationMs);
  if (isLate) stalls.noteLate(placeOf(request));
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
