import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startUpstream, type StagedTrouble, type Staged, type Upstream } from '../testing/troubles/front.ts';
import { addressTroubles, connectionTroubles, firewallTroubles } from '../testing/troubles/network.ts';
import { clockTroubles, credentialTroubles } from '../testing/troubles/credentials.ts';
import { gatewayTroubles, portalTroubles, rateLimitTroubles, redirectTroubles } from '../testing/troubles/answers.ts';
import { proxyTroubles } from '../testing/troubles/proxies.ts';
import { tlsTroubles } from '../testing/troubles/tls.ts';
import { command, type Ended } from '../testing/runs.ts';

/** All that stands between a run and a right server, in the order in which a request meets it. */
const troubles: readonly StagedTrouble[] = [
  ...connectionTroubles,
  ...proxyTroubles,
  ...tlsTroubles,
  ...redirectTroubles,
  ...firewallTroubles,
  ...portalTroubles,
  ...addressTroubles,
  ...gatewayTroubles,
  ...clockTroubles,
  ...rateLimitTroubles,
  ...credentialTroubles,
];

let upstream: Awaited<ReturnType<typeof startUpstream>> | undefined;

beforeAll(async () => {
  upstream = await startUpstream();
});
afterAll(() => upstream?.stop());

test('no two troubles have one name', () => {
  const names = troubles.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

describe.concurrent('npm test and the doctor tell in one line what is in the way and what to do, and accuse nobody', () => {
  test.each(troubles)('$name', async (trouble) => {
    if (!upstream) throw new Error('the right server runs only during tests');
    await expectAnswered(trouble, upstream);
  });
});

/** Holds `npm test` and the doctor to it: one line with the cause and what to do, status 2, and nobody accused. */
async function expectAnswered(trouble: StagedTrouble, upstream: Upstream): Promise<void> {
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
  const seen = `the doctor ended with ${status}: ${stdout}`;
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
