import { describe, expect, test } from 'vitest';
import type { KnownDeviation } from '../contract/catalogue.ts';
import type { CheckOutcome, CheckResult, ClauseResult, Results } from '../schemas/results.ts';
import { judge } from './judge.ts';
import { sampleClause, sampleFacts, sampleFailure, sampleOutcome } from './testing/sample-run.ts';
import { isBroken, isStale } from './verdicts.ts';

const id = 'retirement.gone';
const clause = sampleClause(id);
const [xml, chave] = ['POST /openapi/nfe/verify/xml', 'POST /openapi/nfe/verify/chave'];
const failedOn = (endpoint: string, rest: Partial<CheckResult> = {}): CheckOutcome =>
  sampleOutcome(id, { ...sampleFailure, endpoint, ...rest });
const passed = sampleOutcome(id);
const open = sampleOutcome(id, { state: 'not-exercised', reason: 'needs a clock' });

function judged(entries: readonly KnownDeviation[], ...outcomes: CheckOutcome[]): Results {
  return judge({ ...sampleFacts, knownDeviations: { [id]: entries } }, [clause], outcomes);
}

function only({ clauses }: Results): ClauseResult {
  const [first] = clauses;
  if (!first) throw new Error('no clause was judged');
  return first;
}

const accepted: KnownDeviation = { reason: 'TICKET-1', endpoint: xml };

describe('an entry that names an endpoint', () => {
  test('makes a failure on it known, and says who accepted it until when', () => {
    const results = judged([{ ...accepted, by: 'Ana', until: '2026-12-31' }], failedOn(xml));
    expect(results.verdict).toBe('conformant');
    expect(only(results)).toMatchObject({
      verdict: 'known',
      reason: `TICKET-1 (${xml}; accepted by Ana; until 2026-12-31)`,
      checks: [{ covered: true }],
    });
  });

  test('leaves a failure on another one red, and the reason says what is accepted', () => {
    const results = judged([accepted], failedOn(chave, { known: [{ endpoint: xml, expected: '410', actual: '404' }] }));
    expect(results.verdict).toBe('nonconformant');
    expect(only(results)).toMatchObject({
      verdict: 'failed',
      reason: `no known deviation covers this; the list has TICKET-1 (${xml})`,
    });
    expect(only(results).checks[0]).not.toHaveProperty('covered');
    expect(isBroken(only(results))).toBe(true);
  });

  test('leaves a failure of an implied clause on another one a warning', () => {
    const facts = { ...sampleFacts, knownDeviations: { [id]: [accepted] } };
    const results = judge(facts, [sampleClause(id, { level: 'implied' })], [failedOn(chave)]);
    expect(only(results).verdict).toBe('warned');
  });
});

test('an entry that names a check leaves a failure of another check red', () => {
  const [one, other] = ['one rule', 'another rule'];
  const results = judged([{ reason: 'T', check: one }], failedOn(xml, { name: one }), failedOn(xml, { name: other }));
  expect(only(results).verdict).toBe('failed');
  expect(only(results).checks.map(({ name, covered }) => [name, covered])).toEqual([
    [one, true],
    [other, undefined],
  ]);
});

test('an entry that names a case covers a failure that shows it', () => {
  expect(only(judged([{ reason: 'T', case: '<a/>' }], failedOn(xml))).verdict).toBe('known');
  expect(only(judged([{ reason: 'T', case: '<b/>' }], failedOn(xml))).verdict).toBe('failed');
});

describe('an entry that has run out', () => {
  const until = '2026-11-20';

  test('is accepted on its last day still', () => {
    expect(only(judged([{ ...accepted, until: '2026-11-21' }], failedOn(xml))).verdict).toBe('known');
  });

  test('makes a clause that fails as it says red, with that reason', () => {
    const results = judged([{ ...accepted, until }], failedOn(xml));
    expect(results.verdict).toBe('nonconformant');
    expect(only(results).reason).toBe(
      'the list of known deviations is stale: ' +
        `"TICKET-1 (${xml}; until ${until})" has run out: accept it anew or take it off the list`,
    );
    expect(isBroken(only(results))).toBe(true);
  });

  test.each([
    ['passes', passed],
    ['was not exercised', open],
  ])('makes a clause that %s red, as a stale entry', (_, outcome) => {
    const results = judged([{ ...accepted, until }], outcome);
    expect(results.verdict).toBe('nonconformant');
    expect(only(results).reason).toMatch(/stale: "TICKET-1 .*" has run out/);
    expect(isStale(only(results))).toBe(true);
  });
});

describe('one of several entries', () => {
  const second = { reason: 'TICKET-2', endpoint: chave };

  test('is stale once its endpoint was seen to hold, whatever the other one covers', () => {
    const results = judged([accepted, second], { ...failedOn(xml), kept: [chave] });
    expect(results.verdict).toBe('nonconformant');
    expect(only(results).reason).toBe(
      `the list of known deviations is stale: "TICKET-2 (${chave})" names what holds now: take it off the list`,
    );
    expect(isStale(only(results))).toBe(true);
  });

  test('is told as not met where its endpoint was not seen to hold', () => {
    const result = only(judged([accepted, second], failedOn(xml)));
    expect(result).toMatchObject({ verdict: 'known' });
    expect(result.reason).toBe(`TICKET-1 (${xml}); not met in this run: TICKET-2 (${chave})`);
  });

  test('is met where the check went on after it', () => {
    const known = [{ endpoint: chave, expected: '410', actual: '404' }];
    const result = only(judged([accepted, second], { ...failedOn(xml, { known }), kept: [chave] }));
    expect(result.reason).toBe(`TICKET-1 (${xml}); TICKET-2 (${chave})`);
  });

  test('is stale once the check that it names passes', () => {
    const entries = [accepted, { reason: 'TICKET-3', check: 'another rule' }];
    const results = judged(entries, failedOn(xml), sampleOutcome(id, { name: 'another rule' }));
    expect(only(results).reason).toMatch(/stale: "TICKET-3 \(check "another rule"\)" names what holds now/);
  });
});
