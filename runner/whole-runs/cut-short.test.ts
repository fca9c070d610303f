import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { referenceRules, type Rules } from '../../simulator/rules/rules.ts';
import { mortalServer, type MortalServer, blackHole } from '../../targets/testing/server.ts';
import {
  during,
  mutantRules,
  passOn,
  startNpmTest,
  withForeign,
  type Ended,
  type Going,
  ofTopics,
  clausesThat,
  withServer,
} from '../testing/runs.ts';

interface Stage {
  readonly run: Going;
  readonly proxy: MortalServer;
  /** Requests that came to the target so far. */
  readonly requests: () => number;
}

/** The suite against a server behind one that can be killed. */
async function onStage(
  rules: Rules,
  more: Record<string, string>,
  words: readonly string[],
  play: (stage: Stage) => Promise<void>,
): Promise<Ended> {
  return withForeign(rules, async (settings) => {
    let requests = 0;
    const onward = passOn(settings['NFE_BASE_URL'] ?? '');
    const counting: RequestListener = (incoming, outgoing) => {
      requests += 1;
      onward(incoming, outgoing);
    };
    const proxy = await mortalServer(counting);
    const run = startNpmTest({ ...settings, NFE_BASE_URL: proxy.baseUrl, NFE_NUM_RUNS: '3', ...more }, ...words);
    try {
      await play({ run, proxy, requests: () => requests });
      return await run.ended;
    } finally {
      proxy.kill();
    }
  });
}

const someTopics = ofTopics('echo', 'token', 'timestamp', 'required-headers', 'envelope');

describe.concurrent('a target that dies in the middle of a run', () => {
  test('leaves what was judged, the rest not exercised, one line that says why, and status 2, soon', async () => {
    let killedMs = 0;
    const ended = await onStage(referenceRules, {}, someTopics, async ({ run, proxy, requests }) => {
      await during(run, () => requests() > 60);
      proxy.kill();
      killedMs = Date.now();
    });
    const { results, stderr, status } = ended;
    expect(stderr).toMatch(
      /^error: target lost at \d\d:\d\d:\d\d UTC after \d+ requests: no response \(.*\); [1-9]\d* of \d+ clauses were judged before: see whether .*\n$/,
    );
    expect([status, results?.verdict, clausesThat(ended, 'failed')]).toEqual([2, 'error', []]);
    expect(clausesThat(ended, 'passed')).not.toEqual([]);
    const open = results?.clauses.filter(({ verdict }) => verdict === 'not-exercised') ?? [];
    for (const { reason } of open) expect(reason).toMatch(/^target lost at |^needs /);
    const endMs = Date.parse(results?.startedAt ?? '') + (results?.durationMs ?? 0);
    expect(endMs - killedMs).toBeLessThan(45_000);
  });

  test('after it was seen to break a must clause is nonconformant, and the line is a warning', async () => {
    const rules = mutantRules('retirement.code-10009011');
    // Its topic is among those that are judged first: the run has as much before it as behind it when the failure is printed.
    const topics = [...someTopics, '--topic', 'retirement', '--topic', 'language'];
    const ended = await onStage(rules, { NFE_NUM_RUNS: '20' }, topics, async ({ run, proxy }) => {
      await during(run, () => run.printed().includes('retirement.gone'));
      proxy.kill();
    });
    expect(ended.stderr).toMatch(/^warning: target lost at .* clauses were judged before: see whether/m);
    expect([ended.status, ended.results?.verdict]).toEqual([1, 'nonconformant']);
    expect(new Set(clausesThat(ended, 'failed').map((id) => id.split('.')[0]))).toEqual(new Set(['retirement']));
  });

  test('and is up again after ten seconds is waited for, and no clause fails or stays open for it', async () => {
    const ended = await onStage(referenceRules, {}, someTopics, async ({ run, proxy, requests }) => {
      await during(run, () => requests() > 60);
      proxy.kill();
      setTimeout(() => void proxy.startAgain(), 10_000);
    });
    expect([clausesThat(ended, 'failed'), ended.status]).toEqual([[], 0]);
    expect(ended.everything).not.toContain('target lost');
    expect(ended.everything).not.toContain('target unavailable');
  });
});

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
