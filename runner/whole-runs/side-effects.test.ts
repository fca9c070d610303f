import { describe, expect, test } from 'vitest';
import { equipSandbox } from '../../desk/costs/measure.ts';
import { withStages } from '../../mutants/mutant.ts';
import { type StagedRules, stagesOf } from '../../simulator/gateway/gateway.ts';
import type { Stage } from '../../simulator/gateway/stages.ts';
import type { RequestFacts } from '../../simulator/http/request-facts.ts';
import { findRoute } from '../../simulator/rules/route.ts';
import { referenceRules } from '../../simulator/rules/rules.ts';
import type { CallingWay } from '../plan/costs.ts';
import { expectAsAnnounced } from '../testing/wires.ts';
import { npmTest, withForeign, withServer, clausesThat } from '../testing/runs.ts';

/** Takes whatever the gateway lets pass as a registration or an issuance, and tells of each that it took. */
function mostLenient(taken: (name: string, request: RequestFacts) => void): StagedRules {
  const answers: Readonly<Record<string, object | undefined>> = {
    'empresa-registration': { empresaId: 'whichever' },
    'webhook-registration': undefined,
    'nfe-issuance': undefined,
  };
  const stages = stagesOf(referenceRules).map((stage): Stage => {
    if (stage.name !== 'endpoint') return stage;
    return {
      name: stage.name,
      async answer(request, context) {
        const reply = await stage.answer(request, context);
        const name = findRoute(request.method, request.path)?.endpoint.name ?? '';
        if (reply === undefined || !(name in answers)) return reply;
        taken(name, request);
        return reply.status === 200 ? reply : { status: 200, body: answers[name] };
      },
    };
  });
  return withStages(referenceRules, stages);
}

/** What only a probe of the gateway sends. */
const probe = /conformance-?probe/i;

test('a server that takes any body is left at most 3 companies and 56 invoices, as announced, and none by a probe', async () => {
  const taken: { name: string; text: string }[] = [];
  const rules = mostLenient((name, { path, rawBody }) => taken.push({ name, text: `${path} ${rawBody.toString()}` }));
  await withForeign(rules, async (settings) => {
    const ended = await npmTest({ ...settings, NFE_NUM_RUNS: '' });
    const count = (wanted: string): number => taken.filter(({ name }) => name === wanted).length;
    expect(ended.results?.sideEffects).toMatchObject({
      companies: count('empresa-registration'),
      invoices: count('nfe-issuance'),
      addresses: count('webhook-registration'),
    });
    expect(taken.filter(({ text }) => probe.test(text))).toEqual([]);
    expect(count('empresa-registration')).toBeLessThanOrEqual(3);
    expect(count('nfe-issuance')).toBeLessThanOrEqual(56);
    // It takes what a right server refuses, such as an id that is taken.
    expectAsAnnounced(ended, 0.3);
    // It breaks what it breaks: the clauses on what is to be refused.
    const failed = clausesThat(ended, 'failed');
    expect(failed).toContain('nfe-issuance.id-required');
    expect(failed.filter((id) => !id.startsWith('nfe-'))).toEqual([]);
  });
});

describe.concurrent('npm test -- --plan', () => {
  test.each<CallingWay>(['oneApplication', 'ownApplications'])('knows what each check costs: %s', async (way) => {
    const { environment, stop } = await equipSandbox(way);
    await stop();
    const { status, stdout } = await npmTest({ ...environment, NFE_SLOW: 'true' }, '--plan');
    expect(stdout).not.toMatch(/Nobody has measured/);
    expect(status).toBe(0);
  });

  test('sends nothing, and says what the run would send, leave and take, and which setting saves which', async () => {
    let asked = 0;
    await withServer(
      (incoming, outgoing) => {
        asked += 1;
        incoming.resume().on('end', () => outgoing.end());
      },
      async (baseUrl) => {
        const settings = { NFE_BASE_URL: baseUrl, NFE_APP_SECRET: 'a-secret', NFE_NUM_RUNS: '10' };
        const { status, stdout } = await npmTest(settings, '--plan');
        expect(asked).toBe(0);
        expect(status).toBe(0);
        expect(stdout).toMatch(
          /^Plan of npm test on http:\/\/127\.0\.0\.1:\d+ \(sandbox\), 10 cases a property\. Nothing was sent\./,
        );
        expect(stdout).toMatch(/^nfe-query +\d+ +· +· +· +\d+ +2$/m);
        expect(stdout).toMatch(/^all +[\d,]+ +2 +2 +· +\d+ +\d+$/m);
        expect(stdout).toMatch(/^About [\d,]+ requests at 5 a second, about \d+ min; [\d,]+ at most\.$/m);
        expect(stdout).toMatch(/^It leaves at the target about 2 companies, \d+ invoices \(\d+ cancelled\);/m);
        expect(stdout).toMatch(
          /^Of 10 cases, fewer where each leaves an invoice: .*nfe-query\.follows-the-life-cycle 2/m,
        );
        expect(stdout).toMatch(/^ {2}NFE_EMPRESA_ID set +.*1 company, 1 certificate$/m);
        expect(stdout).toMatch(/^ {2}NFE_MAX_RPS=10 +\d+ min$/m);
      },
    );
  });

  test('says what a budget buys of it, and what being surer takes besides', async () => {
    const settings = { NFE_BASE_URL: 'http://127.0.0.1:9', NFE_APP_SECRET: 'a-secret' };
    const { stdout } = await npmTest(settings, '--plan', '--first-look', '--at-most', '0.05');
    expect(stdout).toMatch(/^By the budget: 150 requests at most: \d+ of \d+ checks, of 1 case each,/m);
    expect(stdout).toMatch(/^Until it is as sure as was asked: up to [\d,]+ requests more, \d+ min;/m);
  });

  test('of a part of the suite counts what that part makes for itself', async () => {
    const settings = { NFE_BASE_URL: 'http://127.0.0.1:9', NFE_APP_SECRET: 'a-secret' };
    const { stdout } = await npmTest(settings, '--plan', '--clause', 'nfe-cancellation.status-200');
    expect(stdout).toMatch(/^It leaves at the target about 1 company, 2 invoices \(1 cancelled\);/m);
  });
});
