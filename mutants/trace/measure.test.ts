import { expect, test } from 'vitest';
import { signedRequest } from '../../client/sign.ts';
import { messagesOf } from '../../trace/evidence.ts';
import { lineOf, type RecordLine } from '../../trace/lines.ts';
import { exchangeRecord } from '../../trace/records.ts';
import { measure, measuredLines } from './measure.ts';

const origin = {
  appSecret: 'secret',
  nowSeconds: 1_757_000_000,
  caller: { name: 'a', standing: {}, isMade: true },
} as const;

/** A refused echo without its sign, as a trace has it. */
function refusal(at: number): RecordLine {
  const call = {
    method: 'POST',
    path: '/openapi/demo/echo',
    contentType: 'application/json',
    rawBody: Buffer.from('{}'),
  };
  const request = signedRequest({ call, token: 'secret', timestamp: '1757000000', omit: ['sign'], origin });
  const body = { success: false, code: 10009000, message: 'sem sign', errorType: 1, data: null };
  const response = {
    status: 401,
    headers: [['Content-Type', 'application/json']] as const,
    rawBody: Buffer.from(JSON.stringify(body)),
  };
  const exchange = { request, response, sentAtMs: at, durationMs: 1 };
  const record = exchangeRecord(exchange);
  if (!record) throw new Error('no record');
  const hidden = { mask: (text: string): string => text };
  return lineOf({ check: 'c', case: 1 }, record, messagesOf(exchange, hidden, 1_000), (text) => text);
}

test('what no target may do breaks a clause, what a target is free to do none, and both are counted', () => {
  const measured = measure(
    Array.from({ length: 30 }, (_, at) => refusal(at)),
    1_000,
  );
  expect(measured.accused).toEqual([]);
  expect(measured.breaks.get('envelope.code-integer')).toBeGreaterThan(0);
  expect(measured.breaks.get('required-headers.sign-missing')).toBeGreaterThan(0);
  expect(measuredLines(measured).at(-1)).toMatch(/0 free changes accused$/);
});
