import { describe, expect, test } from 'vitest';
import type { ClauseResult, CheckResult, Results } from '../../schemas/results.ts';
import type { Fact, Node } from '../../schemas/finding.ts';
import {
  at,
  broken,
  open,
  passed,
  type Shown,
  sampleClause,
  sampleFacts,
  sampleFailure,
  sampleOutcome,
} from '../testing/sample-run.ts';
import { withBlocked } from '../blocked.ts';
import { findingsOf, repeatedFindings } from './findings.ts';
import { inEnglish, languages, type Speech } from '../language.ts';
import { nodeText } from './statement.ts';
import { judge } from '../judge.ts';

const groups = (...clauses: ClauseResult[]): string[][] => findingsOf(clauses).map((finding) => finding.clauses);

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

  test('is of one cause with it where the same came there', () => {
    expect(groups(base, example('nfe-issuance.status-200', refused('POST /x')))).toHaveLength(1);
  });
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

describe('a finding is named', () => {
  test('by the rule of signing that is broken by most of what it is about, where few right requests are refused', () => {
    const way = { expected: 'accepted by the gateway', actual: '401, code 10009003' };
    const all = [
      broken('echo.message-returned', { ...way, facts: [at('POST /openapi/demo/echo')] }),
      broken('signature.accepted', { ...way, shared: { wrong: 80, of: 1000 } }),
      broken('signature.line-breaks-removed', { ...way, shared: { wrong: 13, of: 23 } }),
      broken('signature.json-as-sent', { ...way, shared: { wrong: 20, of: 22 } }),
    ];
    expect(groups(...all)[0]?.slice(0, 3)).toEqual([
      'signature.json-as-sent',
      'signature.line-breaks-removed',
      'signature.accepted',
    ]);
  });

  test('by the rule of signing whose own check failed, where few of the wrong signs pass and nothing else is about it', () => {
    const way = { expected: '401, code 10009003', actual: '200, no code' };
    const tried = {
      name: 'a check',
      file: 'specs/x.spec.ts',
      state: 'failed',
      durationMs: 0,
      cases: 1,
      assertions: 1,
    } as const;
    const all = (wrong: number): string | undefined =>
      groups(broken('signature.mismatch-refused', { ...way, shared: { wrong, of: 119 } }), {
        ...broken('signature.body-bound', way),
        alsoHeld: true,
        checks: [{ ...tried, error: { title: 'a check', ...way } }],
      })[0]?.[0];
    expect(all(3)).toBe('signature.body-bound');
    expect(all(119)).toBe('signature.mismatch-refused');
  });

  test('by what came and is wrong, before what did not come', () => {
    const facts = [{ ...at('x'), telling: true }] as const;
    const [first] = groups(
      broken('webhook-delivery.other-status-retried', { facts, actual: 'none after 304' }),
      broken('webhook-delivery.redirect-not-followed', { facts, actual: 'none after 302' }),
      broken('issuance-callback.all-fields', { facts, actual: 'nfeId is missing' }),
    );
    expect(first?.[0]).toBe('issuance-callback.all-fields');
  });

  test('by the foundation where its rules of signing are broken no more often than it', () => {
    const way = { expected: 'accepted by the gateway', actual: '401, code 10009003' };
    const all = [
      broken('signature.accepted', { ...way, shared: { wrong: 100, of: 1000 } }),
      broken('signature.json-as-sent', { ...way, shared: { wrong: 5, of: 40 } }),
    ];
    expect(groups(...all)[0]?.[0]).toBe('signature.accepted');
  });

  test('by a rule of the gateway rather than by that of an endpoint which the gateway let nothing through to', () => {
    const way = { facts: [at('POST /openapi/demo/echo')], actual: '401, code 10009003' };
    const all = [
      broken('echo.message-returned', { ...way, expected: 'accepted by the gateway' }),
      broken('signature.accepted', { ...way, expected: 'accepted: all three headers are right' }),
    ];
    expect(groups(...all)[0]?.[0]).toBe('signature.accepted');
  });

  test('by what several others of it stand on', () => {
    const way = { expected: 'accepted by the gateway', actual: '401, code 10009003' };
    const ids = ['echo.status', 'token.app-secret-accepted', 'signature.accepted', 'retirement.gone'];
    expect(groups(...ids.map((id) => broken(id, way)))[0]?.[0]).toBe('signature.accepted');
  });

  test('by a clause on the endpoint that all of it was seen at', () => {
    const way = { facts: [at('POST /openapi/demo/echo')], expected: 'x', actual: 'y' };
    expect(groups(broken('token.unknown-refused', way), broken('echo.whole-pipeline', way))[0]?.[0]).toBe(
      'echo.whole-pipeline',
    );
  });

  test('by what fails the run rather than by what only warns or is accepted', () => {
    const way = { expected: 'x', actual: 'y' };
    expect(
      groups(broken('echo.bare', { ...way, verdict: 'known' }), broken('verdict-event.version', way))[0]?.[0],
    ).toBe('verdict-event.version');
  });
});

describe('a finding tells', () => {
  const refused = {
    expected: 'accepted by the gateway',
    actual: '401, code 10009003',
    facts: [{ name: 'fault', value: 'none' }],
  } satisfies Shown;

  test('what the target does, with the way to sign that it takes, whichever check has found it', () => {
    const hint = 'the target takes a sign computed over the path without /openapi';
    const [finding] = findingsOf([broken('signature.accepted', refused), broken('echo.status', { ...refused, hint })]);
    expect(finding?.summary).toBe(
      'every correctly signed request is answered 401, code 10009003; it takes a sign computed over the path without /openapi',
    );
  });

  test('no hint of a clause that another one explains', () => {
    const hint = 'the Language header is not followed';
    const way = { actual: 'message is "10009"' };
    const [finding, ...others] = findingsOf([
      broken('envelope.message-text', way),
      broken('language.language-header', { ...way, hint }),
    ]);
    expect(others).toEqual([]);
    expect(finding).not.toHaveProperty('diagnosis');
  });

  test('that a cache answers, where what is broken says so, as one cause whatever it breaks', () => {
    const hint = 'the answer is an earlier one, which a cache had kept: its headers say so';
    const findings = findingsOf([
      broken('signature.mismatch-refused', { expected: '401', actual: '404, no code', hint }),
      broken('nfe-cancellation.status-becomes-cancelada', { expected: 'Cancelada', actual: 'Autorizada', hint }),
    ]);
    expect(findings.map(({ summary }) => summary)).toEqual([
      expect.stringMatching(/; the answer is an earlier one, which a cache/),
    ]);
  });

  test('that a server in front answers with pages, as one cause whatever it breaks, and not what others hint at', () => {
    const taken = { hint: 'the target takes a sign computed over the body with its line breaks' };
    const due = '401, code 10009003 (signature mismatch)';
    const findings = findingsOf([
      broken('signature.accepted', {
        expected: 'accepted by the gateway',
        actual: '403, an HTML page',
        shared: { wrong: 16, of: 741 },
      }),
      broken('signature.xml-line-breaks', {
        expected: due,
        actual: '400, an HTML page',
        ...taken,
        shared: { wrong: 10, of: 24 },
      }),
      broken('retirement.gone', { expected: '410, code 10009034', actual: '403, an HTML page' }),
      broken('nfe-issuance.malformed-json', { expected: 'an array of objects', actual: 'an HTML page' }),
      broken('echo.bare', { actual: '200, no code' }),
    ]);
    expect(findings).toHaveLength(2);
    expect(findings[0]?.id).toBe('signature.accepted');
    expect(findings[0]?.summary).toMatch(
      /is answered 403, an HTML page; a page is sent by what stands before the service/,
    );
  });

  test('that a wrong sign is taken of the requests that had one, however many these were', () => {
    const hint = 'the target takes a sign computed with SHA-1';
    const passed = {
      expected: '401, code 10009003 (signature mismatch)',
      actual: '200, no code',
      facts: [{ name: 'fault', value: 'signature mismatch' }],
      hint,
    } satisfies Shown;
    expect(findingsOf([broken('signature.md5', passed)])[0]?.summary).toBe(
      'a request with the fault “signature mismatch” is answered 200, no code; expected: 401, code 10009003 (signature mismatch); it takes a sign computed with SHA-1',
    );
  });

  test('that any sign is taken where signs are that were computed in many ways, and such as are none', () => {
    const way = { expected: '401, code 10009003 (signature mismatch)', actual: '200, no code' };
    const ways = ['with SHA-1', 'without the path', 'with MD5 twice', 'without the token', 'over "" for a body'];
    const rules = ['md5', 'path-bound', 'order', 'token-signed', 'body-bound'];
    const facts = [{ name: 'signed', value: 'otherwise' }] satisfies Fact[];
    const shown = ways.map((name, at) =>
      broken(`signature.${rules[at]}`, { ...way, facts, hint: `the target takes a sign computed ${name}` }),
    );
    const [finding] = findingsOf([broken('signature.mismatch-refused', { ...way, facts }), ...shown]);
    expect(finding?.summary).toBe(
      'a request with a wrong sign is answered 200, no code; expected: 401, code 10009003 (signature mismatch); it takes any sign',
    );
  });

  test.each([
    [
      'transfer',
      'in chunks',
      'a correctly signed request, with its body sent in chunks, is answered 401, code 10009003',
    ],
    ['transfer', 'at once', 'a correctly signed request is answered 401, code 10009003'],
    ['query', 'sent', 'a correctly signed request, with a query, is answered 401, code 10009003'],
  ] as const)('how requests were sent, where that is unusual: %s %s', (name, value, summary) => {
    const facts = [...refused.facts, { name, value }] satisfies Fact[];
    expect(findingsOf([broken('signature.accepted', { ...refused, facts })])[0]?.summary).toBe(summary);
  });

  test.each([
    [
      'rate-limited',
      'a correctly signed request, of an application that is rate-limited, is answered 401, code 10009003',
    ],
    ['active', 'a correctly signed request is answered 401, code 10009003'],
  ])('who called, where that is unusual: %s', (caller, summary) => {
    const facts = [...refused.facts, { name: 'caller', value: caller }] satisfies Fact[];
    expect(findingsOf([broken('signature.accepted', { ...refused, facts })])[0]?.summary).toBe(summary);
  });

  test.each<[readonly Fact[], string]>([
    [[{ name: 'status', value: '400' }], 'answers with status 400'],
    [
      [
        { name: 'fault', value: 'none' },
        { name: 'signed', value: 'right' },
      ],
      'answers to correctly signed requests',
    ],
    [[], 'seen'],
  ])('which answers are wrong, where they come from several endpoints', (facts, which) => {
    const way = { expected: 'an array', actual: '/0/codigo is missing', facts };
    expect(findingsOf([broken('nfe-issuance.error-array', way)])[0]?.summary).toBe(
      `${which}: /0/codigo is missing; expected: an array`,
    );
  });

  test('no hint of another clause where a sign is taken that is none', () => {
    const way = { expected: '401, code 10009003 (signature mismatch)', actual: '200, no code' };
    const hint = 'the sign is compared without case';
    const all = [broken('signature.mismatch-refused', way), broken('signature.upper-case-refused', { ...way, hint })];
    expect(findingsOf(all)[0]).not.toHaveProperty('diagnosis');
  });

  test('the clauses that it blocks, also those that could not be put to the test since their set-up was refused', () => {
    const clauses = [
      broken('signature.accepted', refused),
      open('nfe-query.bare-object', 'target', 3),
      open('nfe-query.status-known', 'settings', 2),
      open('application.disabled-refused', 'settings', 0),
    ];
    const [finding] = findingsOf(withBlocked(clauses));
    expect(finding?.blocked).toEqual(['nfe-query.bare-object', 'nfe-query.status-known']);
  });

  test('what was done when something did not come, where it came for all that others did', () => {
    const summaryOf = (names: readonly string[]): string | undefined => {
      const shown = {
        expected: 'a delivery',
        actual: 'none came',
        facts: [{ name: 'channel', value: 'issuance' }],
        shared: { wrong: 3, of: 9 },
      } satisfies Shown;
      const seen = broken('issuance-callback.called-back-when-authorised', shown);
      const { checks } = broken(seen.id, { ...shown, isExample: true });
      const tried = checks.flatMap((check) => names.map((name) => ({ ...check, name })));
      return findingsOf([{ ...seen, checks: [...seen.checks, ...tried] }])[0]?.summary;
    };
    expect(summaryOf(['one check'])).toBe(
      'deliveries on the issuance channel, for “one check”: nothing came; expected: a delivery',
    );
    expect(summaryOf(['one check', 'another check'])).toBe(
      'deliveries on the issuance channel: nothing came; expected: a delivery',
    );
  });

  test('how much of what was seen is wrong, and in which checks', () => {
    const [finding] = findingsOf([broken('echo.bare')]);
    expect(finding).toMatchObject({
      observations: { wrong: 3, of: 3 },
      evidence: [{ clause: 'echo.bare', check: 'in passing' }],
    });
  });

  test('the same id in every run, whatever was counted; another where it hangs on an endpoint', () => {
    const [one] = findingsOf([broken('echo.bare', { shared: { wrong: 1, of: 9 } })]);
    const [other] = findingsOf([broken('echo.bare', { facts: [{ ...at('POST /x'), telling: true }] })]);
    expect([one?.id, other?.id]).toEqual(['echo.bare', 'echo.bare@POST /x']);
  });
});

test('nothing is found where everything holds', () => {
  expect(findingsOf([passed('echo.bare')])).toEqual([]);
});

test.each<[Node, string]>([
  [{ by: 'header', name: 'x-node', value: 'b', wrong: 1, of: 3 }, 'only the node does it that says “x-node: b”'],
  [{ by: 'header', name: 'x-node', wrong: 2, of: 3 }, '2 of 3 values of the header x-node'],
  [{ by: 'connection', wrong: 2, of: 8 }, 'it comes over 2 of 8 connections, each time, and over none of the others'],
  [{ by: 'turn', wrong: 1, of: 2 }, 'it comes every 2nd time: 1 of 2 nodes that take turns do it'],
  [{ by: 'share', wrong: 1, of: 8 }, 'it comes about one time in 8, whatever the connection'],
])('a node is told by what tells it from the others: %j', (node, told) => {
  expect(nodeText(node, inEnglish)).toContain(told);
});

test('each language has words for each way, and shows what came from the target as it is told to', () => {
  const ways: readonly Node['by'][] = ['header', 'cookie', 'clock', 'address', 'connection', 'turn', 'share'];
  for (const language of languages) {
    const speech: Speech = { language, say: (text) => text.toUpperCase() };
    const texts = ways.map((by) => nodeText({ by, name: 'x', value: 'abc', wrong: 1, of: 4 }, speech));
    expect(new Set(texts).size).toBe(ways.length);
    expect(texts[0]).toContain('ABC');
  }
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
