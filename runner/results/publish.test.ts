import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { errorResults, judge } from '../../reports/judge.ts';
import { sampleClause, sampleFacts, sampleFailure, sampleOutcome } from '../../reports/testing/sample-run.ts';
import type { Results, CheckResult } from '../../schemas/results.ts';
import { publish, endingOf, type Requirements } from './publish.ts';
import { stopwatch } from '../run/run-facts.ts';
import { newFolder } from '../testing/folders.ts';
import { type Clause, assuranceLevels } from '../../contract/clause.ts';

describe('publish', () => {
  const results = judge(sampleFacts, [sampleClause('echo.a')], [sampleOutcome('echo.a')]);

  /** What publishing these results with these secrets comes to. */
  async function published(
    secrets: ReadonlyMap<string, string>,
    reportDir: string = newFolder(),
    own: Results = results,
  ) {
    const printed: string[] = [];
    for (const stream of [process.stdout, process.stderr]) {
      const quiet = vi.spyOn(stream, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
      onTestFinished(() => quiet.mockRestore());
    }
    const history = { path: join(reportDir, 'history.jsonl'), isAdded: true };
    const watch = stopwatch();
    const run = {
      reportDir,
      requireComplete: false,
      requireLevel: undefined,
      language: 'en' as const,
      baseline: undefined,
      secrets,
      history,
      watch,
    };
    return { status: await publish(own, run), printed: printed.join(''), reportDir };
  }

  describe('publishing a run', () => {
    test('counts in the page the secrets that were sought, of which it holds none', async () => {
      const { status, reportDir } = await published(new Map([['profiles/default', '$NFE_APP_SECRET']]));
      expect(status).toBe(0);
      expect(readFileSync(join(reportDir, 'index.html'), 'utf8')).toMatch(
        /Secrets in this file.*>0<.*searched for 1\b/s,
      );
      const everything = readdirSync(reportDir).map((name) => readFileSync(join(reportDir, name), 'utf8'));
      expect(everything.join('')).not.toContain('profiles/default');
    });

    test('replaces a secret that the mask could not see, says so, and keeps the verdict', async () => {
      // It spans two values, so that the mask finds it in neither.
      const secret = '8080 (seed 1729)';
      const { status, printed, reportDir } = await published(new Map([[secret, '$NFE_APP_SECRET']]));
      expect(status).toBe(0);
      expect(printed).toMatch(
        /^warning: A defect of the suite: its masks had missed \$NFE_APP_SECRET in .*summary\.md/m,
      );
      expect(printed).not.toContain(secret);
      expect(readFileSync(join(reportDir, 'summary.md'), 'utf8')).not.toContain(secret);
      expect(readFileSync(join(reportDir, 'results.json'), 'utf8')).toContain('"defects"');
    });

    test('prints what stopped a run without what a terminal would obey, and says so where the results tell nothing', async () => {
      const broken = errorResults(sampleFacts, 'answered \u001b]0;owned\u0007\u001b[2J', 'target');
      const { printed } = await published(new Map(), newFolder(), broken);
      expect(printed).toContain('error: answered \\u{1b}]0;owned\\u{7}\\u{1b}[2J\n');
      const { error: _, ...silent } = broken;
      expect((await published(new Map(), newFolder(), silent)).printed).toContain(
        'error: the results do not say which\n',
      );
    });

    test('names the folder of the reports as it is, or not at all where a secret is in its path', async () => {
      const reportDir = join(newFolder(), 'a-secret-folder');
      const { printed } = await published(new Map([['secret-folder', '$NFE_APP_SECRET']]), reportDir);
      expect(existsSync(join(reportDir, 'index.html'))).toBe(true);
      expect(printed).toContain('Reports: (not shown: the path holds a secret)\n');
      expect(printed).not.toMatch(/secret-folder|\$NFE_APP_SECRET/);
    });

    test('cuts a long text for the terminal only once it is masked', async () => {
      const secret = 'canary-0123456789';
      const actual = `${'x'.repeat(155)}${secret}`;
      const failure = { ...sampleFailure, error: { title: 't', expected: 'e', actual } };
      const failed = judge(sampleFacts, [sampleClause('echo.a')], [sampleOutcome('echo.a', failure)]);
      const { printed } = await published(new Map([[secret, '$NFE_APP_SECRET']]), newFolder(), failed);
      expect(printed).toContain(`${'x'.repeat(155)}$NFE_…`);
      expect(printed).not.toContain('canar');
    });

    test('where the disk refuses the reports prints the summary, and one line that names the folder, with status 2', async () => {
      const file = join(newFolder(), 'file');
      writeFileSync(file, '');
      const { status, printed } = await published(new Map(), join(file, 'out'));
      expect(printed).toContain('Conformant: the one must clause passed');
      expect(printed).toMatch(/^error: the reports can't be written to .*file\/out \(ENOTDIR\)\n$/m);
      expect(status).toBe(2);
    });
  });
});

describe('exit status', () => {
  const clauses: readonly Clause[] = [
    sampleClause('echo.secret'),
    sampleClause('echo.credentials', { needs: ['disabled-application'] }),
    sampleClause('echo.receiver', { needs: ['callbacks'] }),
    sampleClause('echo.control', { needs: ['movable-clock'] }),
  ];
  const open: Partial<CheckResult> = { state: 'not-exercised', reason: 'needs more' };

  /** A run of a clause of each level, of which so many passed and the others came to something else. */
  function runOf(passing: number, otherwise: Partial<CheckResult> = open, facts = {}): Results {
    const outcomes = clauses.map(({ id }, index) => sampleOutcome(id, index < passing ? {} : otherwise));
    return judge({ ...sampleFacts, ...facts }, clauses, outcomes);
  }

  const withheld = sampleClause('echo.withheld', { needs: ['real-issuance'] });
  const withheldRun = judge(
    { ...sampleFacts, mayIssueForReal: false },
    [...clauses.slice(0, 1), withheld],
    [sampleOutcome('echo.secret'), sampleOutcome(withheld.id, open)],
  );
  const knownDeviation = judge(
    { ...sampleFacts, knownDeviations: { 'echo.secret': 'TICKET-1' } },
    clauses,
    clauses.map(({ id }) => sampleOutcome(id, id === 'echo.secret' ? sampleFailure : {})),
  );
  const complete: Partial<Requirements> = { requireComplete: true };

  test.each<[string, Results, Partial<Requirements>, number, readonly string[]]>([
    ['conformant', runOf(4), {}, 0, []],
    ['incomplete', runOf(2), {}, 0, []],
    ['nonconformant', runOf(3, sampleFailure), {}, 1, []],
    ['an error', errorResults(sampleFacts, 'ECONNREFUSED', 'network'), {}, 2, []],
    ['complete, as is required', runOf(4), complete, 0, []],
    ['complete but for what was withheld', withheldRun, { ...complete, requireLevel: 'control' }, 0, []],
    [
      'incomplete where it must not be',
      runOf(2),
      complete,
      1,
      ['Exit status 1: NFE_REQUIRE_COMPLETE is true, and 2 must clauses were not exercised'],
    ],
    [
      'short of a level',
      runOf(1),
      { requireLevel: 'receiver' },
      1,
      ['Exit status 1: NFE_REQUIRE_LEVEL is receiver, which is not complete: level receiver: 1 of 3 exercised'],
    ],
    [
      'conformant by a known deviation, which is of the level',
      knownDeviation,
      { requireLevel: 'secret' },
      1,
      [
        'Exit status 1: NFE_REQUIRE_LEVEL is secret, which is not complete: level secret: all 1 exercised, not all hold',
      ],
    ],
    [
      'of a part, which says nothing of levels',
      runOf(4, open, { filter: '--topic echo' }),
      { requireLevel: 'control' },
      0,
      ['NFE_REQUIRE_LEVEL is control, of which these results say nothing: only a run of the whole suite is held to it'],
    ],
    ['nonconformant and short of a level', runOf(3, sampleFailure), { requireLevel: 'control' }, 1, []],
    ['an error and short of a level', errorResults(sampleFacts, 'why', 'network'), { requireLevel: 'secret' }, 2, []],
  ])('a run that is %s ends so', (_, results, required, status, notes) => {
    expect(endingOf(results, { requireComplete: false, requireLevel: undefined, ...required })).toEqual({
      status,
      notes,
    });
  });

  test.each(assuranceLevels.map((level, index) => [level, index] as const))(
    'NFE_REQUIRE_LEVEL=%s is met by a run that completes it or a level above it, and by no other',
    (requireLevel, rank) => {
      const required = { requireComplete: false, requireLevel };
      const statuses = [0, 1, 2, 3, 4].map((passing) => endingOf(runOf(passing), required).status);
      expect(statuses).toEqual([0, 1, 2, 3, 4].map((passing) => (passing > rank ? 0 : 1)));
    },
  );
});
