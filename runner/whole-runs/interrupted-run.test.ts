import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { referenceRules } from '../../simulator/rules/rules.ts';
import { blackHole } from '../../targets/testing/server.ts';
import {
  during,
  passOn,
  startNpmTest,
  withForeign,
  withServer,
  type Ended,
  type Going,
  ofTopics,
} from '../testing/runs.ts';

/** How long an interrupted run may take to report, on a busy machine: whoever waited for the rest would take longer. */
const mostMs = 25_000;

// That other signals do the same runner/run/interruption.test.ts tells.
const signal = 'SIGINT';

/** Sends the signal, and tells how the run ended and after how many milliseconds. */
async function interrupted(run: Going): Promise<{ ended: Ended; ms: number }> {
  const started = performance.now();
  run.kill(signal);
  return { ended: await run.ended, ms: performance.now() - started };
}

const reports = ['results.json', 'index.html', 'junit.xml', 'summary.md', 'ctrf.json', 'badge.json'];

function isReported({ status, stdout, stderr, results }: Ended): void {
  for (const report of reports) expect(stdout).toContain(report);
  expect(stderr).toMatch(/^error: interrupted \(SIGINT\) after \d+ of \d+ clauses were judged: /m);
  expect([status, results?.verdict]).toEqual([2, 'error']);
}

/** So many checks that they are under way when the signal comes. */
const words = ofTopics('echo', 'token', 'signature');

describe.concurrent('SIGINT', () => {
  test('while the preflight waits for an answer ends the run with reports that judge nothing', async () => {
    let requests = 0;
    const listener: RequestListener = (incoming, outgoing) => {
      requests += 1;
      blackHole(incoming, outgoing);
    };
    await withServer(listener, async (baseUrl) => {
      const run = startNpmTest({ NFE_BASE_URL: baseUrl, NFE_APP_SECRET: 'a-secret' });
      await during(run, () => requests > 0);
      const { ended, ms } = await interrupted(run);
      isReported(ended);
      expect(ended.results?.counts).toMatchObject({ passed: 0, failed: 0 });
      const reasons = new Set(
        ended.results?.clauses.map(({ verdict, reason }) => verdict === 'not-exercised' && reason),
      );
      expect([...reasons].filter(Boolean)).toEqual(['the run was interrupted before its check ended']);
      expect(ms).toBeLessThan(mostMs);
    });
  });

  test('while a sandbox is judged keeps what was judged, and does not wait for the rest', async () => {
    await withForeign(referenceRules, async (settings) => {
      let requests = 0;
      const onward = passOn(settings['NFE_BASE_URL'] ?? '');
      const counting: RequestListener = (incoming, outgoing) => {
        requests += 1;
        // From here on nobody answers: a run that waited for its checks would take half a minute.
        (requests > 150 ? blackHole : onward)(incoming, outgoing);
      };
      await withServer(counting, async (baseUrl) => {
        const run = startNpmTest({ ...settings, NFE_BASE_URL: baseUrl, NFE_NUM_RUNS: '2' }, ...words);
        await during(run, () => requests > 150);
        const { ended, ms } = await interrupted(run);
        isReported(ended);
        expect(ended.results?.counts.passed).toBeGreaterThan(0);
        expect(ended.results?.counts.failed).toBe(0);
        expect(ended.results?.counts.notExercised).toBeGreaterThan(0);
        expect(ms).toBeLessThan(mostMs);
      });
    });
  });

  test('while the embedded simulator is judged ends the run with its reports', async () => {
    const run = startNpmTest({ NFE_NUM_RUNS: '1000' }, ...words);
    await during(run, () => / of \d+ must clauses/.test(run.printed()));
    const { ended, ms } = await interrupted(run);
    isReported(ended);
    expect(ms).toBeLessThan(mostMs);
  });
});
