import type { IncomingMessage, RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { referenceRules } from '../../simulator/rules/rules.ts';
import { npmTestWithin, withServer, withSteered, type Ended, ofTopics, clausesThat } from '../testing/runs.ts';
import { noise, noisyWire, wrongWire, type Done } from '../testing/wires.ts';

/** Runs of everything behind a noisy wire; none unless `NOISY_RUNS` says how many. */
const runs = Number(process.env['NOISY_RUNS'] ?? 0);
/** They wait more than they work. */
const runsAtOnce = 10;
/** How long one of them may take: half an hour where nothing else runs. */
const mostMs = 2 * 60 * 60_000;

/** The suite with as many cases as a sandbox gets, against the right simulator, its control API included, behind a wire. */
function over(wireTo: (baseUrl: string) => RequestListener, seed: number, ...words: string[]): Promise<Ended> {
  return withSteered(referenceRules, (settings) =>
    withServer(wireTo(settings.NFE_BASE_URL), (wired) =>
      npmTestWithin(mostMs, { ...settings, NFE_NUM_RUNS: '10', NFE_SEED: String(seed), NFE_BASE_URL: wired }, words),
    ),
  );
}

/** What a run behind a noisy wire accuses, and what the wire did. */
async function accusedBehindNoise(seed: number, faults: typeof noise, ...words: string[]) {
  const done: Done = { resets: 0, slow: 0, unavailable: 0 };
  const ended = await over((baseUrl) => noisyWire(baseUrl, seed, faults, done), seed, ...words);
  if (!ended.results || ended.status === 2)
    throw new Error(`seed ${seed} judged nothing: ${ended.stdout.slice(-1200)}`);
  const accused = ended.results.clauses
    .filter(({ verdict }) => verdict === 'failed' || verdict === 'warned')
    .flatMap(({ id, checks }) =>
      checks.flatMap(({ error }) => (error ? [`${id}: ${error.expected}, ${error.actual}`] : [])),
    );
  return { seed, accused, open: clausesThat(ended, 'not-exercised').length, verdict: ended.results.verdict, done };
}

describe.concurrent('a network that breaks connections, answers 503 for a while and is slow', () => {
  test('fails no clause of a right server', async () => {
    const faults = { ...noise, slowMs: 500, burstMs: [1_000, 2_000] as const, quietMs: [4_000, 8_000] as const };
    const topics = ofTopics('nfe-cancellation', 'token');
    const { accused, done } = await accusedBehindNoise(1, faults, ...topics);
    expect(accused).toEqual([]);
    expect([done.resets, done.slow, done.unavailable].every((count) => count > 0)).toBe(true);
  });

  test.runIf(runs > 0)(
    'fails none in any of many runs of everything',
    async () => {
      const seeds = Array.from({ length: runs }, (_, at) => at + 1).values();
      const worker = async (): Promise<void> => {
        for (const seed of seeds) {
          const seen = await accusedBehindNoise(seed, noise);
          console.log(JSON.stringify(seen));
          expect.soft(seen.accused, `seed ${seed}`).toEqual([]);
        }
      };
      await Promise.all(Array.from({ length: runsAtOnce }, worker));
    },
    24 * 3_600_000,
  );
});

describe.concurrent('a server that answers {} to some cancellations', () => {
  test('fails clauses of cancellations, and is not called flaky for it', async () => {
    const seed = 2;
    let wrong = 0;
    const isMeant = ({ method }: IncomingMessage): boolean => method === 'DELETE';
    const ended = await over(
      (baseUrl) => wrongWire(baseUrl, { seed, rate: 0.1, isMeant, body: '{}' }, () => (wrong += 1)),
      seed,
      ...ofTopics('nfe-cancellation'),
    );
    const failed = clausesThat(ended, 'failed');
    expect([wrong > 0, failed]).toEqual([true, ['nfe-cancellation.empty-body']]);
    const flaky = ended.results?.clauses.flatMap(({ checks }) => checks.flatMap((check) => check.flaky ?? []));
    expect(flaky).toEqual([]);
    expect(ended.status).toBe(1);
  });
});
