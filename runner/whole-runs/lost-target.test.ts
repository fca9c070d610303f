import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { referenceRules, type Rules } from '../../simulator/rules/rules.ts';
import { mortalServer, type MortalServer } from '../../targets/testing/server.ts';
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
    expect(endMs - killedMs).toBeLessThan(30_000);
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

  test('and is up again after three seconds is waited for, and no clause fails or stays open for it', async () => {
    const ended = await onStage(referenceRules, {}, someTopics, async ({ run, proxy, requests }) => {
      await during(run, () => requests() > 60);
      proxy.kill();
      setTimeout(() => void proxy.startAgain(), 3_000);
    });
    expect([clausesThat(ended, 'failed'), ended.status]).toEqual([[], 0]);
    expect(ended.everything).not.toContain('target lost');
    expect(ended.everything).not.toContain('target unavailable');
  });
});
