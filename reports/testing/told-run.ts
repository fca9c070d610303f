import type { CheckOutcome, ExchangeEvidence, Results } from '../../schemas/results.ts';
import type { HistoryLine, MutantsRecord } from '../../schemas/stored.ts';
import { historyLineOf } from '../history.ts';
import { judge } from '../judge.ts';
import { modelOf, type ReportModel } from '../model.ts';
import {
  sampleClause,
  sampleExchange,
  sampleFacts,
  sampleFailure,
  sampleOutcome,
  sampleResults,
} from './sample-run.ts';

const base = sampleExchange();
const race = '/openapi/v2/empresas/1/nf-e';

/** An exchange with an invoice, sent at that millisecond. */
function racing(method: string, at: number, durationMs: number, status?: string): ExchangeEvidence {
  const text = JSON.stringify({ data: { status } });
  const target = method === 'POST' ? race : `${race}/a`;
  const body = { text, encoding: 'utf-8', bytes: text.length } as const;
  return { request: { method, target, headers: [] }, at, durationMs, response: { status: 200, headers: [], body } };
}

/** A delivery that came, and what it was answered. */
function received(answered: number | 'hang-up'): ExchangeEvidence {
  const headers: [string, string][] = [['X-Service-Event', 'invoice.verify.completed']];
  const body = { text: '{"version":"1.0"}', encoding: 'utf-8', bytes: 17 } as const;
  return {
    request: { method: 'POST', target: '/hook', headers, body },
    received: true,
    answered,
    at: Date.UTC(2026, 10, 21, 2, 0, 7, 123),
    connection: 40_258,
    rightSignature: '9f3c5d0e7a1b2c3d4e5f60718293a4b6',
    durationMs: 12,
  };
}

const all = (['token', 'path', 'body', 'timestamp'] as const).map((sent) => ({ sent }));
const signed = (of: typeof all): NonNullable<NonNullable<ExchangeEvidence['signing']>['digest']> => ({
  hash: 'md5',
  of,
});
const signing = base.signing ?? { secret: '', token: { text: '' }, timestamp: [], sign: { text: '' } };

/** Exchanges that a page says something of their own of: who called, how it was signed on purpose, bytes that are no text. */
const particular: ExchangeEvidence[] = [
  { ...base, signing: { ...signing, digest: signed(all.toReversed()) }, caller: { standing: { state: 'disabled' } } },
  {
    ...base,
    signing: { ...signing, sign: { as: 'upper-case' } },
    caller: { standing: { integratorState: 'disabled', subscriptions: [] }, isMade: true },
  },
  {
    ...base,
    signing: { ...signing, digest: { hash: 'sha256', of: all } },
    caller: { standing: { rateLimit: { limit: 3, windowSeconds: 60 } }, hasOwnClock: true },
  },
  {
    ...base,
    signing: { ...signing, sign: { text: '' } },
    request: { ...base.request, target: `/${'a'.repeat(500)}`, headers: [] },
    error: 'ECONNRESET',
  },
  {
    ...base,
    request: { ...base.request, body: { text: 'AAEC', encoding: 'base64', bytes: 3 } },
    response: { status: 200, headers: [], body: { text: 'cut', encoding: 'utf-8', bytes: 9_000, cut: true } },
  },
];

const steered = [
  { at: 0, method: 'POST', path: '/applications', json: { state: 'disabled' }, status: 201 },
  {
    at: 1,
    method: 'POST',
    path: '/applications/app-1/clock',
    json: { advanceSeconds: 660, wait: 'none' },
    status: 200,
  },
  { at: 2, method: 'PUT', path: '/never/heard/of', status: 404 },
];

const two = ['/openapi/nfe/verify/xml', '/openapi/nfe/verify/chave'].map((path) => ({
  endpoint: `POST ${path}`,
  expected: '410, code 10009034',
  actual: '404, no code',
}));

const outcomes: readonly CheckOutcome[] = [
  ...['echo.a', 'echo.mended'].map((id) => sampleOutcome(id, { exchanges: [base], exchangesMade: 1_200 })),
  {
    ...sampleOutcome('echo.sure', { cases: 40 }),
    seen: {
      'echo.sure': { right: 1_200, wrong: 0, bound95: 0.0025, over: [{ name: 'endpoint', values: 12 }] },
      'echo.a': { right: 57, wrong: 0, bound95: 0.0512 },
    },
    shapes: [
      {
        endpoint: 'echo',
        status: 200,
        responses: 1_234,
        contentTypes: ['application/json', 'text/xml'],
        fields: [
          { pointer: '', types: ['object'], always: true },
          { pointer: '/message', types: ['null', 'string'], always: false },
        ],
      },
      { endpoint: 'other', status: 404, responses: 7, contentTypes: [], fields: [] },
    ],
    order: [
      { first: 'disabled', second: 'old path', firstCode: 10009004, secondCode: 10009034 },
      { first: 'bad sign', second: 'old path', firstCode: 10009003, secondCode: 10009034 },
      { first: 'limit', second: 'bad sign', firstCode: 10009006, secondCode: 10009003 },
      { first: 'bad sign', second: 'unheard-of' },
    ],
    ladders: [
      { channel: 'issuance', source: 'real-time', retriesSeconds: [61, 362], watchedSeconds: 362 },
      { channel: 'verification', source: 'stored', retriesSeconds: [60, 301, 1_800], watchedSeconds: 9_000 },
    ],
  },
  sampleOutcome('echo.a', { name: 'the other half', state: 'not-exercised', reason: 'needs a receiver' }),
  sampleOutcome('echo.known', { ...sampleFailure, endpoint: two[0]?.endpoint ?? '' }),
  ...['echo.stale', 'echo.flaky'].map((id) =>
    sampleOutcome(id, id === 'echo.flaky' ? { flaky: ['failed', 'passed'] } : {}),
  ),
  sampleOutcome('echo.warned', sampleFailure),
  ...['echo.open', 'echo.recommended'].map((id) =>
    sampleOutcome(id, { state: 'not-exercised', reason: 'needs a clock' }),
  ),
  sampleOutcome('echo.withheld', { state: 'not-exercised', reason: 'needs leave' }),
  {
    ...sampleOutcome('retirement.gone', {
      ...sampleFailure,
      exchanges: [base],
      exchangesMade: 90,
      steered,
      ways: two,
      story: [{ kind: 'call', evidence: base }],
    }),
    kept: ['GET /openapi/cadastro/cnpj/{cnpj}'],
  },
  sampleOutcome('retirement.replacement-named', {
    ...sampleFailure,
    error: { ...sampleFailure.error, title: 'the 410 names what replaces it', premise: true },
  }),
  sampleOutcome('retirement.english-text', {
    ...sampleFailure,
    error: { title: 'the English text', expected: 'This API has been retired', actual: 'gone\nfor good' },
    replay: "npm test -- --clause retirement.english-text --seed 1 --path 0 --check 'at 1:2'",
    exchanges: particular,
    flaky: ['failed', 'failed otherwise'],
  }),
  sampleOutcome('webhook-delivery.redirect-not-followed', {
    ...sampleFailure,
    ways: two,
    exchanges: [received(200), received('hang-up')],
  }),
  sampleOutcome('nfe-query.waits', {
    ...sampleFailure,
    exchanges: [racing('POST', 1000, 20), racing('DELETE', 1100, 40), racing('GET', 1110, 10, 'Autorizada')],
    error: { ...sampleFailure.error, premise: true },
  }),
];

const special = {
  'echo.warned': sampleClause('echo.warned', { level: 'implied' }),
  'echo.recommended': sampleClause('echo.recommended', { level: 'should' }),
  'echo.withheld': sampleClause('echo.withheld', { needs: ['real-issuance'] }),
};
const ids = [...new Set(outcomes.map(({ clause }) => clause))];
const clauses = [
  ...ids.map((id) => Object.entries(special).find(([name]) => name === id)?.[1] ?? sampleClause(id)),
  sampleClause('echo.unseen', { unobservable: 'it is shown in a console' }),
];

/** A run that has something of everything that reports tell of. */
function toldResults(): Results {
  const entry = { reason: 'TICKET-12', endpoint: two[0]?.endpoint ?? '', by: 'Ana', until: '2026-12-31' };
  return judge(
    {
      ...sampleFacts,
      mayIssueForReal: false,
      productionIssuances: 2,
      clock: { movable: false, skewSeconds: 0 },
      sideEffects: { companies: 2, certificates: 2, addresses: 1, invoices: 31, cancellations: 8 },
      bound: { atMost: 0.05, confidence: 0.95, answers: 59 },
      knownDeviations: { 'echo.known': [entry], 'echo.stale': 'TICKET-13' },
    },
    clauses,
    outcomes,
  );
}

/** A run of that day in which these clauses failed; some of today's were not known then. */
function earlier(startedAt: string, failing: readonly string[], unknown: readonly string[]): Results {
  const known = [...ids, 'echo.gone'].filter((id) => !unknown.includes(id));
  return judge(
    { ...sampleFacts, startedAt, target: { ...sampleFacts.target, implementation: 'simulator 0.0.9' } },
    known.map((id) => sampleClause(id)),
    known.map((id) => sampleOutcome(id, failing.includes(id) ? sampleFailure : {})),
  );
}

/** What the nights did not judge yet. */
const later = ['retirement.english-text', 'nfe-query.waits', 'webhook-delivery.redirect-not-followed'];

const nights: HistoryLine[] = [
  earlier('2026-11-18T02:00:00.000Z', ['echo.known'], later),
  earlier('2026-11-19T02:00:00.000Z', ['retirement.gone', 'echo.mended', 'echo.known'], later),
].map((run) => historyLineOf(run, '0.1.0'));

const mutants: MutantsRecord = {
  format: 'nfe-conformance/mutants@1',
  at: '2026-11-20T02:00:00.000Z',
  suite: { version: '0.0.9' },
  seed: 1,
  mutants: 2,
  variants: 7,
  accused: 1,
  catches: [
    { mutant: 'a', clause: 'echo.a', caughtBy: ['check'] },
    { mutant: 'b', clause: 'echo.b', caughtBy: [] },
  ],
};

/** That run as its reports tell it, compared with runs before it, in a language that knows one sentence of the suite. */
export function toldModel(): ReportModel {
  return modelOf(toldResults(), {
    history: nights,
    baseline: earlier('2026-11-20T02:00:00.000Z', ['echo.mended', 'nfe-query.waits'], later.slice(0, 1)),
    mutants,
    inPortuguese: (english) => english.replace('needs a clock', 'precisa de um relógio'),
  });
}

/** A run in which all holds, the first of its target. */
export function rightModel(): ReportModel {
  const right = ['echo.a', 'echo.b'];
  return modelOf(
    judge(
      { ...sampleFacts, filter: '--topic echo', clock: { movable: true } },
      right.map((id) => sampleClause(id)),
      right.map((id) => sampleOutcome(id)),
    ),
    {
      mutants: 'unreadable',
      baseline: { ...sampleResults(), target: { ...sampleFacts.target, baseUrl: 'https://nfe.example' } },
    },
  );
}
