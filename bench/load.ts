import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgeLines } from '../judge/tally.ts';
import { readParts } from '../runner/judging/trace-file.ts';
import type { Exchange } from '../trace/exchange.ts';
import { pathCall, xmlCall } from '../generators/calls.ts';
import { ownCallbacks } from '../specs/kit/callbacks.ts';
import { cancel, danfeLinkOf, issue, issuerOf, query, statusOf, xmlLinkOf } from '../specs/kit/life-cycle.ts';
import { median, addressOf, openTrial, serve } from './measure.ts';

/** What a load came to. */
export interface LoadReport {
  readonly lifeCycles: number;
  readonly requests: number;
  readonly deliveries: number;
  /** Milliseconds from request to answer. */
  readonly medianMs: number;
  readonly p99Ms: number;
  /** Memory of the simulator in MiB: after a third of the time, and at its end. */
  readonly memory: { readonly early: number; readonly end: number };
  /** Answers with 5xx, and requests without one. */
  readonly failures: number;
  /** Clauses that the suite's judge saw broken, each with how often and how. */
  readonly broken: readonly string[];
  /** Clauses that it saw kept. */
  readonly held: number;
}

/**
 * So many integrators at a time, each with a company and a callback address of its own, go through life cycles of invoices at a
 * simulator in a process of its own, for so long; then the suite's judge goes over the trace of it all.
 */
export async function underLoad(integrators: number, seconds: number): Promise<LoadReport> {
  const folder = mkdtempSync(join(tmpdir(), 'nfe-bench-'));
  const parts = join(folder, 'parts');
  mkdirSync(parts);
  // On a data file: in memory every invoice would stay there.
  const simulator = await serve('simulator', join(folder, 'simulator.db'));
  const memory = async (): Promise<number> => (await simulator.usage()).memoryBytes / 2 ** 20;
  try {
    const tookMs: number[] = [];
    let [lifeCycles, failures] = [0, 0];
    const took = (exchange: Exchange): Exchange => {
      tookMs.push(exchange.durationMs);
      failures += (exchange.response?.status ?? 500) >= 500 ? 1 : 0;
      return exchange;
    };
    const atMs = performance.now() + seconds * 1000;
    const early = new Promise<number>((resolve) => setTimeout(() => resolve(memory()), (seconds * 1000) / 3));
    await Promise.all(
      Array.from({ length: integrators }, async (_, at) => {
        const trial = openTrial(addressOf(simulator), `load-${at}`, { directory: parts, key: 'bench' });
        const live = await integrator(trial.t, took);
        for (let cycle = at; performance.now() < atMs; cycle++) {
          await live(cycle);
          lifeCycles += 1;
          trial.startAnew();
        }
        await trial.close();
      }),
    );
    const end = await memory();
    const lines = readParts(parts);
    const judged = [...judgeLines(lines, () => false)];
    const broken = judged.filter(([, tally]) => tally.broken > 0);
    return {
      lifeCycles,
      requests: tookMs.length,
      deliveries: lines.filter(({ kind }) => kind === 'delivery').length,
      medianMs: median(tookMs),
      p99Ms: tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length * 0.99)] ?? 0,
      memory: { early: await early, end },
      failures,
      broken: broken.map(([clause, { broken: times, ways }]) => `${clause}, ${times} times: ${ways[0]?.actual ?? ''}`),
      held: judged.filter(([, { held }]) => held > 0).length,
    };
  } finally {
    await simulator.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type OpenedTrial = ReturnType<typeof openTrial>['t'];

/** One who issues: gives what its next life cycle does. */
async function integrator(
  t: OpenedTrial,
  took: (exchange: Exchange) => Exchange,
): Promise<(cycle: number) => Promise<void>> {
  const issuer = await issuerOf(t);
  const { caller } = issuer;
  await ownCallbacks(t, caller);
  const advance = async (seconds: number): Promise<void> => {
    if ('advance' in caller) await caller.advance(seconds);
  };
  return async (cycle) => {
    const outcome = cycle % 5 === 4 ? 'Negada' : 'Autorizada';
    const { nfeId, exchange } = await issue(t, issuer, { outcome });
    took(exchange);
    took(await query(t, issuer, nfeId));
    await advance(10);
    const settled = took(await query(t, issuer, nfeId));
    const xmlLink = xmlLinkOf(settled);
    if (statusOf(settled) !== 'Autorizada' || xmlLink === undefined) return;
    const xml = took(await t.download(xmlLink));
    if (cycle % 10 === 0) took(await t.download(String(danfeLinkOf(settled))));
    if (cycle % 3 === 0) took(await cancel(t, issuer, nfeId));
    took(await t.send(caller, xmlCall(String(xml.response?.rawBody), 'application/xml')));
    const chave = /Id="NFe(\d{44})"/.exec(String(xml.response?.rawBody))?.[1] ?? '';
    took(await t.send(caller, pathCall('chave-lookup', { chave })));
    took(await query(t, issuer, nfeId));
    await advance(60);
  };
}
