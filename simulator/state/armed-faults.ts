import { hash } from 'node:crypto';
import type { AnswerFault, DeliveryFault, FaultWish } from '../../schemas/faults-on-demand.ts';

/** A fault that waits for something to strike. */
interface ArmedFault {
  readonly wish: FaultWish;
  /** How often it strikes yet; null: without end. */
  readonly times: number | null;
  /** Until when it is armed, in Unix milliseconds on the application's clock; null: until it has struck. */
  readonly untilMs: number | null;
}

/** Something that a fault may strike: a request at an endpoint, or an event of a channel. */
interface Struck<Kind extends AnswerFault | DeliveryFault> {
  /** The faults that there are for it. */
  readonly kinds: Readonly<Record<Kind, { readonly delaySeconds: number }>>;
  /** Endpoint or channel. */
  readonly on: string;
  readonly path: string;
  readonly rawBody: Buffer;
}

/** What is done to it. */
export interface Strike<Kind> {
  readonly kind: Kind;
  readonly delaySeconds: number;
}

/** The faults that are armed, by application. In memory only: a restart disarms them all. */
export class ArmedFaults {
  readonly #armed = new Map<string, readonly ArmedFault[]>();
  /** What has been struck by the words in it, and is not to be again; the oldest first. */
  readonly #stricken = new Set<string>();

  /** Arms these at an application, in place of those that it had. */
  arm(appKey: string, wishes: readonly FaultWish[], nowMs: number): void {
    const armed = wishes.map((wish): ArmedFault => {
      const { seconds, times = seconds === undefined ? 1 : null } = wish;
      return { wish, times, untilMs: seconds === undefined ? null : nowMs + Math.round(seconds * 1000) };
    });
    this.#keep(appKey, armed);
  }

  /** Those of an application that are armed at that time on its clock. */
  armedAt(appKey: string, nowMs: number): readonly ArmedFault[] {
    const all = this.#armed.get(appKey);
    if (!all) return [];
    const armed = all.filter(({ untilMs }) => untilMs === null || nowMs < untilMs);
    this.#keep(appKey, armed);
    return armed;
  }

  /** The App Keys of applications at which something was armed. */
  appKeys(): string[] {
    return [...this.#armed.keys()];
  }

  /** What strikes a request or an event: the first armed fault that fits, or the one that its body asks for, once. */
  strike<Kind extends AnswerFault | DeliveryFault>(
    appKey: string,
    struck: Struck<Kind>,
    nowMs: number,
  ): Strike<Kind> | undefined {
    const armed = this.armedAt(appKey, nowMs);
    for (const [at, one] of armed.entries()) {
      const { wish, times } = one;
      const kind = kindsOf(struck).find((name) => name === wish.kind);
      if (kind === undefined || !fits(wish, struck)) continue;
      const left = times === null ? [one] : times > 1 ? [{ ...one, times: times - 1 }] : [];
      this.#keep(appKey, [...armed.slice(0, at), ...left, ...armed.slice(at + 1)]);
      return { kind, delaySeconds: wish.delaySeconds ?? struck.kinds[kind].delaySeconds };
    }
    return this.#asked(appKey, struck);
  }

  #asked<Kind extends AnswerFault | DeliveryFault>(appKey: string, struck: Struck<Kind>): Strike<Kind> | undefined {
    const { kinds, on, path, rawBody } = struck;
    const at = rawBody.indexOf(trigger);
    if (at < 0) return undefined;
    const said = rawBody.subarray(at + trigger.length);
    const kind = kindsOf(struck).find((name) => said.subarray(0, name.length).equals(Buffer.from(name)));
    const key = `${appKey} ${on} ${path} ${hash('sha256', rawBody)}`;
    if (kind === undefined || this.#stricken.has(key)) return undefined;
    const [oldest] = this.#stricken;
    if (oldest !== undefined && this.#stricken.size >= mostStricken) this.#stricken.delete(oldest);
    this.#stricken.add(key);
    return { kind, delaySeconds: kinds[kind].delaySeconds };
  }

  #keep(appKey: string, armed: readonly ArmedFault[]): void {
    if (armed.length > 0) this.#armed.set(appKey, armed);
    else this.#armed.delete(appKey);
  }
}

/** Before the name of a fault in a body, it asks for that fault. */
const trigger = 'SIMULAR-FALHA-';
const mostStricken = 10_000;

function kindsOf<Kind extends AnswerFault | DeliveryFault>({ kinds }: Struck<Kind>): Kind[] {
  return Object.keys(kinds).filter((name): name is Kind => name in kinds);
}

function fits(wish: FaultWish, struck: { on: string; path: string; rawBody: Buffer }): boolean {
  const { contains } = wish;
  const on = 'endpoint' in wish ? wish.endpoint : 'channel' in wish ? wish.channel : undefined;
  if (on !== undefined && on !== struck.on) return false;
  return contains === undefined || struck.path.includes(contains) || struck.rawBody.includes(contains);
}
