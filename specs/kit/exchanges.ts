import type { Call, Change, Draft } from '../../contract/request.ts';
import { sideEffectOf, twinOf } from '../../targets/traffic/interlock.ts';
import { type Exchange, type Response, headerOf, textOf } from '../../trace/exchange.ts';
import { plainEcho, rightDraft, sendFairly, type Attemptable } from '../../targets/fair-send.ts';
import type { Caller } from '../../targets/applications.ts';
import type { Target } from '../../targets/target.ts';
import { type Aim, exchangeRecord } from '../../trace/records.ts';
import { hold } from './shown.ts';
import { isUnreadable, summary } from './reply.ts';
import { type TrialRecord, ownCost } from './trial-record.ts';
import { costBy, costWithout, sumOfCosts, calledEndpoint, methodAndPath } from '../../contract/endpoints.ts';
import { isWorthReading, questionOf, type Pool } from './pooled.ts';
import { MIMEType } from 'node:util';
import { mergeObserved, type ObservedShape, shapeOf } from '../../schemas/observed.ts';

/** A request of a check. */
export interface Sent {
  readonly caller: Caller;
  readonly call: Call;
  readonly changes?: readonly Change[];
  /** What it puts to the test, where that is known beforehand. */
  readonly aim?: Aim | undefined;
  /** A 429 is an answer here. */
  readonly isLimitWanted?: boolean;
  /** It goes out at once, whatever the pace of the run. */
  readonly isOfBurst?: boolean;
}

/** The exchanges of a check: made fairly, and taken down. */
export class Exchanges {
  readonly #target: Target;
  readonly #record: TrialRecord;
  readonly #own: () => Promise<Caller>;

  /** `own` is the active application of the check, as which twins are sent. */
  constructor(target: Target, record: TrialRecord, own: () => Promise<Caller>) {
    [this.#target, this.#record, this.#own] = [target, record, own];
  }

  /**
   * Signs and sends a call after its changes; waits out what is the network's trouble, and a 429 that nobody asked for. In a pool, what
   * was asked before is not sent again.
   */
  async send(sent: Sent): Promise<Exchange> {
    const { pool } = this.#record;
    if (!pool || sent.isLimitWanted || sent.isOfBurst) return this.#sendAnew(sent);
    const question = questionOf(this.#target, sent.caller, sent.call, sent.changes ?? []);
    // Who finds none asks at once: nobody else is to find none meanwhile.
    const asking = pool.answers.get(question);
    const known = asking && (await asking);
    if (known) return this.#read(known, pool, sent.aim);
    const asked = sharing(this.#target, this.#record, pool.name, () => this.#sendAnew(sent));
    const answer = asked.then(
      (exchange) => (isWorthReading(exchange) ? exchange : undefined),
      () => undefined,
    );
    pool.answers.set(question, answer);
    if (!(await answer)) pool.answers.delete(question);
    return asked;
  }

  /** Reads an answer that another case has got. */
  #read(exchange: Exchange, { name }: Pool, aim: Aim | undefined): Exchange {
    const record = this.#record;
    record.tokens.add(exchange.request.parts.token);
    record.shares.set(name, record.shares.get(name) ?? costBy(() => 0));
    hold(record.exchanges, exchange, () => undefined);
    record.recorder.recall(exchangeRecord(exchange, aim));
    return exchange;
  }

  async #sendAnew({
    caller,
    call,
    changes = [],
    aim,
    isLimitWanted = false,
    isOfBurst = false,
  }: Sent): Promise<Exchange> {
    const [target, record] = [this.#target, this.#record];
    const draft = (): Draft => changes.reduce((before, change) => change(before), rightDraft(target, caller, call));
    const attempt = {
      async send(): Promise<Exchange> {
        const sent = await target.send(draft, { isPaced: !isLimitWanted && !isOfBurst });
        return isOfBurst ? { ...sent, isOfBurst } : sent;
      },
      isFlawed: changes.length > 0,
      twin: changes.length > 0 ? (withinMs: number) => this.#untouched(call, withinMs) : this.#echo,
      echo: this.#echo,
      isLimitWanted,
    };
    const exchange = await this.#made(attempt, aim);
    record.drafts.set(exchange, draft);
    record.shapes = withShape(record.shapes, exchange);
    return exchange;
  }

  /** Follows a link to a document, without our headers. */
  download(url: string): Promise<Exchange> {
    return this.#made({ send: () => this.#target.download(url), twin: this.#echo, echo: this.#echo });
  }

  readonly #echo = async (withinMs: number): Promise<Exchange> => {
    const own = await this.#own();
    return this.#target.send(plainEcho(own.appSecret, own.now()), { withinMs });
  };

  async #untouched(call: Call, withinMs: number): Promise<Exchange> {
    const twin = twinOf(this.#target.address, call);
    return this.#target.send(rightDraft(this.#target, await this.#own(), twin), { withinMs });
  }

  async #made(attempt: Attemptable, aim?: Aim): Promise<Exchange> {
    const record = this.#record;
    const exchange = await sendFairly(this.#target, this.#recording(attempt, aim), (hiccup) =>
      record.hiccups.push(hiccup),
    );
    // Before it is cut: what the check has cut itself is no fault of an answer.
    if (isUnreadable(exchange)) record.unread ??= summary(exchange);
    hold(record.exchanges, exchange, (whole, start) => keepDraft(record, whole, start));
    record.exchangesMade += 1;
    if (sideEffectOf(exchange) !== undefined) record.leftBehind += 1;
    return exchange;
  }

  /** The same attempt, each request of which is taken down. */
  #recording({ send, twin, echo, ...rest }: Attemptable, aim?: Aim): Attemptable {
    const { tokens, recorder } = this.#record;
    const recorded = (sent: Exchange, own?: Aim): Exchange => {
      // First of all: what is recorded may be written at once, under a mask that is to know the token.
      tokens.add(sent.request.parts.token);
      recorder.exchange(sent, own);
      return sent;
    };
    return {
      ...rest,
      send: async (isResent) =>
        recorded(await send(isResent).then((sent) => (isResent ? { ...sent, isResent } : sent)), aim),
      twin: async (withinMs) => recorded(await twin(withinMs)),
      echo: async (withinMs) => recorded(await echo(withinMs)),
    };
  }
}

/** Makes something that checks share under that name: what it costs is not the own cost of the check that makes it. */
export async function sharing<T>(
  target: Target,
  record: TrialRecord,
  name: string,
  make: () => Promise<T>,
): Promise<T> {
  const ownBefore = ownCost(target, record);
  try {
    return await make();
  } finally {
    const made = costWithout(ownCost(target, record), ownBefore);
    record.shares.set(name, sumOfCosts([record.shares.get(name) ?? costBy(() => 0), made]));
  }
}

/** An exchange of which only the start is kept can be made anew all the same. */
function keepDraft({ drafts }: TrialRecord, whole: Exchange, start: Exchange): void {
  const draft = drafts.get(whole);
  if (draft) drafts.set(start, draft);
}

/** Responses of one endpoint and status that a check looks at: the first ones; the others are only counted. */
const mostResponses = 20;
/** Bodies above this are not looked at. */
const mostBodyBytes = 256 * 1024;

/** What was seen before and what the response of an exchange looks like; of no response nothing is seen. */
export function withShape(seen: readonly ObservedShape[], { request, response }: Exchange): readonly ObservedShape[] {
  if (!response) return seen;
  const endpoint = endpointOf(request.method, request.target);
  const { status } = response;
  const before = seen.find((one) => one.endpoint === endpoint && one.status === status);
  const isLookedAt = (before?.responses ?? 0) < mostResponses;
  const look = isLookedAt ? lookOf(response) : { contentTypes: [], fields: [] };
  return mergeObserved([...seen, { endpoint, status, responses: 1, ...look }]);
}

function lookOf(response: Response): Pick<ObservedShape, 'contentTypes' | 'fields'> {
  const contentType = headerOf(response, 'content-type');
  const isSmall = response.rawBody.length <= mostBodyBytes;
  return {
    contentTypes: [mediaType(contentType)],
    fields: isSmall ? [...shapeOf(Buffer.from(textOf(response)), contentType)] : [],
  };
}

/** The content type without its parameters. */
function mediaType(contentType: string | undefined): string {
  if (contentType === undefined) return '(none)';
  try {
    return new MIMEType(contentType).essence;
  } catch {
    return '(malformed)';
  }
}

/** The name of the endpoint that a request is for, of a retired one its method and path; `other` for an unknown one. */
function endpointOf(method: string, target: string): string {
  const called = calledEndpoint(method, target);
  if (!called) return 'other';
  return 'name' in called ? called.name : methodAndPath(called);
}
