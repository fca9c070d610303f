import { expect, test } from 'vitest';
import { recordOf, type RecordWish } from '../../judge/testing/records.ts';
import { sampleOutcome } from '../../reports/testing/sample-run.ts';
import type { CheckOutcome } from '../../schemas/results.ts';
import { lineOf, type RecordLine } from '../../trace/lines.ts';
import { withConstantEndpoints } from './constant-endpoints.ts';

const target = '/openapi/v3/consultas/cnpj/11222333000181';
const endpoint = 'GET /openapi/v3/consultas/cnpj/{cnpj}';

function line(wish: RecordWish): RecordLine {
  const record = recordOf({ method: 'GET', target, caller: {}, nowSeconds: 1000, signing: {}, ...wish });
  const text = typeof wish.body === 'string' ? wish.body : JSON.stringify(wish.body ?? '');
  const body = { text, encoding: 'utf-8', bytes: text.length } as const;
  const response = { status: wish.status ?? 200, headers: [], body };
  const evidence = { request: { method: 'GET', target, headers: [] }, response, durationMs: 1 };
  return lineOf({ check: 'a check', case: 1 }, record, evidence, (name) => name);
}

/** Answers to right and wrong requests by turns. */
const answers = (wishes: readonly RecordWish[]): RecordLine[] =>
  wishes.map((wish, at) => line({ ...(at % 2 === 0 ? {} : { signing: { isSignOfSent: false } }), ...wish }));

const failedAt = (...endpoints: string[]): CheckOutcome =>
  sampleOutcome('cnpj-lookup.malformed', {
    state: 'failed',
    ways: endpoints.map((one) => ({ endpoint: one, expected: '4xx', actual: '200' })),
  });

const alwaysOf = (lines: readonly RecordLine[], outcome = failedAt(endpoint)): string | undefined =>
  withConstantEndpoints([outcome], lines)[0]?.result.shared?.facts.find(({ name }) => name === 'always')?.value;

const six = <T>(of: (at: number) => T): T[] => Array.from({ length: 6 }, (_, at) => of(at));

test('an endpoint that answers one thing to right signs and wrong ones is told of as that', () => {
  expect(alwaysOf(answers(six((at) => ({ status: 404, body: { error: 'Not Found', at } }))))).toBe('404');
});

test.each<[string, RecordLine[]]>([
  ['answers otherwise once', answers(six((at) => ({ status: at === 3 ? 404 : 200 })))],
  ['has another code for another fault', answers(six((at) => ({ status: 401, body: { code: 10009002 + (at % 2) } })))],
  ['has another shape once', answers(six((at) => ({ body: at === 3 ? { a: 1 } : {} })))],
  ['was asked rightly alone', six(() => line({}))],
  ['was asked a few times', answers(six(() => ({}))).slice(1)],
])('an endpoint that %s is not', (_, lines) => {
  expect(alwaysOf(lines)).toBeUndefined();
});

test('what failed at several endpoints, or at another, is no matter of that one', () => {
  const lines = answers(six(() => ({ status: 404 })));
  expect(alwaysOf(lines, failedAt(endpoint))).toBe('404');
  expect(alwaysOf(lines, failedAt(endpoint, 'GET /openapi/other'))).toBeUndefined();
  expect(alwaysOf(lines, failedAt('GET /openapi/other'))).toBeUndefined();
});
