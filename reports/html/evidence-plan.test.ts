import { modelOf } from '../model.ts';
import { describe, expect, test } from 'vitest';
import type { CheckOutcome, CheckResult, ExchangeEvidence, Results } from '../../schemas/results.ts';
import type { Step } from '../../schemas/evidence.ts';
import { judge } from '../judge.ts';
import { sampleClause, sampleExchange, sampleFacts, sampleFailure, sampleOutcome } from '../testing/sample-run.ts';
import { evidencePlan } from './evidence-plan.ts';
import { timelineOf } from './failures.ts';

const exchangeTo = (target: string, bodyText = ''): ExchangeEvidence => {
  const exchange = sampleExchange();
  const body = { text: bodyText, encoding: 'utf-8', bytes: bodyText.length } as const;
  return { ...exchange, request: { ...exchange.request, target, body } };
};
const exchangesTo = (name: string, bodyText?: string): ExchangeEvidence[] =>
  [1, 2, 3].map((number) => exchangeTo(`/${name}/${number}`, bodyText));

function run(...outcomes: readonly CheckOutcome[]): Results {
  const ids = [...new Set(outcomes.map(({ clause }) => clause))];
  return judge(
    sampleFacts,
    ids.map((id) => sampleClause(id)),
    outcomes,
  );
}

const failing = (id: string, bodyText?: string): CheckOutcome =>
  sampleOutcome(id, { ...sampleFailure, exchanges: exchangesTo(id, bodyText), story });
const story: Step[] = [{ kind: 'call', evidence: sampleExchange() }];
const passing = (id: string): CheckOutcome => sampleOutcome(id, { exchanges: exchangesTo(id).slice(2) });

/** The targets of the exchanges that are shown of each check, and `script` where there is one. */
function shown(results: Results, bytes: number): Record<string, string[]> {
  const plan = evidencePlan(modelOf(results), bytes);
  const told = (check: CheckResult): string[] => [
    ...plan.exchangesOf(check).map(({ html }) => /<code>POST ([^<]*)<\/code>/.exec(html)?.[1] ?? ''),
    ...(plan.scriptOf(check) ? ['script'] : []),
  ];
  return Object.fromEntries(results.clauses.map(({ id, checks }) => [id, checks.flatMap(told)]));
}

const plenty = 1_000_000;
describe('a page with room enough', () => {
  test('shows failures whole with their scripts, and samples of what passed', () => {
    expect(shown(run(passing('echo.a'), failing('echo.b')), plenty)).toEqual({
      'echo.a': ['/echo.a/3'],
      'echo.b': ['/echo.b/1', '/echo.b/2', '/echo.b/3', 'script'],
    });
  });

  test('unfolds of a failure the last exchange alone', () => {
    const results = run(failing('echo.a'));
    const check = results.clauses[0]?.checks[0];
    const open =
      check &&
      evidencePlan(modelOf(results), plenty)
        .exchangesOf(check)
        .map(({ html }) => html.includes('" open>'));
    expect(open).toEqual([false, false, true]);
  });
});

describe('a page with little room', () => {
  const two = run(failing('echo.a'), failing('echo.b'), passing('echo.c'));
  const sizeOf = (bytes: number): number => Object.values(shown(two, bytes)).flat().length;

  test('shows the deciding exchange of every failure before anything else', () => {
    const bytes = Array.from({ length: 200 }, (_, index) => index * 500).find((size) => sizeOf(size) === 2);
    expect(bytes && shown(two, bytes)).toEqual({ 'echo.a': ['/echo.a/3'], 'echo.b': ['/echo.b/3'], 'echo.c': [] });
  });

  test('gives failures their further exchanges in turn, after the script of the finding', () => {
    const scriptsIn = (bytes: number): number =>
      Object.values(shown(two, bytes))
        .flat()
        .filter((piece) => piece === 'script').length;
    const sizes = Array.from({ length: 400 }, (_, index) => index * 250);
    const bytes = sizes.find((size) => sizeOf(size) === 5 && scriptsIn(size) === 1);
    expect(bytes && shown(two, bytes)).toEqual({
      'echo.a': ['/echo.a/2', '/echo.a/3', 'script'],
      'echo.b': ['/echo.b/2', '/echo.b/3'],
      'echo.c': [],
    });
  });

  test('shows failures before warnings, and warnings before known deviations', () => {
    const clauses = [
      sampleClause('echo.known'),
      sampleClause('echo.warned', { level: 'should' }),
      sampleClause('echo.a'),
    ];
    const results = judge(
      { ...sampleFacts, knownDeviations: { 'echo.known': 'TICKET-1' } },
      clauses,
      clauses.map(({ id }) => failing(id)),
    );
    const whoHas = (exchanges: number): string[] => {
      const sizes = Array.from({ length: 200 }, (_, index) => shown(results, index * 500));
      const first = sizes.find((told) => Object.values(told).flat().length === exchanges);
      return Object.keys(first ?? {}).filter((id) => first?.[id]?.length);
    };
    expect(whoHas(1)).toEqual(['echo.a']);
    expect(whoHas(2)).toEqual(['echo.warned', 'echo.a']);
  });

  test('leaves out a piece that is too large, and only that one', () => {
    const results = run(failing('echo.a', 'x'.repeat(60_000)), failing('echo.b'));
    const told = shown(results, 40_000);
    expect(told['echo.a']).toEqual([]);
    expect(told['echo.b']).toContain('/echo.b/3');
  });

  test('never takes more than it is given', () => {
    for (const bytes of [0, 3_000, 20_000, 60_000]) {
      const plan = evidencePlan(modelOf(two), bytes);
      const pieces = two.clauses.flatMap(({ checks }) =>
        checks.flatMap((check) => [...plan.exchangesOf(check), plan.scriptOf(check)]),
      );
      const size = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece?.html ?? ''), 0);
      expect(size).toBeLessThanOrEqual(bytes);
    }
  });
});

const path = '/openapi/v2/empresas/1/nf-e';

function exchange(method: string, at: number, durationMs: number, status?: string): ExchangeEvidence {
  const text = JSON.stringify({ data: { status } });
  const body = { text, encoding: 'utf-8', bytes: text.length } as const;
  const target = method === 'POST' ? path : `${path}/a`;
  return { request: { method, target, headers: [] }, at, durationMs, response: { status: 200, headers: [], body } };
}

function drawing(exchanges: ExchangeEvidence[], rest: Partial<CheckResult> = {}): string {
  return timelineOf(sampleOutcome('echo.a', { ...sampleFailure, ...rest, exchanges }).result)?.html ?? '';
}

const first = exchange('POST', 1000, 20);
const race = [first, exchange('DELETE', 1100, 40), exchange('GET', 1110, 10, 'Autorizada')];

test('of what was seen in passing only that is drawn which shows it together, and what came before stands at the edge', () => {
  const inPassing = { inPassing: true } as const;
  const html = drawing([exchange('PUT', 1105, 30), ...race], { ...inPassing, together: 3 });
  expect(html).not.toContain('PUT');
  expect(html).toContain('<rect x="0" y="20" width="3"');
  expect(drawing(race, inPassing)).toBe('');
});

test('a target that lets many requests wait at once does not fill the page', () => {
  const many = Array.from({ length: 50 }, (_, at) => exchange('GET', 1000 + at, 1000));
  expect(drawing(many).match(/<rect /g)).toHaveLength(12);
});
