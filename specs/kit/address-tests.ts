import type { Inbox, OwnInbox } from '../../targets/inbox.ts';
import type { Script } from '../../targets/receiver/address.ts';
import { type Arrival, textOf } from '../../trace/exchange.ts';
import type { Trial } from './trial.ts';

/** A time in which an address is registered. Epoch milliseconds. */
interface Span {
  readonly fromMs: number;
  toMs: number;
}

/** When addresses of ours were registered, by whomever. */
const registrations = new Map<unknown, readonly Span[]>();

/** Registers an address, and notes when. */
export async function whileRegistering<T>(url: unknown, register: () => Promise<T>): Promise<T> {
  const span: Span = { fromMs: Date.now(), toMs: Infinity };
  registrations.set(url, [...(registrations.get(url) ?? []), span]);
  try {
    return await register();
  } finally {
    span.toMs = Date.now();
  }
}

/**
 * Whether that tests an address and is no callback: the contract has a test where an address for verdicts is saved, and is silent about
 * one where callbacks are to come. It is called a test, or tells of no invoice and comes while the address is registered. Section 6.5.
 */
function isTest(url: string, arrival: Arrival): boolean {
  const text = textOf(arrival);
  if (text.includes('"webhook.verify"') || arrival.headers.some(([, value]) => value === 'webhook.verify')) return true;
  const spans = registrations.get(url) ?? [];
  const isMeanwhile = spans.some(({ fromMs, toMs }) => arrival.arrivedAtMs >= fromMs && arrival.arrivedAtMs <= toMs);
  return isMeanwhile && !/"nfe[A-Z]/.test(text);
}

/** Addresses that were tested. */
const tested = new Set<string>();

/** Whether the target tests an address of ours as it is registered for callbacks: whoever registers it, by that application's secret and clock. */
export function wasTested({ url }: Inbox): boolean {
  return tested.has(url);
}

/** A new address for callbacks: what tests it is taken, and not told of to its script, nor among what arrives. */
export async function openForCallbacks(t: Trial, script: Script, query?: string): Promise<OwnInbox> {
  const inbox = await t.target.inboxes.open(script, query);
  let tests = 0;
  const sparing =
    (next: Script): Script =>
    (arrival, index) => {
      if (!isTest(inbox.url, arrival)) return next(arrival, index - tests);
      tests += 1;
      tested.add(inbox.url);
      return { status: 200 };
    };
  const withoutTests = <T extends Arrival>(arrivals: readonly T[]): readonly T[] =>
    arrivals.filter((arrival) => !isTest(inbox.url, arrival));
  inbox.answerBy(sparing(script));
  return {
    url: inbox.url,
    arrivals: () => withoutTests(inbox.arrivals()),
    deliveries: () => withoutTests(inbox.deliveries()),
    answerBy: (next) => inbox.answerBy(sparing(next)),
  };
}
