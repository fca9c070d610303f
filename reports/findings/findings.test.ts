import { describe, expect, test } from 'vitest';
import type { CheckResult, ClauseResult, Results } from '../../schemas/results.ts';
import type { Fact, Node } from '../../schemas/finding.ts';
import { judge } from '../judge.ts';
import {
  at,
  broken,
  passed,
  sampleClause,
  sampleFacts,
  sampleFailure,
  sampleOutcome,
  type Shown,
} from '../testing/sample-run.ts';
import { findingsOf, repeatedFindings, withStopped } from './findings.ts';

const groups = (...clauses: ClauseResult[]): string[][] => findingsOf(clauses).map((finding) => finding.clauses);

describe('a clause whose checks did not come to their own rule', () => {
  const actual = '410, codigo "NFe1009"';
  const cause = broken('nfe-cancellation.unknown-id', { expected: '400 or 404', actual, facts: [at('DELETE /n')] });
  const stopped: Shown = { expected: 'accepted', actual, facts: [at('DELETE /n')], isExample: true, isPremise: true };
  const other = broken('signature.every-endpoint', stopped);
  const verdictsOf = (...clauses: ClauseResult[]): string[] => withStopped(clauses).map(({ verdict }) => verdict);

  test('is blocked by the clause that names its finding, and is told there', () => {
    const clauses = withStopped([other, cause]);
    expect(clauses[0]).toMatchObject({ verdict: 'blocked', blockedBy: [cause.id] });
    expect(findingsOf(clauses)).toMatchObject([{ clauses: [cause.id], blocked: [other.id] }]);
    expect(withStopped(clauses)).toEqual(clauses);
  });

  test('fails where nothing else tells what stopped it, or what does only warns', () => {
    expect(verdictsOf(other)).toEqual(['failed']);
    expect(verdictsOf(other, { ...cause, verdict: 'warned' })).toEqual(['failed', 'warned']);
    const elsewhere = { ...stopped, actual: '401, code 10009003', facts: [at('GET /x')] };
    expect(verdictsOf(broken('signature.every-endpoint', elsewhere), cause)).toEqual(['failed', 'failed']);
  });

  test('fails where one of them came to its own', () => {
    expect(verdictsOf(broken(other.id, { ...stopped, isPremise: false }), cause)).toEqual(['failed', 'failed']);
  });
});

describe('where few of all correctly signed requests are refused, what stands on that', () => {
  const refused = (name: string): Fact[] => [at(name), { name: 'status', value: '401' }];
  const base = broken('signature.accepted', { facts: refused('POST /x'), shared: { wrong: 79, of: 2545 } });
  const example = (id: string, facts: readonly Fact[]): ClauseResult => broken(id, { facts, isExample: true });

  test.each<[string, Fact[]]>([
    ['another status came elsewhere', [at('GET /c'), { name: 'status', value: '500' }]],
    ['a delivery shows it', [{ name: 'channel', value: 'verification' }]],
    ['nothing shows it', []],
  ])('is a cause of its own where %s', (_, facts) => {
    expect(groups(base, example('cnpj-lookup.unknown', facts))).toHaveLength(2);
  });

  test('explains it with a hint only where the same came', () => {
    const shown = { facts: refused('POST /x'), hint: 'the word is taken for a DTD', shared: { wrong: 1, of: 9 } };
    const found = findingsOf([base, broken('nfe-issuance.status-200', shown)]);
    expect(found.map(({ diagnosis }) => diagnosis)).toEqual([undefined]);
    const same = { ...shown, actual: 'what broke signature.accepted' };
    expect(findingsOf([base, broken('nfe-issuance.status-200', same)])[0]?.diagnosis).toBe(shown.hint);
  });

  test('is of one cause with it where the same refusal came there, though a delivery was seen last', () => {
    const actual = '401, code 10009003';
    const facts: Fact[] = [{ name: 'channel', value: 'verification' }];
    const forced = broken('nfe-verification.force-revalidate', { expected: 'taken', actual, facts, isExample: true });
    const seldom = { facts: refused('POST /x'), actual, shared: { wrong: 36, of: 1997 } };
    expect(groups(broken('signature.accepted', seldom), forced)).toHaveLength(1);
  });

  test('is of one cause with it where the same came there', () => {
    expect(groups(base, example('nfe-issuance.status-200', refused('POST /x')))).toHaveLength(1);
  });
});

describe('a way to sign that a check hints at', () => {
  const due = '401, code 10009003 (signature mismatch)';
  const [here, hint] = [at('GET /x'), 'the target takes a sign computed over null'];
  const otherwise: Fact = { name: 'signed', value: 'otherwise' };
  const taken = (actual: string, more: Partial<Shown> = {}): ClauseResult =>
    broken('signature.body-bound', { expected: due, actual, hint, facts: [here, otherwise], isExample: true, ...more });
  const diagnosisOf = (...clauses: ClauseResult[]): (string | undefined)[] =>
    findingsOf(clauses).map(({ diagnosis }) => diagnosis);

  test('is told where something else came than the refusal', () => {
    expect(diagnosisOf(taken('200, no code'))).toEqual([hint]);
  });

  test('is not, where the sign was refused indeed, by another status', () => {
    expect(diagnosisOf(taken('400, code 10009003'))).toEqual([undefined]);
  });

  test('is not, where a right sign gets the same answer', () => {
    const came: Fact[] = [here, { name: 'status', value: '400' }, { name: 'code', value: '7' }];
    const right = { actual: '400, code 7', facts: [...came, { name: 'signed', value: 'right' } as const] };
    const large = broken('nfe-verification.one-megabyte', { ...right, expected: '200', isExample: true });
    const [first, ...others] = findingsOf([taken('400, code 7', { facts: [...came, otherwise] }), large]);
    expect([first?.clauses.length, first?.diagnosis, others]).toEqual([2, undefined, []]);
  });

  test('is not, where the endpoint takes a sign of zeros as well', () => {
    const any = { expected: due, actual: '400, code 7', hint: 'x takes any sign', facts: [here, otherwise] };
    const found = diagnosisOf(taken('400, code 7'), broken('signature.every-endpoint', { ...any, isExample: true }));
    expect(found).toEqual(['x takes any sign']);
  });

  test('is told where right signs are refused for it', () => {
    const facts: Fact[] = [here, { name: 'signed', value: 'right' }];
    const refused = { expected: '200', actual: '401, code 10009003', facts, hint, isExample: true };
    expect(diagnosisOf(broken('cpf-lookup.bare-object', refused))).toEqual([hint]);
  });
});

test('that right signs are refused at one endpoint names what that comes to there', () => {
  const came: Fact[] = [
    at('GET /openapi/v3/consultas/cpf/{cpf}/{nascimento}'),
    { name: 'fault', value: 'none' },
    { name: 'signed', value: 'right' },
    { name: 'status', value: '401' },
    { name: 'code', value: '10009003' },
  ];
  const refused = { actual: '401, code 10009003', facts: came };
  const seldom = broken('signature.accepted', { ...refused, shared: { wrong: 99, of: 477 } });
  const known = broken('cpf-lookup.bare-object', { ...refused, expected: '200', isExample: true });
  const form = { expected: 'an object', actual: 'the body is {"code":10009003}', facts: came, isExample: true };
  const others = ['unknown', 'malformed'].map((name) => broken(`cpf-lookup.${name}`, form));
  expect(findingsOf([known, ...others, seldom]).map(({ clauses }) => clauses[0])).toEqual(['signature.accepted']);
});

test('how one check sent what is refused is no circumstance where what another sent otherwise is refused as well', () => {
  const sent = (transfer: string): ClauseResult =>
    broken('nfe-verification.too-large', { facts: [{ name: 'transfer', value: transfer }], isExample: true });
  const [inChunks, atOnce] = [sent('in chunks'), sent('at once')];
  const both = { ...inChunks, checks: [...inChunks.checks, ...atOnce.checks] };
  expect(findingsOf([inChunks])[0]?.summary).toContain('in chunks');
  expect(findingsOf([both])[0]?.summary).not.toContain('in chunks');
});

describe('lost retries', () => {
  const lost = (id: string, expected: string, actual: string, shared: object): ClauseResult =>
    broken(`webhook-delivery.${id}`, { expected, actual, shared });
  const seldom = lost('other-status-retried', 'a retry within 66 s after the answer 500', 'none', { wrong: 6, of: 79 });

  test('of now and then are named by the clause that no event is lost', () => {
    const any = lost('at-least-once', 'every event, again after it was refused', '1 lost', { wrong: 1, of: 9 });
    expect(groups(seldom, any)).toEqual([['webhook-delivery.at-least-once', 'webhook-delivery.other-status-retried']]);
  });

  test('after one kind of answer throughout are a cause of their own', () => {
    const each = lost('redirect-not-followed', 'a retry after 1 minute', 'none after 302', { wrong: 5, of: 5 });
    expect(groups(seldom, each)).toHaveLength(2);
  });
});

describe('what comes behind a refusal on one connection', () => {
  const before = (value: string): Fact => ({ name: 'before', value, telling: true });
  const broke = (id: string, more: Partial<Shown> = {}): ClauseResult =>
    broken(id, { facts: [before('4xx'), { name: 'status', value: '400' }], actual: `400 for ${id}`, ...more });
  const hint = 'the target takes a sign computed over nothing';
  const node: Node = { by: 'turn', wrong: 3, of: 4 };
  const three = ['signature.mismatch-refused', 'chave-lookup.unknown', 'retirement.gone'].map((id) =>
    broke(id, { hint, shared: { node } }),
  );

  test('is one cause, told by that and by no sign or node', () => {
    const [finding, ...others] = findingsOf(three);
    expect(others).toEqual([]);
    expect([finding?.diagnosis, finding?.node]).toEqual([undefined, undefined]);
    expect(finding?.summary).toContain('next on its connection after an answer of 4xx');
  });

  test('takes with it what came behind one with the same status, though too seldom to tell by itself', () => {
    const seldom = broken('nfe-query.found-by-id', {
      facts: [
        { name: 'before', value: '4xx' },
        { name: 'status', value: '400' },
      ],
    });
    expect(findingsOf([...three, seldom])).toHaveLength(1);
  });

  test('is no cause of two clauses, nor where one is broken behind something else', () => {
    expect(findingsOf(three.slice(0, 2))[0]?.diagnosis).toBeDefined();
    const elsewhere = broken('chave-lookup.malformed', {
      facts: [{ name: 'before', value: '2xx' }],
      expected: 'what chave-lookup.unknown demands',
      actual: '400 for chave-lookup.unknown',
    });
    expect(findingsOf([...three, elsewhere])[0]?.diagnosis).toBeDefined();
  });
});

test('that some right requests are refused as those are to be that pass is one cause on one connection', () => {
  const at = (connection: string, fault: string): Fact[] => [
    { name: 'connection', value: connection },
    { name: 'fault', value: fault },
  ];
  const passes = broken('application.change-in-force', {
    facts: at('41676', 'endpoint not subscribed'),
    expected: '403, code 10009005',
    actual: '404, codigo "X"',
  });
  const refused = (connection: string): ClauseResult =>
    broken('subscription.own-scope-grants', {
      facts: at(connection, 'none'),
      expected: 'accepted',
      actual: '403, code 10009005',
      shared: { wrong: 2, of: 15 },
    });
  expect(groups(passes, refused('41676'))).toHaveLength(1);
  expect(groups(passes, refused('41680'))).toHaveLength(2);
});

test('nothing is found where everything holds', () => {
  expect(findingsOf([passed('echo.bare')])).toEqual([]);
});

const clause = 'retirement.before-subscription';

function run(result: Partial<CheckResult>): Results {
  return judge(sampleFacts, [sampleClause(clause)], [sampleOutcome(clause, result)]);
}

/** What became of the one finding of a run, by what its check came to the next time. */
function became(result: Partial<CheckResult>) {
  const [repeated, ...others] = repeatedFindings(run(sampleFailure), run(result));
  expect(others).toEqual([]);
  return repeated && { state: repeated.state, now: repeated.now };
}

const { error } = sampleFailure;

test('a finding whose check fails in the same way is reproduced, whatever the ids in it', () => {
  expect(became(sampleFailure)).toEqual({ state: 'REPRODUCED', now: undefined });
  const withId = (id: string) => ({ ...sampleFailure, error: { ...error, actual: `403 for ${id}` } });
  const [again] = repeatedFindings(run(withId('11e9-f00d1')), run(withId('42ab-f00d9')));
  expect(again?.state).toBe('REPRODUCED');
});

test('a finding is reproduced, whatever marks tell its hidden texts apart', () => {
  const withMark = (mark: string) => ({ ...sampleFailure, error: { ...error, actual: `"… 33 characters ~${mark}"` } });
  const [again] = repeatedFindings(run(withMark('l0gk')), run(withMark('jdae')));
  expect(again?.state).toBe('REPRODUCED');
});

test('one that was seen in passing, too, is fixed where its check passes', () => {
  const before = run(sampleFailure);
  const passing = { clause: before.clauses[0]?.id ?? '', check: 'in passing' };
  const findings = (before.findings ?? []).map((one) => ({ ...one, evidence: [...one.evidence, passing] }));
  const after = run({});
  const unseen = after.clauses.map((clause) => ({ ...clause, verdict: 'not-exercised' as const }));
  expect(repeatedFindings({ ...before, findings }, { ...after, clauses: unseen })[0]?.state).toBe('FIXED');
});

test('one whose check fails in another way has changed, and it is told how', () => {
  const other = { ...sampleFailure, error: { ...error, actual: '500' } };
  expect(became(other)).toEqual({ state: 'CHANGED', now: '500' });
});

test('one whose checks all pass is fixed', () => {
  expect(became({})).toEqual({ state: 'FIXED', now: undefined });
});

test('one whose check could not be made was not tried, for the reason of the check', () => {
  const reason = 'the control API is gone';
  expect(became({ state: 'not-exercised', reason })).toEqual({ state: 'NOT TRIED', now: reason });
});

test('one that came and went is not fixed by not coming once', () => {
  const before = run(sampleFailure);
  const [finding] = before.findings ?? [];
  if (!finding) throw new Error('no finding');
  const seldom = { ...before, findings: [{ ...finding, observations: { wrong: 3, of: 882 } }] };
  expect(repeatedFindings(seldom, run({}))[0]?.state).toBe('NOT TRIED');
});

test('one that others saw right meanwhile is fixed where its check passes that had failed each time it was tried again', () => {
  const becameOf = (more: Partial<NonNullable<CheckResult['error']>>) => {
    const before = run({ ...sampleFailure, error: { ...error, ...more } });
    const findings = (before.findings ?? []).map((one) => ({ ...one, observations: { wrong: 10, of: 40 } }));
    return repeatedFindings({ ...before, findings }, run({}))[0]?.state;
  };
  expect(becameOf({ again: 3 })).toBe('FIXED');
  // That may be chance: it came one time in four.
  expect(becameOf({ again: 1 })).toBe('NOT TRIED');
  expect(becameOf({})).toBe('NOT TRIED');
});

test('one that came most of the time is fixed where as many answers as tell it were right', () => {
  const before = run(sampleFailure);
  const often = {
    ...before,
    findings: (before.findings ?? []).map((one) => ({ ...one, observations: { wrong: 11, of: 15 } })),
  };
  const now = (bound95: number) => {
    const after = run({});
    const clauses = after.clauses.map((clause) => ({ ...clause, observations: { right: 5, wrong: 0, bound95 } }));
    return repeatedFindings(often, { ...after, clauses })[0]?.state;
  };
  expect(now(0.45)).toBe('FIXED');
  expect(now(0.95)).toBe('NOT TRIED');
});
