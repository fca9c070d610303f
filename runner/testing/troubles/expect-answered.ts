import { expect } from 'vitest';
import { command, type Ended } from '../runs.ts';
import type { Staged, StagedTrouble, Upstream } from './front.ts';

/** Holds `npm test` and the doctor to it: one line with the cause and what to do, status 2, and nobody accused. */
export async function expectAnswered(trouble: StagedTrouble, upstream: Upstream): Promise<void> {
  const staged = await trouble.start(upstream);
  try {
    const { settings } = staged;
    const [tested, examined] = await Promise.all([command('test', settings), command('doctor', settings)]);
    expectOneLine(trouble, tested);
    expectNobodyAccused(tested);
    expectProblem(trouble, examined);
    expectHidden(staged, tested);
    expectHidden(staged, examined);
  } finally {
    await staged.stop();
  }
}

function expectOneLine(trouble: StagedTrouble, { status, stdout, stderr }: Ended): void {
  expect(stderr, `npm test ended with ${status}; ${stdout}`).toMatch(/^error: [^\n]+\n$/);
  const patterns = [
    ...told(trouble),
    ...(trouble.names ?? []).map((name) => new RegExp(String.raw`\b${RegExp.escape(name)}\b`)),
  ];
  expect({ line: stderr, lacking: lackingIn(stderr, patterns) }).toEqual({ line: stderr, lacking: [] });
  expect(status).toBe(2);
}

function expectNobodyAccused({ results }: Ended): void {
  expect(results?.verdict).toBe('error');
  expect(results?.clauses.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
}

function expectProblem(trouble: StagedTrouble, { status, stdout, stderr }: Ended): void {
  const problems = stdout.split('\n').filter((line) => line.startsWith('✗'));
  const fullest = problems
    .map((line) => lackingIn(line, told(trouble)))
    .sort((one, other) => one.length - other.length)[0];
  const seen = `the doctor ended with ${status}: ${problems.join('\n')}`;
  expect({ seen, lacking: fullest }).toEqual({ seen, lacking: [] });
  expect(stderr).toBe('');
  expect(status).toBe(2);
}

/** Cause and advice. */
function told({ says, advises }: StagedTrouble): RegExp[] {
  return [...says, ...advises];
}

/** What a line ought to hold and does not. */
function lackingIn(line: string, patterns: readonly RegExp[]): string[] {
  return patterns.filter((pattern) => !pattern.test(line)).map(String);
}

function expectHidden({ settings, hidden = [] }: Staged, { everything }: Ended): void {
  const secrets = Object.entries(settings).flatMap(([name, text]) => (name.startsWith('NFE_APP_SECRET') ? text : []));
  for (const text of [...secrets, ...hidden]) expect(everything.toLowerCase()).not.toContain(text.toLowerCase());
}
