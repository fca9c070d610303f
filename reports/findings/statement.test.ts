import { describe, expect, test } from 'vitest';
import type { Fact, Node } from '../../schemas/finding.ts';
import { withBlocked } from '../blocked.ts';
import { inEnglish, languages, type Speech } from '../language.ts';
import { at, broken, open, type Shown } from '../testing/sample-run.ts';
import { findingsOf } from './findings.ts';
import { nodeText } from './node-text.ts';

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

  test('that an endpoint answers one thing whatever it is sent', () => {
    const facts = [at('POST /x'), { name: 'always', value: '404', telling: true }] as const;
    const [finding] = findingsOf([broken('nfe-verification.empty-body', { expected: '400', actual: '404', facts })]);
    expect(finding?.summary).toBe('a request to POST /x, whatever it is like, is answered 404; expected: 400');
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

  test.each([
    ['lets pass whatever is wrong', '200, an empty body', ['10009000', '10009001', '10009002', '10009003']],
    ['fails', '500, code "500"', ['10009003']],
  ])('no way to sign that a target takes which %s', (_, actual, due) => {
    const hint = 'the target takes a sign computed over null for a body';
    const ids = ['required-headers.every-endpoint', 'timestamp.past-refused', 'token.unknown-refused'];
    const facts: Fact[] = [{ ...at('GET /x'), telling: true }];
    const [finding] = findingsOf([
      broken('signature.mismatch-refused', {
        expected: `401, code ${due.at(-1)}`,
        actual,
        hint,
        facts,
      }),
      ...due.slice(0, -1).map((code, nth) => broken(ids[nth] ?? '', { expected: `401, code ${code}`, actual, facts })),
    ]);
    expect(finding?.diagnosis).toBeUndefined();
    expect(finding?.summary).not.toContain('it takes');
  });

  test('that an endpoint serves a page with 200, as one cause, though no sign is looked at there', () => {
    const taken = { hint: 'the target takes a sign computed over the first 65536 bytes of the body' };
    const findings = findingsOf([
      broken('signature.mismatch-refused', { expected: '401, code 10009003', actual: '200, an HTML page', ...taken }),
      broken('envelope.on-every-401', { expected: '401 for a request', actual: '200, an HTML page' }),
      broken('cnpj-lookup.malformed', { expected: '4xx', actual: '200, an HTML page' }),
      broken('cnpj-lookup.bare-object', { expected: 'a bare object that tells of it', actual: 'an HTML page' }),
    ]);
    expect(findings).toHaveLength(1);
    expect(findings[0]?.diagnosis).toMatch(/^a page is sent by/);
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

  test.each<[Parameters<typeof broken>[1], string]>([
    [
      { expected: 'accepted by the gateway', facts: [{ name: 'timestamp', value: 'up to 5 min ahead' }] },
      'a correctly signed request, with a timestamp up to 5 min ahead, is answered 401, code 10009001',
    ],
    [
      { expected: '401, code 10009001', actual: '400, code "E1"', facts: [{ name: 'signed', value: 'right' }] },
      'a request with a timestamp out of time is answered 400, code "E1"; expected: 401, code 10009001',
    ],
  ])('what is wrong with a timestamp, or not: %j', (shown, summary) => {
    const told = broken('timestamp.past-refused', { actual: '401, code 10009001', ...shown });
    expect(findingsOf([told])[0]?.summary).toBe(summary);
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
    [[], 'answers'],
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

  test('that it is deliveries, where nothing but these tells of its topic', () => {
    const [finding] = findingsOf([broken('webhook-delivery.retry-delays')]);
    expect(finding?.summary).toMatch(/^deliveries: /);
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
