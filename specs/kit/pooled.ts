import { hash } from 'node:crypto';
import type { Exchange } from '../../trace/exchange.ts';
import { sign, signedRequest, type SignedRequest } from '../../client/sign.ts';
import type { Call, Change } from '../../contract/request.ts';
import type { Run, TargetAddress } from '../../targets/address.ts';
import { revivedExchange } from '../../targets/empresa.ts';
import type { Caller, ClockedCaller } from '../../targets/applications.ts';
import { rightDraft } from '../../targets/fair-send.ts';
import type { Condition } from '../../targets/needs-met.ts';
import type { ApplicationWish } from '../../targets/control.ts';
import type { Target } from '../../targets/target.ts';
import { endpointAt } from '../../contract/endpoints.ts';

/**
 * What checks send that ask for the same answers: a request that one of them has sent is not sent again, the others read its answer. So
 * they call as one application, and nothing may belong to a pool that rests on what was asked just before, or how often.
 */
export type PoolName = 'echoes' | 'refusals' | 'retired paths' | 'probes' | 'documents' | 'lookups';

/** What the checks of a run have in common that belong to a pool. */
interface Common {
  /** The answers so far, by what was asked, with those that are waited for; a promise of none where one says nothing to others. */
  readonly answers: Map<string, Exchange | Promise<Exchange | undefined>>;
  /** The applications that are called as, by what they are like. */
  readonly callers: Map<string, Promise<Caller>>;
  clocked?: Promise<ClockedCaller>;
}

/** The applications as which several checks call. */
export interface CommonCallers {
  readonly caller: (target: Target) => Promise<Caller>;
  readonly callerIn: (target: Target, condition: Condition) => Promise<Caller>;
  /** One made to measure. */
  readonly callerLike: (target: Target, wish: ApplicationWish) => Promise<Caller>;
  /** One on a clock of its own. */
  readonly clocked: (target: Target) => Promise<ClockedCaller>;
  /** Forgets the active ones. */
  readonly renew: () => void;
}

/** A pool, as a check uses it. */
export interface Pool extends CommonCallers {
  /** What its costs are called. */
  readonly name: PoolName;
  readonly answers: Common['answers'];
}

const commonAt = new Map<string, Common>();

/** The pool that a check belongs to; none where one case is repeated. */
export function poolAt(run: Run, name: PoolName | undefined): Pool | undefined {
  if (name === undefined || run.path !== undefined) return undefined;
  return { name, answers: commonOf(run).answers, ...commonCallersAt(run) };
}

/** What sets a run apart in this thread: another target may have stood at the same address before. */
export function placeOf({ name, address, seed }: Run): string {
  return `${name} ${address.baseUrl} ${seed}`;
}

function commonOf(run: Run): Common {
  const { address } = run;
  const place = placeOf(run);
  const common: Common = commonAt.get(place) ?? { answers: new Map(answersIn(address)), callers: new Map() };
  commonAt.set(place, common);
  return common;
}

/** The applications as which the checks of a run call that have none of their own. */
export function commonCallersAt(run: Run): CommonCallers {
  const common = commonOf(run);
  const { callers } = common;
  const commonCaller = async (target: Target, like: string, make: () => Promise<Caller>) => {
    const known = callers.get(like) ?? make();
    callers.set(like, known);
    try {
      const caller = await known;
      // Another check may have made it.
      if (target.address.control) target.hide(caller.appSecret, '$APP_SECRET');
      return caller;
    } catch (error) {
      callers.delete(like);
      throw error;
    }
  };
  return {
    caller: (target) => commonCaller(target, 'active', async () => ({ ...(await target.caller()), isCommon: true })),
    async clocked(target) {
      common.clocked ??= target.clockedCaller();
      try {
        const caller = await common.clocked;
        target.hide(caller.appSecret, '$APP_SECRET');
        return target.joined({ ...caller, isCommon: true });
      } catch (error) {
        delete common.clocked;
        throw error;
      }
    },
    renew() {
      callers.delete('active');
      delete common.clocked;
    },
    callerIn: (target, condition) => commonCaller(target, condition, () => target.callerIn(condition)),
    callerLike: (target, wish) => commonCaller(target, JSON.stringify(wish), () => target.chosenCaller(wish)),
  };
}

/** A moment that stands for any: what is equal there differs in nothing but its time. */
const anyMoment = 1_000_000_000;

/** What is asked by a call after its changes, whenever it is. */
export function questionOf(target: Target, caller: Caller, call: Call, changes: readonly Change[]): string {
  const draft = rightDraft(target, { ...caller, now: () => anyMoment }, call);
  return questionIn(signedRequest(changes.reduce((before, change) => change(before), draft)));
}

function questionIn({ method, target: asked, headers, rawBody, transfer }: SignedRequest): string {
  const head = JSON.stringify([method, asked, headers, transfer ?? '']);
  return hash('sha256', Buffer.concat([Buffer.from(head), rawBody ?? Buffer.alloc(0)]));
}

/** What the examination of a target has asked rightly, as a check would ask it. */
function answersIn({ asked = [] }: TargetAddress): [string, Exchange][] {
  return asked
    .map(revivedExchange)
    .filter(isWorthReading)
    .map((exchange) => {
      const { request } = exchange;
      const timestamp = String(anyMoment);
      const values = new Map([
        ['timestamp', timestamp],
        ['sign', sign({ ...request.parts, timestamp })],
      ]);
      const headers = request.headers.map(([name, value]) => [name, values.get(name) ?? value] as const);
      return [questionIn({ ...request, headers }), exchange];
    });
}

/** Bytes of an answer that is kept for others. */
const mostBytes = 64 * 1024;

/** Whether an answer tells others as much as it told who asked first: it came whole, at once, and is what the service says. */
export function isWorthReading({ response, isResent, isLate }: Exchange): boolean {
  if (!response || isResent || isLate) return false;
  return response.status < 500 && response.status !== 429 && response.rawBody.length <= mostBytes;
}

/** Of so many flawed requests of a kind whose twins have passed, one more gets a twin of its own. */
const oneIn = 32;
/** How long what has passed shows that its kind passes. */
const shownForMs = 300_000;

/** What is drawn for a flawed request: whether it gets a twin of its own, and whether that goes out after it. */
interface TwinDraw {
  readonly isDue: boolean;
  readonly isLast: boolean;
}

/** A call as it is to be, and who sends it. */
interface Untouched {
  readonly caller: Caller;
  readonly call: Call;
}

/** When untouched calls of a kind have passed, at whichever target and in whichever check. */
const passedAtMs = new Map<string, number>();

/** Untouched calls that have passed of late: one of them serves the flawed ones of its kind for a while. */
export class Twins {
  readonly #baseUrl: string;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** Notes that an untouched call has passed. */
  notePassed(untouched: Untouched): void {
    passedAtMs.set(this.#kindOf(untouched), performance.now());
  }

  /**
   * Draws by a text what to do beside a flawed call of that kind. The order is drawn so that of a server of several nodes none gets only the one
   * kind; a twin is due where none of its kind has passed of late, and else for one in 32, so that what changes is noticed.
   */
  drawn(text: string, untouched: Untouched): TwinDraw {
    const [order = 0, share = 0] = hash('sha256', text, 'buffer');
    const passedMs = passedAtMs.get(this.#kindOf(untouched)) ?? -Infinity;
    const isShown = performance.now() - passedMs < shownForMs;
    return { isDue: !isShown || share % oneIn === 0, isLast: order % 2 === 0 };
  }

  /** Who calls which endpoint with what kind of body, sent in which way. */
  #kindOf({ caller, call }: Untouched): string {
    const { method, path, contentType, transfer } = call;
    const name = endpointAt(method, path)?.name ?? path;
    return [this.#baseUrl, caller.appSecret, method, name, contentType, transfer].join('\n');
  }
}
