import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';
import { costBy, costKinds, type Cost } from '../../contract/endpoints.ts';
import { passedOn, type Ended, type Passed } from './runs.ts';

/** What a wire does to the requests that go over it: rates from 0 to 1, times in milliseconds. */
export interface Faults {
  /** Connections that are broken, half of them before the request has got there and half when its answer is ready. */
  readonly resets: number;
  /** Answers that are held back, and for how long. */
  readonly slow: number;
  readonly slowMs: number;
  /** Bursts in which everything gets 503: how long they take, at least and at most, and how long it is quiet between. */
  readonly burstMs: readonly [number, number];
  readonly quietMs: readonly [number, number];
}

/** What a wire is to be that a right server is behind, and that fails no clause of it. */
export const noise: Faults = {
  resets: 0.05,
  slow: 0.1,
  slowMs: 5_000,
  burstMs: [2_000, 6_000],
  quietMs: [20_000, 60_000],
};

/** How often each of them was done. */
export interface Done {
  resets: number;
  slow: number;
  unavailable: number;
}

/** A wire to that server which does so, by a seed; counts what it has done. */
export function noisyWire(baseUrl: string, seed: number, faults: Faults, done: Done): RequestListener {
  const draw = drawsOf(seed);
  const between = ([low, high]: readonly [number, number]): number => low + draw() * (high - low);
  let quietUntilMs = Date.now() + between(faults.quietMs);
  let burstUntilMs = quietUntilMs + between(faults.burstMs);
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const rawBody = await buffer(incoming);
    const nowMs = Date.now();
    if (nowMs > burstUntilMs) {
      quietUntilMs = nowMs + between(faults.quietMs);
      burstUntilMs = quietUntilMs + between(faults.burstMs);
    }
    if (nowMs > quietUntilMs) {
      done.unavailable += 1;
      outgoing.writeHead(503).end();
      return;
    }
    const [isReset, isSoon, isSlow] = [draw() < faults.resets, draw() < 0.5, draw() < faults.slow];
    if (isReset) done.resets += 1;
    if (isReset && isSoon) return void incoming.socket.destroy();
    const answer = await passedOn(baseUrl, incoming, rawBody);
    if (isReset) return void incoming.socket.destroy();
    if (isSlow) done.slow += 1;
    if (isSlow) await new Promise((resolve) => setTimeout(resolve, faults.slowMs));
    give(outgoing, answer);
  };
  return listenerOf(serve);
}

/** A wire that gives a wrong body to the right answers of some requests, at that rate by a seed; counts how often it did. */
export function wrongWire(
  baseUrl: string,
  {
    seed,
    rate,
    isMeant,
    body,
  }: { seed: number; rate: number; isMeant: (incoming: IncomingMessage) => boolean; body: string },
  count: () => void,
): RequestListener {
  const draw = drawsOf(seed);
  return listenerOf(async (incoming, outgoing) => {
    const answer = await passedOn(baseUrl, incoming, await buffer(incoming));
    const isWrong = answer.status === 200 && isMeant(incoming) && draw() < rate;
    if (isWrong) count();
    give(outgoing, isWrong ? { ...answer, body: Buffer.from(body) } : answer);
  });
}

function listenerOf(serve: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>): RequestListener {
  return (incoming, outgoing) => void serve(incoming, outgoing).catch(() => outgoing.destroy());
}

function give(outgoing: ServerResponse, { status, headers, body }: Passed): void {
  outgoing.writeHead(status, headers).end(body);
}

/** Numbers from 0 to 1 that look random, the same ones for the same seed. */
function drawsOf(seed: number): () => number {
  let state = ((seed * 7919) % 2_147_483_646) + 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** What a run said beforehand that it would send and leave behind. */
function announcedIn({ stdout }: Pick<Ended, 'stdout'>): Cost {
  const sent = /^About ([\d,]+) requests?/m.exec(stdout)?.[1];
  const words = leftIn(stdout).split(/[ ()]/);
  const countOf = (noun: string): number => {
    const at = words.findIndex((word) => word.startsWith(noun));
    return Number(words[at - 1]?.replaceAll(',', '') ?? 0);
  };
  const companies = countOf('compan');
  const certificates = countOf('certificate');
  return {
    requests: Number(sent?.replaceAll(',', '')),
    companies,
    // Only told where it is another number.
    certificates: words.some((word) => word.startsWith('certificate')) ? certificates : companies,
    addresses: countOf('address'),
    invoices: countOf('invoice'),
    cancellations: countOf('cancelled'),
  };
}

function leftIn(stdout: string): string {
  const start = 'It leaves at the target about ';
  const line = stdout.split('\n').find((one) => one.startsWith(start)) ?? '';
  return line.slice(start.length).split(';', 1)[0] ?? '';
}

/** What a run has sent and left behind, as its results say. */
function spentIn({ results }: Pick<Ended, 'results'>): Cost {
  return costBy((kind) => (kind === 'requests' ? results?.requests : results?.sideEffects?.[kind]) ?? NaN);
}

/** Fails unless what was announced was within 15 % of what was then sent, or that share of it; of a small count, within one. */
export function expectAsAnnounced(ended: Ended, most = 0.15): void {
  const [announced, spent] = [announcedIn(ended), spentIn(ended)];
  const off = costKinds.filter((kind) => Math.abs(announced[kind] - spent[kind]) > Math.max(1, spent[kind] * most));
  const hint = 'npm run costs measures anew what checks cost';
  expect(off, `announced ${JSON.stringify(announced)}, sent ${JSON.stringify(spent)}: ${hint}`).toEqual([]);
}
