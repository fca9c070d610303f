import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { judge } from '../reports/judge.ts';
import { sampleClause, sampleFacts, sampleOutcome } from '../reports/sample-run.ts';
import { publish } from './publish.ts';
import { stopwatch } from './stopwatch.ts';
import { newFolder } from './testing/runs.ts';

const results = judge(sampleFacts, [sampleClause('echo.a')], [sampleOutcome('echo.a')]);

/** What publishing these results with these secrets comes to. */
async function published(secrets: ReadonlyMap<string, string>, reportDir: string = newFolder()) {
  const printed: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    const quiet = vi.spyOn(stream, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
    onTestFinished(() => quiet.mockRestore());
  }
  const history = { path: join(reportDir, 'history.jsonl'), isAdded: true };
  const watch = stopwatch();
  const run = { reportDir, requireComplete: false, baseline: undefined, secrets, history, watch };
  return { status: await publish(results, run), printed: printed.join(''), reportDir };
}

describe('publishing a run', () => {
  test('counts in the page the secrets that were sought, of which it holds none', async () => {
    const { status, reportDir } = await published(new Map([['profiles/default', '$NFE_APP_SECRET']]));
    expect(status).toBe(0);
    expect(readFileSync(join(reportDir, 'index.html'), 'utf8')).toMatch(/Secrets in this file.*>0<.*searched for 1\b/s);
    const everything = readdirSync(reportDir).map((name) => readFileSync(join(reportDir, name), 'utf8'));
    expect(everything.join('')).not.toContain('profiles/default');
  });

  test('withholds a report in which the mask could not see a secret, and ends with status 2 for all its verdict', async () => {
    // It spans what Markdown escapes, so that it is in none of the values and not in the written text.
    const secret = '8080 (seed 1729)';
    const { status, printed, reportDir } = await published(new Map([[secret, '$NFE_APP_SECRET']]));
    expect(status).toBe(2);
    expect(printed).toMatch(/^error: not written, since a secret .*: summary\.md \(\$NFE_APP_SECRET\); [^\n]*\n$/);
    expect(printed).not.toContain(secret);
    expect(existsSync(join(reportDir, 'summary.md'))).toBe(false);
    expect(existsSync(join(reportDir, 'results.json'))).toBe(true);
  });

  test('where the disk refuses the reports prints the summary, and one line that names the folder, with status 2', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    const { status, printed } = await published(new Map(), join(file, 'out'));
    expect(printed).toContain('Conformant: all 1 must clause passed');
    expect(printed).toMatch(/^error: the reports can't be written to .*file\/out \(ENOTDIR\)\n$/m);
    expect(status).toBe(2);
  });
});
