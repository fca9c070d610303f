import { setTimeout } from 'node:timers/promises';
import { openReceiver, randomPathName, type Receiver } from './receiver/receiver.ts';
import { acknowledge, type Address, type Answer, type Script, type Delivery } from './receiver/address.ts';
import type { Arrival } from '../trace/exchange.ts';
import { deliveriesOn } from './receiver/shared-deliveries.ts';
import type { Ledger } from './traffic/ledger.ts';
import type { WebhookAddress } from './address.ts';

/** An address of ours that the target calls. */
export interface Inbox {
  readonly url: string;
  /** What has arrived so far, oldest first. */
  arrivals(): readonly Arrival[];
}

/** An address of one check alone, which decides how it answers. */
export interface OwnInbox extends Inbox {
  answerBy(script: Script): void;
  /** What has arrived, with how it was answered and how that ended. */
  deliveries(): readonly Delivery[];
}

/** The address that all checks of a run share. */
interface SharedInbox extends Inbox {
  /** The verification token that is registered with it. */
  readonly token: string;
  /** What has arrived in the whole run as far as this thread knows, before this check began, too. */
  readonly allArrivals: () => readonly Arrival[];
  /** Has the next deliveries that mention that JSON fail, so many times: refused with 500, or as the answer says. */
  refuse(text: string, times: number, answer?: Answer): Promise<void>;
}

/** In the place of a query: an address that has a query alone behind its host, or behind the public address that it is under. */
export const pathless = '?';

/** The inboxes of one check. */
export interface Inboxes {
  /** A new address; `query` is behind it, from the question mark on, or it is `pathless`. */
  open(script?: Script, query?: string): Promise<OwnInbox>;
  /** The same of two that only letter cases in their queries tell apart: they are two addresses all the same. */
  openAlike(scripts: readonly [Script, Script]): Promise<readonly [OwnInbox, OwnInbox]>;
  /** A receiver on a free port, or on that one, once it is free: a check may close it and open it again. */
  openReceiver(port?: number): Promise<Receiver>;
  shared(channel: 'issuance' | 'verification'): SharedInbox | undefined;
  close(): Promise<void>;
}

/** Is told of what arrives at an address that a check has opened. */
export interface ArrivalListener {
  readonly came: (arrival: Arrival) => void;
  /** The same one, once it is decided how it is answered. */
  readonly answered: (arrival: Arrival, answer: Answer) => void;
}

/** The inboxes of a check; nothing is opened before it is asked for. */
export function inboxesAt(address: WebhookAddress, ledger: Ledger, listener: ArrivalListener): Inboxes {
  const receivers: Receiver[] = [];
  let first: Promise<Receiver> | undefined;
  const open = async (port = address.listen.port): Promise<Receiver> => {
    const { publicUrl, publicHost } = address;
    const listen = { host: address.listen.host, port };
    const receiver = await openReceiver({
      listen,
      ...(publicUrl === undefined ? {} : { publicUrl }),
      ...(publicHost === undefined ? {} : { publicHost }),
      onStray: (stray) => ledger.noteStray(stray),
    }).catch((error: unknown) => {
      throw isPortTaken(error) ? portTaken(listen, error) : error;
    });
    receivers.push(receiver);
    return receiver;
  };
  const counted = (script: Script): Script => counting(script, ledger, listener);
  return {
    async open(script = acknowledge, query = '') {
      const receiver = await (first ??= open());
      const name = randomPathName();
      const inbox = receiver.address(counted(script), name);
      const url = query === pathless ? inbox.url.replace(`/${name}`, `?caixa=${name}`) : inbox.url + query;
      return ownInbox(inbox, url, counted);
    },
    async openAlike(scripts) {
      const receiver = await (first ??= open());
      const name = randomPathName();
      const alike = (script: Script, letter: string): OwnInbox => {
        const inbox = receiver.address(counted(script), name + letter);
        const path = `${name}?canal=verifica%C3%A7%C3%A3o&caixa=${name}${letter}`;
        return ownInbox(inbox, new URL(path, inbox.url).href, counted);
      };
      return [alike(scripts[0], 'a'), alike(scripts[1], 'A')];
    },
    async openReceiver(port) {
      const receiver = await (port === undefined ? open() : whenFree(() => open(port)));
      return {
        ...receiver,
        address: (script = acknowledge, pathName) => receiver.address(counting(script, ledger, listener), pathName),
      };
    },
    shared: sharedAt(address),
    async close() {
      await Promise.all(receivers.map((receiver) => receiver.close()));
    },
  };
}

/** So long is waited for a port that was ours: meanwhile the system may have given it to the near end of somebody's connection. */
const freeWithin = { tries: 100, everyMs: 100 };

async function whenFree(open: () => Promise<Receiver>): Promise<Receiver> {
  for (let left = freeWithin.tries; left > 1; left -= 1) {
    const opened = await open().catch((error: unknown) => {
      if (!isPortTaken(error)) throw error;
    });
    if (opened) return opened;
    await setTimeout(freeWithin.everyMs);
  }
  return open();
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

/** Each check opens its receiver anew: between two of them, another program may take the port. */
function portTaken({ host, port }: WebhookAddress['listen'], cause: unknown): Error {
  const told = `NFE_WEBHOOK_LISTEN: port ${port} of ${host} was free when the run began and is in use now; name another port`;
  return Object.assign(new Error(told, { cause }), { code: 'EADDRINUSE' });
}

/** The addresses that all checks of a run share, as a check that begins now sees them. */
function sharedAt({ shared, verificationUrl }: WebhookAddress): Inboxes['shared'] {
  if (!shared) return () => undefined;
  const { arrivals, refuse } = deliveriesOn(shared.channel);
  const before = arrivals().length;
  return (channel) => {
    const url = channel === 'issuance' ? shared.url : verificationUrl;
    if (url === undefined) return undefined;
    const since = (from: number): readonly Arrival[] => {
      const come = arrivals().slice(from);
      return come.filter((arrival) => arrival.channel === channel);
    };
    return { url, token: shared.token, arrivals: () => since(before), allArrivals: () => since(0), refuse };
  };
}

/** An address of a check's own, which is registered as that URL. */
function ownInbox(inbox: Address, url: string, counted: (script: Script) => Script): OwnInbox {
  return {
    url,
    arrivals: () => inbox.deliveries(),
    deliveries: () => inbox.deliveries(),
    answerBy: (next) => inbox.answerBy(counted(next)),
  };
}

/** Counts each arrival in the ledger of the run: one is enough to know that the target reaches us. */
function counting(script: Script, ledger: Ledger, { came, answered }: ArrivalListener): Script {
  return async (arrival, index) => {
    ledger.noteArrival();
    came(arrival);
    const answer = await script(arrival, index);
    answered(arrival, answer);
    return answer;
  };
}
