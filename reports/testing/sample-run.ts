import type { Clause } from '../../contract/clause.ts';
import { leftBehind } from '../../contract/endpoints.ts';
import type { CheckOutcome, CheckResult, ExchangeEvidence, Results, ClauseResult } from '../../schemas/results.ts';
import type { ObservedShape } from '../../schemas/observed.ts';
import type { Step } from '../../schemas/evidence.ts';
import { judge, type RunFacts } from '../judge.ts';
import { catalogue, isJudged } from '../../contract/catalogue.ts';
import type { Fact, Shared } from '../../schemas/finding.ts';

/** Facts of a run to test with. */
export const sampleFacts: RunFacts = {
  target: {
    kind: 'sandbox',
    baseUrl: 'http://127.0.0.1:8080',
    implementation: 'simulator 0.1.0',
    control: true,
    profile: 'profiles/default',
  },
  suite: { version: '0.1.0', commit: '1a2b3c4d5e6f' },
  clock: { movable: true, skewSeconds: 0 },
  startedAt: '2026-11-21T02:00:00.000Z',
  durationMs: 83_400,
  seed: 1729,
  numRuns: 100,
  requests: 12_345,
  productionIssuances: 0,
  mayIssueForReal: true,
  sideEffects: leftBehind(() => 0),
  strict: false,
  knownDeviations: {},
};

/** A clause to test with: a must clause of the service unless said otherwise. */
export function sampleClause(id: string, rest: Partial<Clause> = {}): Clause {
  return { id, section: '4.3', level: 'must', binds: 'service', statement: `What ${id} says.`, ...rest };
}

/** An outcome of a check of that clause. */
export function sampleOutcome(clause: string, result: Partial<CheckResult> = {}): CheckOutcome {
  const name = `the rule of ${clause} holds`;
  const file = `specs/${clause.split('.')[0]}.spec.ts`;
  return {
    clause,
    result: { name, file, state: 'passed', durationMs: 12, cases: 1, assertions: 3, ...result },
  };
}

/** What a failed check hands over besides its name. */
export const sampleFailure = {
  state: 'failed',
  error: {
    title: 'an unsubscribed application on a retired path gets 410',
    expected: '410, code 10009034, platform envelope',
    actual: '403, code 10009005',
    hint: 'the subscription is checked before retirement',
  },
  counterexample: '{"path":"/openapi/nfe/verify/xml","body":"<a/>"}',
  replay: 'npm test -- --clause retirement.before-subscription --seed 1729 --path 0:2',
} as const satisfies Partial<CheckResult>;

/** An exchange to test with. */
export function sampleExchange(): ExchangeEvidence {
  const sentText = '<nfe>\r\n  <a>á</a>\n</nfe>';
  return {
    request: {
      method: 'POST',
      target: '/openapi/nfe/verify/xml',
      headers: [
        ['token', '$NFE_APP_SECRET_UNSUBSCRIBED'],
        ['timestamp', '1795226400'],
        ['Sign', '9f3c5d0e7a1b2c3d4e5f60718293a4b5'],
        ['content-type', 'application/xml'],
      ],
      body: { text: sentText, encoding: 'utf-8', bytes: 26 },
    },
    stringToSign: {
      text: '$NFE_APP_SECRET_UNSUBSCRIBED/openapi/nfe/verify/xml<nfe>  <a>á</a></nfe>1795226400',
      encoding: 'utf-8',
      bytes: 98,
      parts: [
        { name: 'token', length: 28 },
        { name: 'path', length: 23 },
        { name: 'body', length: 21 },
        { name: 'timestamp', length: 10 },
      ],
    },
    signing: {
      secret: '$NFE_APP_SECRET_UNSUBSCRIBED',
      token: { between: ['', ''] },
      timestamp: [{ clock: 'seconds', offsetSeconds: 0 }],
      digest: { hash: 'md5', of: [{ sent: 'token' }, { sent: 'path' }, { sent: 'body' }, { sent: 'timestamp' }] },
      sign: { between: ['', ''] },
    },
    response: {
      status: 403,
      headers: [['Content-Type', 'application/json']],
      body: {
        text: '{"success":false,"errorType":1,"code":10009005,"message":"Endpoint não subscrito"}',
        encoding: 'utf-8',
        bytes: 84,
      },
    },
    durationMs: 4.2,
  };
}

/** Text as a hostile target might send it: markup, quotes, escape sequences, line breaks, and a great deal of it. */
export const hostileText = [
  '</script><img src=x onerror=alert(1)>',
  '"\' onmouseover="alert(1)" ]]> --> </pre></details>',
  '\u001b[31mred\u001b]8;;http://evil.example\u0007\u009b2J\u0000\u0008\u007f\ufffe\ud800\u202e\u2028',
  '\r\n## Conformant\r\n\r\n[a](javascript:alert(1)) ![b](http://evil.example/x.png) `c` | d | @everyone #1',
  'x'.repeat(30_000),
].join('\n');

/** What a check saw besides, to test with. */
function sampleObservations(text: string): Pick<CheckOutcome, 'shapes' | 'order' | 'ladders'> {
  const fields: ObservedShape['fields'] = [
    { pointer: '', types: ['object'], always: true },
    { pointer: `/${text}`, types: ['null', 'string'], always: false },
  ];
  return {
    shapes: [{ endpoint: 'echo', status: 200, responses: 3, contentTypes: [text], fields }],
    order: [
      { first: text, second: 'retired path', firstCode: 10009003, secondCode: 10009034 },
      { first: 'no subscription', second: 'retired path', firstCode: 10009005, secondCode: 10009034 },
    ],
    ladders: [{ channel: 'verification', source: 'stored', retriesSeconds: [60, 361], watchedSeconds: 900 }],
  };
}

/** A run with one clause of each verdict; only the failed one is in a topic of its own. */
export function sampleResults(): Results {
  const implied = sampleClause('echo.warned', { level: 'implied' });
  const unseen = sampleClause('echo.unseen', { unobservable: 'it is shown in a console' });
  const story: Step[] = [{ kind: 'call', evidence: sampleExchange() }];
  const failure = { ...sampleFailure, exchanges: [sampleExchange()], story };
  const outcomes = [
    { ...sampleOutcome('echo.passed', { flaky: ['failed', 'passed'] }), ...sampleObservations('message') },
    sampleOutcome('echo.passed', { state: 'not-exercised', reason: 'needs a receiver', name: 'the other half' }),
    sampleOutcome('echo.known', failure),
    sampleOutcome('echo.warned', failure),
    sampleOutcome('echo.open', { state: 'not-exercised', reason: 'needs a clock' }),
    sampleOutcome('echo.withheld', { state: 'not-exercised', reason: 'needs leave' }),
    sampleOutcome('retirement.before-subscription', failure),
  ];
  const ids = ['echo.passed', 'echo.known', 'echo.open', 'retirement.before-subscription'];
  const withheld = sampleClause('echo.withheld', { needs: ['real-issuance'] });
  const clauses = [...ids.map((id) => sampleClause(id)), implied, withheld, unseen];
  const facts = { ...sampleFacts, mayIssueForReal: false, knownDeviations: { 'echo.known': 'TICKET-12' } };
  return judge(facts, clauses, outcomes);
}

/** A run in which every text that can come from outside is hostile. */
export function hostileResults(text = hostileText): Results {
  const body = { text, encoding: 'utf-8', bytes: text.length } as const;
  const exchange: ExchangeEvidence = {
    request: {
      method: text,
      target: text,
      headers: [
        [text, text],
        ['token', text],
        ['sign', text],
      ],
      body,
    },
    stringToSign: body,
    response: { status: 200, headers: [[text, text]], body },
    error: text,
    durationMs: 1,
  };
  const failure: Partial<CheckResult> = {
    state: 'failed',
    name: text,
    error: { title: text, expected: text, actual: text, hint: text, premise: true },
    counterexample: text,
    replay: text,
    flaky: [text],
    exchanges: [exchange],
  };
  const facts = {
    ...sampleFacts,
    target: { kind: text, baseUrl: text, implementation: text, control: false, profile: text },
    startedAt: text,
    filter: text,
    knownDeviations: { 'echo.known': text },
  };
  const clauses = [
    sampleClause('echo.failed', { statement: text }),
    sampleClause('echo.known'),
    sampleClause('echo.warned', { level: 'should' }),
    sampleClause('echo.open'),
    sampleClause('echo.unseen', { unobservable: text }),
  ];
  const failed = ['echo.failed', 'echo.known', 'echo.warned'].map((id) => sampleOutcome(id, failure));
  const open = sampleOutcome('echo.open', { state: 'not-exercised', reason: text });
  const part = sampleOutcome('echo.failed', { state: 'not-exercised', reason: text, name: text });
  return judge(facts, clauses, [...failed, { ...open, ...sampleObservations(text) }, part]);
}

/** How large a run is that is far larger than the suite makes: 2,000 checks that kept 50,000 exchanges, each fourth of whose clauses fails. */
const [topics, clausesOfTopic, checksOfClause, exchangesOfCheck, oneFailsOf] = [20, 20, 5, 25, 4];

/** How many clauses it has. */
export const clausesOfLargeRun = topics * clausesOfTopic;

/** That run, to test and to measure reports with: the same each time. */
export function largeRun(): Results {
  const ids = Array.from({ length: clausesOfLargeRun }, (_, index) => clauseId(index));
  const clauses = ids.map((id, index) => sampleClause(id, index % 3 === 0 ? { level: 'should' } : {}));
  const outcomes = ids.flatMap((id, index) => outcomesOf(id, index % oneFailsOf === 0));
  return judge(sampleFacts, clauses, outcomes);
}

/** A run over each eighth clause of the catalogue, all of which have failed. */
export function failedRun(): Results {
  const clauses = catalogue.filter(isJudged).filter((_, index) => index % 8 === 0);
  const failure = { ...sampleFailure, exchanges: [sampleExchange(), sampleExchange()] };
  return judge(
    sampleFacts,
    clauses,
    clauses.map(({ id }) => sampleOutcome(id, failure)),
  );
}

function clauseId(index: number): string {
  return `topic-${Math.floor(index / clausesOfTopic)}.clause-${index % clausesOfTopic}`;
}

function outcomesOf(id: string, isFailed: boolean): CheckOutcome[] {
  return Array.from({ length: checksOfClause }, (_, index) =>
    sampleOutcome(id, {
      ...(isFailed ? sampleFailure : {}),
      name: `rule ${index} of ${id} holds`,
      exchanges: Array.from({ length: exchangesOfCheck }, (_, position) => exchange(`${id}/${index}/${position}`)),
    }),
  );
}

function exchange(place: string): ExchangeEvidence {
  const { request, ...rest } = sampleExchange();
  return { ...rest, request: { ...request, target: `/openapi/${place}` } };
}

/** What a clause is broken by. */
export interface Shown {
  readonly expected?: string;
  readonly actual?: string;
  readonly hint?: string;
  readonly facts?: readonly Fact[];
  readonly shared?: Partial<Shared>;
  /** What was due and what came otherwise. */
  readonly otherWays?: readonly { readonly expected: string; readonly actual: string }[];
  readonly verdict?: ClauseResult['verdict'];
  /** A check failed with it; nothing was looked through. */
  readonly isExample?: boolean;
  /** The check did not come to its own rule. */
  readonly isPremise?: boolean;
}

/** A clause that does not hold, seen in passing. */
export function broken(id: string, shown: Shown = {}): ClauseResult {
  const { expected = `what ${id} demands`, actual = `what broke ${id}`, hint, facts = [], verdict = 'failed' } = shown;
  const shared = { records: [1], facts: [...facts], beside: [], wrong: 3, of: 3, ...shown.shared };
  const more = { ...(hint ? { hint } : {}), ...(shown.isPremise ? { premise: true as const } : {}) };
  const error = { title: id, expected, actual: `${actual}, in all 3 that were seen`, ...more };
  return {
    ...passed(id),
    verdict,
    checks: [
      {
        name: 'in passing',
        file: 'judge',
        state: 'failed',
        durationMs: 0,
        cases: 3,
        assertions: 3,
        ...(shown.isExample ? {} : { inPassing: true }),
        error,
        ways: [{ expected, actual }, ...(shown.otherWays ?? [])],
        shared,
      },
    ],
  };
}

/** A clause that holds. */
export function passed(id: string): ClauseResult {
  return { id, section: '4', level: 'must', binds: 'service', statement: id, verdict: 'passed', checks: [] };
}

/** A clause that could not be put to the test, as its set-up was refused. */
export function open(id: string, trouble: 'target' | 'settings', exchangesMade: number): ClauseResult {
  const check = { name: id, file: 'specs/x.spec.ts', durationMs: 0, cases: 0, assertions: 0, exchangesMade, trouble };
  return { ...passed(id), verdict: 'not-exercised', checks: [{ ...check, state: 'not-exercised', reason: 'refused' }] };
}

/** Where it was seen. */
export const at = (endpoint: string): Fact => ({ name: 'endpoint', value: endpoint });
