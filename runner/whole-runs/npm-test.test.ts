import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../testing/folders.ts';
import { answering } from '../testing/troubles/front.ts';
import {
  type Ended,
  mutantRules,
  npmTest,
  startNpmTest,
  withForeign,
  withServer,
  withSteered,
  ofTopics,
  ofClauses,
} from '../testing/runs.ts';

/** The words of a command as a shell reads them. */
function wordsOf(command: string): string[] {
  return execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
}

/** Clauses on when a delivery is tried again, one of each channel. */
const retried = ['webhook-delivery.retry-delays', 'webhook-delivery.issuance-retried'];

// That a whole run against it is conformant and complete is what `npm run verify` makes one for.
describe.concurrent('the embedded target', () => {
  let started: Promise<Ended> | undefined;
  const words = [
    ...ofTopics('signature'),
    ...ofClauses('nfe-issuance.both-ambientes', 'nfe-issuance.ambiente-known', ...retried),
  ];
  const run = (): Promise<Ended> => (started ??= startNpmTest({ NFE_NUM_RUNS: '1' }, ...words).ended);

  test('is conformant: exit 0, every must clause exercised, every report written', async () => {
    const { status, stdout, results } = await run();
    expect(status).toBe(0);
    expect(results?.verdict).toBe('conformant');
    expect(results?.clauses.filter(({ verdict }) => verdict === 'not-exercised')).toEqual([]);
    expect(stdout).toMatch(/Conformant, as far as asked for .*: all \d+ must clauses passed/);
    expect(results).toMatchObject({ counts: { withheld: 0 } });
    expect(stdout).toMatch(/Time: .* specs .* reports/);
  });

  test('keeps a sample of what passed: the last exchange or delivery of each check, and how many there were', async () => {
    const { results } = await run();
    const checks = results?.clauses.filter(({ id }) => id.startsWith('signature.')).flatMap((clause) => clause.checks);
    expect(checks?.length).toBeGreaterThan(20);
    for (const { name, exchanges = [], exchangesMade = 0, cases } of checks ?? []) {
      expect(exchanges, name).toHaveLength(1);
      expect(exchangesMade, name).toBeGreaterThanOrEqual(cases);
    }
  });

  test('seeks the secrets of the applications that its checks made, too, and finds none', async () => {
    const { everything } = await run();
    expect(Number(/searched for ([\d,]+)</.exec(everything)?.[1]?.replace(',', ''))).toBeGreaterThan(40);
  });

  test('tells its progress through a pipe in whole lines without escape sequences, before the summary', async () => {
    const { stdout } = await run();
    expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
    const lines = stdout.slice(0, stdout.search(/^[\d-]{10} [\d:]{8} UTC {2}/m)).split('\n');
    expect(lines[0]).toMatch(/^0 of \d+ must clauses, /);
    expect(lines.at(-1)).toBe('');
    for (const line of lines.slice(0, -1)) {
      expect(line).toMatch(/^\d+ of \d+ must clauses, [\d,]+ requests?, (?:\d+ min )?\d+ s(?:, about [^,]+ left)?$/);
    }
  });

  test('has the retries of both channels in the results, as they were seen on the moved clock', async () => {
    const { results } = await run();
    const ladders = results?.ladders ?? [];
    expect(ladders.map(({ channel, source }) => [channel, source])).toEqual([
      ['issuance', 'moved-clock'],
      ['verification', 'moved-clock'],
    ]);
    for (const { retriesSeconds } of ladders) {
      const ofPlanned = [60, 360, 2160, 9360, 30_960].map((planned, at) => (retriesSeconds[at] ?? 0) / planned);
      expect(Math.min(...ofPlanned)).toBeGreaterThanOrEqual(1);
      expect(Math.max(...ofPlanned)).toBeLessThan(1.06);
    }
  });

  test('repeats a run by its seed, and says in the results which part was asked for', async () => {
    const words = ['--topic', 'echo', '--clause', 'token.verbatim', '--seed', '42'];
    const { results } = await npmTest({ NFE_NUM_RUNS: '2' }, ...words);
    expect(results?.seed).toBe(42);
    expect(results?.filter).toBe('--clause token.verbatim --topic echo');
    expect(new Set(results?.clauses.map(({ id }) => id.split('.')[0]))).toEqual(new Set(['echo', 'token']));
  });
});

test('without a seed each run draws one of its own', async () => {
  const run = (): Promise<Ended> => npmTest({ NFE_SEED: '' }, '--clause', 'echo.status');
  const [first, second] = await Promise.all([run(), run()]);
  expect(first.results?.seed).toEqual(expect.any(Number));
  expect(second.results?.seed).not.toBe(first.results?.seed);
});

describe.concurrent('a failure', () => {
  test('is a line of the terminal, and has a command that repeats it', async () => {
    await withForeign(mutantRules('signature.first-half-compared'), async (settings) => {
      const ids = ['signature.whole-sign-compared', 'signature.upper-case-refused', 'signature.every-endpoint'];
      const { status, stdout, results } = await npmTest(settings, ...ofClauses(...ids));
      expect(status).toBe(1);
      expect(results?.verdict).toBe('nonconformant');
      const clause = results?.clauses.find(({ id }) => id === 'signature.whole-sign-compared');
      const failed = clause?.checks.filter(({ state, inPassing }) => state === 'failed' && !inPassing) ?? [];
      const [check] = failed;
      expect(check?.exchanges?.length).toBeGreaterThan(0);
      expect(stdout.match(/^failed {2}signature\.whole-sign-compared {2}\S.*$/gm)).toHaveLength(failed.length);
      expect(stdout).toMatch(
        /^✗ 5\.\d {2}signature\.\S+: .* is answered 200.*; expected: 401.* \(breaks \d+ clauses?\b/m,
      );
      expect([check?.error?.expected, check?.error?.actual].join(' ')).toMatch(/^401.* 200/);
      const [, , , ...replay] = wordsOf(check?.replay ?? '');
      const again = await npmTest(settings, ...replay);
      const repeated = again.results?.clauses[0]?.checks[0];
      expect(again.results?.clauses).toHaveLength(1);
      expect(repeated?.counterexample).toBe(check?.counterexample);
      expect(repeated?.cases).toBe(1);
    });
  });

  test('of a life cycle is made smaller, step by step, and its command repeats just those steps', async () => {
    await withSteered(mutantRules('nfe-query.state-by-id-alone'), async (steered) => {
      const settings = { ...steered, NFE_NUM_RUNS: '20' };
      const title = 'whatever steps are taken, each invoice is found under its id in a state that was reached';
      const words = ['--clause', 'nfe-query.follows-the-life-cycle', '--check', title];
      const { results } = await npmTest(settings, ...words);
      const [check] = results?.clauses[0]?.checks ?? [];
      expect(check?.counterexample).toMatch(/^Issue\([^()]*\),(Wait|Settle)\([^()]*\),Issue\([^()]*\)$/);
      const [, , , ...replay] = wordsOf(check?.replay ?? '');
      const again = await npmTest(settings, ...replay);
      expect(again.results?.clauses[0]?.checks).toMatchObject([
        { state: 'failed', cases: 1, counterexample: check?.counterexample },
      ]);
    });
  });

  test('of a check without generated cases is repeated by its title, without the other checks of the clause', async () => {
    await withForeign(mutantRules('nfe-verification.encoding-as-500'), async (settings) => {
      const { results } = await npmTest(settings, '--clause', 'nfe-verification.encoding-refused');
      const checks = results?.clauses[0]?.checks ?? [];
      expect(checks.map(({ state }) => state).toSorted()).toEqual(['failed', 'passed']);
      const failed = checks.find(({ state }) => state === 'failed');
      const [, , , ...replay] = wordsOf(failed?.replay ?? '');
      const again = await npmTest(settings, ...replay);
      expect(again.results?.clauses[0]?.checks).toMatchObject([{ name: failed?.name, state: 'failed' }]);
    });
  });

  test('that is known leaves the run conformant, and a stale list fails it', async () => {
    const list = join(newFolder(), 'known.json');
    writeFileSync(list, '{"signature.upper-case-refused": "ticket 7"}');
    const known = { NFE_KNOWN_DEVIATIONS: list, NFE_NUM_RUNS: '5' };
    const words = ['--clause', 'signature.upper-case-refused', '--clause', 'signature.every-endpoint'];
    await withForeign(mutantRules('signature.case-ignored'), async (settings) => {
      const { status, results } = await npmTest({ ...settings, ...known }, ...words);
      expect(results?.clauses.find(({ verdict }) => verdict === 'known')?.reason).toContain('ticket 7');
      expect(status).toBe(0);
    });
    const { status, stdout } = await npmTest(known, ...words);
    expect(status).toBe(1);
    expect(stdout).toContain('stale');
  });
});

// What else answers everything alike can't be judged: see the troubles.
test('a server that answers everything with 401 and nothing is not conformant', async () => {
  await withServer(answering(401, ''), async (baseUrl) => {
    const settings = { NFE_BASE_URL: baseUrl, NFE_APP_SECRET: 'any-secret', NFE_MAX_RPS: '0', NFE_NUM_RUNS: '1' };
    const refusals = ofClauses('signature.upper-case-refused', 'signature.every-endpoint');
    const ended = await npmTest(settings, '--topic', 'echo', '--topic', 'token', ...refusals);
    expect(ended.results?.verdict).toBe('nonconformant');
    expect(ended.status).toBe(1);
  });
});
