import { describe, expect, test } from 'vitest';
import { recordOf } from './testing/records.ts';
import { observationsOf } from './judge.ts';

const envelope = { success: false, errorType: 1, code: 10009003, message: 'não confere' };

function brokenIn(json: unknown, status = 401): string[] {
  const record = recordOf({ status, body: typeof json === 'string' ? json : JSON.stringify(json) });
  return observationsOf(record).flatMap(({ clause, broken }) => (broken ? [clause] : []));
}

describe('the envelope of a 401', () => {
  test('that is right breaks nothing, whatever is added to it', () => {
    expect(brokenIn(envelope)).toEqual([]);
    expect(brokenIn({ ...envelope, data: null, traceId: 'x', errors: [] })).toEqual([]);
  });

  test.each([
    ['envelope.success-false-on-errors', { ...envelope, success: true }],
    ['envelope.error-type', { ...envelope, errorType: '1' }],
    ['envelope.code-integer', { ...envelope, code: '10009003' }],
    ['envelope.message-text', { ...envelope, message: ' ' }],
    ['envelope.on-every-401', 'no JSON'],
    ['envelope.on-every-401', [envelope]],
  ])('breaks %s alone', (clause, json) => {
    expect(brokenIn(json)).toEqual([clause]);
  });
});
