import { expect, test, beforeAll, describe } from 'vitest';
import { mutants } from '../../mutants/all.ts';
import { referenceRules, type Rules } from '../../simulator/rules/rules.ts';
import { npmTest, withSteered, ofTopics, mutantRules, withForeign } from '../testing/runs.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isScriptFile } from '../../reports/repeat/script.ts';
import { runScript } from '../../reports/testing/run-script.ts';
import { newFolder } from '../testing/folders.ts';
import { troublesOf } from '../../reports/troubles.ts';
import { letLoose, type Loosed } from '../../mutants/let-loose.ts';
import type { ClauseResult } from '../../schemas/results.ts';

test('a target that hashes the path without /openapi is one finding with its way to sign, in 40 lines, and nobody else is blamed', async () => {
  const { signature } = referenceRules;
  const rules = {
    ...referenceRules,
    signature: {
      ...signature,
      signedPath: (request: Parameters<typeof signature.signedPath>[0]) =>
        signature.signedPath(request).replace('/openapi', ''),
    },
  };
  const topics = ofTopics('signature', 'chave-lookup');
  await withSteered(rules, async (settings) => {
    const { stdout, results } = await npmTest({ ...settings, NFE_NUM_RUNS: '1' }, ...topics);
    const findings = results?.findings ?? [];
    expect(findings.map(({ id }) => id)).toEqual(['signature.accepted']);
    expect(findings[0]?.summary).toMatch(
      / is answered 401, code 10009003; it takes a sign computed over the path without \/openapi$/,
    );
    expect(findings[0]?.blocked.length).toBeGreaterThanOrEqual(20);
    const told = stdout.slice(stdout.search(/^[\d-]{10} [\d:]{8} UTC {2}/m)).trimEnd();
    expect(told.split('\n').length).toBeLessThanOrEqual(40);
    // What the suite lacks here is told as that; nothing else is blamed for what the target answers.
    const open = results?.clauses.filter(({ verdict }) => verdict === 'not-exercised') ?? [];
    expect(open.map(({ reason }) => reason).filter((reason) => !reason?.startsWith('needs '))).toEqual([]);
  });
});

test('a target that refuses at once what will be denied is one finding, and neither settings nor profile are blamed', async () => {
  const rules = mutants.find(({ id }) => id === 'nfe-issuance.denied-at-once')?.rules;
  if (!rules) throw new Error('there is no such mutant');
  const topics = ofTopics('nfe-issuance', 'issuance-callback');
  await withSteered(rules, async (settings) => {
    const { results } = await npmTest({ ...settings, NFE_NUM_RUNS: '1' }, ...topics);
    expect(results?.findings?.map(({ id }) => id)).toEqual(['nfe-issuance.denial-accepted']);
    expect(results && troublesOf(results).map(({ whose }) => whose)).toEqual(['target']);
    const reasons = results?.clauses.flatMap(({ checks }) => checks.map(({ reason = '' }) => reason)) ?? [];
    expect(reasons.filter((reason) => /refused:(?! 400: \[)/.test(reason))).toEqual([]);
  });
});

const sandbox = { NFE_TARGET: 'sandbox', NFE_NUM_RUNS: '1' };

/** What a command prints of a server with these rules, and how it ends. */
function runOn(rules: Rules, folder: string, ...words: string[]) {
  return withSteered(rules, (settings) => npmTest({ ...settings, ...sandbox, NFE_REPORT_DIR: folder }, ...words));
}

test.each([
  ['of each answer', 'echo.app-key-a-number', 'echo.identity-fields'],
  [
    'of few answers, and each time in one check',
    'signature.what-is-before-the-sign-ignored',
    'signature.whole-sign-compared',
  ],
])('a finding %s is repeated from its file: still there it ends with 1, gone with 0', async (_, id, clause) => {
  const folder = newFolder();
  const file = join(folder, 'results.json');
  const broken = mutantRules(id);
  await runOn(broken, folder, '--clause', clause);
  const again = await runOn(broken, folder, '--repeat', file);
  expect(again.stdout).toContain(`REPRODUCED  ${clause}: `);
  expect(again.status).toBe(1);
  const mended = await runOn(referenceRules, folder, '--repeat', file);
  expect(mended.stdout).toContain(`FIXED       ${clause}: `);
  expect(mended.status).toBe(0);
  expect(mended.stdout).toMatch(/^The findings are of http:\S+; what follows is of http:\S+\.$/m);
  const astray = await npmTest({}, '--repeat', file);
  expect([astray.status, astray.stderr]).toEqual([2, expect.stringMatching(/is the simulator: set NFE_BASE_URL$/m)]);
});

test('what was refused before the checks is repeated from its file, and by its script', async () => {
  const folder = newFolder();
  await withForeign(mutantRules('signature.latin-1-at-companies'), async (settings) => {
    const run = (...words: string[]) => npmTest({ ...settings, ...sandbox, NFE_REPORT_DIR: folder }, ...words);
    const { stdout } = await run(...ofTopics('signature', 'empresa-registration', 'nfe-verification'));
    expect(stdout).toContain('signature.accepted: a correctly signed request to POST /openapi/v2/empresas');
    const script = readdirSync(folder).find(isScriptFile);
    expect((await runScript(readFileSync(join(folder, script ?? ''), 'utf8'), settings)).status).toBe(1);
    expect((await run('--repeat', join(folder, 'results.json'))).stdout).toContain('REPRODUCED  signature.accepted: ');
  });
});

test('a file without findings is refused, and so is another option beside', async () => {
  const folder = newFolder();
  await runOn(referenceRules, folder, '--clause', 'echo.identity-fields');
  const { status, stderr } = await npmTest({}, '--repeat', join(folder, 'results.json'));
  expect(status).toBe(2);
  expect(stderr).toMatch(/has no findings, there is nothing/);
  const beside = await npmTest({}, '--repeat', 'results.json', '--topic', 'echo');
  expect(beside.stderr).toMatch(/^error: --repeat takes clauses, checks and seed from its file/);
});

/** Of a mutant, the clauses that it breaks, and others that are near. */
const oneDefect: readonly [string, string, readonly string[], readonly string[]][] = [
  [
    'a limit that is one too high is no fault of the order of refusals',
    'rate-limit.one-more',
    // With a limit of 0 the first request is served, too.
    ['rate-limit.refused', 'rate-limit.within-limit-served'],
    [
      'rate-limit.served-again',
      'precedence.410-before-429',
      'precedence.401-before-429',
      'precedence.403-before-429',
      'retirement.spends-no-rate-token',
      'retirement.not-rate-limited',
    ],
  ],
  [
    'a timestamp that is sent again is no fault of the time-out',
    'webhook-delivery.stale-timestamp',
    ['webhook-delivery.fresh-timestamp-on-retry'],
    [
      'webhook-delivery.timeout-after-10-seconds',
      'webhook-delivery.answer-within-10-seconds',
      'webhook-delivery.timestamp-header',
      'webhook-delivery.retry-delays',
      'webhook-delivery.body-kept-on-retry',
    ],
  ],
];

/** Of a mutant, the clause that it leaves open, and the one that it breaks. */
const leftOpen: readonly [string, string, string][] = [
  ['rate-limit.never', 'retirement.not-rate-limited', 'rate-limit.refused'],
  ['webhook-signature.body-first', 'webhook-signature.fresh-on-retry', 'webhook-signature.every-delivery'],
  ['verdict-event.not-sent', 'verdict-event.version', 'verdict-event.sent-when-settled'],
  ['verdict-event.not-sent', 'webhook-signature.every-delivery', 'verdict-event.sent-when-settled'],
  [
    'issuance-callback.denial-not-called-back',
    'webhook-signature.every-delivery',
    'issuance-callback.called-back-when-denied',
  ],
  ['issuance-callback.denial-not-called-back', 'issuance-callback.token', 'issuance-callback.called-back-when-denied'],
];

describe('one defect is not told as several', () => {
  let loosed: Loosed;
  const clausesOf = (mutant: string): readonly ClauseResult[] => loosed.results.get(mutant)?.clauses ?? [];

  beforeAll(async () => {
    const judged: [string, readonly string[]][] = [
      ...oneDefect.map(([, mutant, broken, near]): [string, string[]] => [mutant, [...broken, ...near]]),
      ...[...Map.groupBy(leftOpen, ([mutant]) => mutant)].map(([mutant, rows]): [string, string[]] => {
        return [mutant, rows.flatMap(([, ...clauses]) => clauses)];
      }),
      ['webhook-delivery.no-retries', ['webhook-signature.fresh-on-retry']],
      ['nfe-query.status-misspelt', ['nfe-query.xml-link']],
    ];
    const how = { seed: 1729, numRuns: 2, mostShrinks: 0, repetitions: 3 };
    loosed = await letLoose(judged.map(([id, clauses]) => ({ id, rules: mutantRules(id), clauses, ...how })));
  });

  test('nothing of the suite itself breaks', () => {
    expect(loosed.faults).toEqual([]);
  });

  test.each(oneDefect)('%s', (_, mutant, broken, near) => {
    const clauses = clausesOf(mutant);
    expect(clauses).toHaveLength(broken.length + near.length);
    const accused = clauses.filter(({ verdict }) => verdict === 'failed' || verdict === 'warned');
    expect(accused.map(({ id }) => id).toSorted()).toEqual(broken);
  });

  test.each(leftOpen)('what %s leaves open is blocked by what is broken', (mutant, open, cause) => {
    const clause = clausesOf(mutant).find(({ id }) => id === open);
    expect(clause).toMatchObject({ verdict: 'blocked', blockedBy: [cause] });
    expect(clausesOf(mutant).find(({ id }) => id === cause)?.verdict).toBe('failed');
  });

  test('what misses an event that another clause demands fails where that clause is not judged', () => {
    const [retry] = clausesOf('webhook-delivery.no-retries');
    expect(retry?.verdict).toBe('failed');
    const failed = retry?.checks.find(({ state }) => state === 'failed');
    expect(failed).toMatchObject({ error: { actual: 'none', premise: true } });
  });

  test('a state that the contract does not know is the target’s trouble, not the profile’s', () => {
    const [link] = clausesOf('nfe-query.status-misspelt');
    expect(link?.checks).toMatchObject([{ state: 'not-exercised', trouble: 'target' }]);
  });
});

describe.concurrent('a target that refuses right signs', () => {
  test.each([
    ['signature.query-signed', 'signature.query-not-signed', 'over the path with its query string', false],
    ['signature.line-breaks-kept', 'signature.line-breaks-removed', 'over the body with its line breaks', true],
  ])('is told how it signs in the results, the terminal and the page: %s', async (mutant, clause, way, hasPremise) => {
    await withForeign(mutantRules(mutant), async (settings) => {
      const { status, stdout, everything, results } = await npmTest(
        { ...settings, NFE_NUM_RUNS: '1' },
        '--clause',
        clause,
      );
      const hint = `the target takes a sign computed ${way}`;
      const all = results?.clauses[0]?.checks.filter(({ state }) => state === 'failed') ?? [];
      const failed = all.filter(({ inPassing }) => !inPassing);
      expect(failed).toHaveLength(2);
      // Requests of one kind are diagnosed once: what is found is the finding's.
      expect(failed.some(({ error }) => error?.hint?.includes(hint))).toBe(true);
      expect(results?.findings?.map(({ diagnosis }) => diagnosis).join()).toContain(hint);
      // That a request with a query is refused breaks the rule itself, whichever check sends it; of a body it is a premise.
      expect(failed.some(({ error }) => error?.premise)).toBe(hasPremise);
      expect(stdout).toContain(`it takes a sign computed ${way}`);
      expect(everything).toContain(`<span lang="en">${hint}</span>`);
      expect(status).toBe(1);
    });
  });
});
