import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearMissOf } from '../generators/near-miss.ts';
import { projectSchemas } from '../generators/from-schema.ts';
import { codeMessage, echoData, errorEnvelope } from './messages.ts';
import { firstFault, validator } from './validate.ts';

const refusal = { success: false, errorType: 1, code: 10009003, message: 'no' };

describe('a fault is a sentence that names the JSON pointer', () => {
  test.each<[string, object, string]>([
    ['a missing field', { success: false, errorType: 1, code: 1 }, '/message is missing'],
    ['a wrong type', { ...refusal, code: '10009003' }, '/code is "10009003", but is to be an integer'],
    ['another value', { ...refusal, success: true }, '/success is true, but is to be false'],
    [
      'a text of the wrong form',
      { ...refusal, message: ' ' },
      '/message is " ", but is to be a text that is not blank',
    ],
  ])('%s', (_, value, sentence) => {
    expect(validator(errorEnvelope)(value)).toEqual([sentence]);
  });

  test('a field that may not be there', () => {
    const envelope = { code: 1, message: 'no', success: false };
    expect(validator(codeMessage)(envelope)).toEqual(['/success is not expected there']);
  });

  test('a body that is no object', () => {
    expect(validator(errorEnvelope)(undefined)).toEqual(['the body is absent, but is to be an object']);
  });

  test.each([
    ['a text', 'x'.repeat(119), 'a text of 119 characters'],
    ['an array', Array<number>(61).fill(1), 'an array of 61 items'],
    ['an object', { a: 'x'.repeat(120), b: 1 }, 'an object of 2 members'],
  ])('%s of more than 120 characters is told by its size, and nothing of it is shown', (_, success, told) => {
    const fault = `/success is ${told}, but is to be false`;
    expect(validator(errorEnvelope)({ ...refusal, success })).toEqual([fault]);
  });

  test('a value of 120 characters is shown whole', () => {
    const success = 'x'.repeat(118);
    const fault = `/success is "${success}", but is to be false`;
    expect(validator(errorEnvelope)({ ...refusal, success })).toEqual([fault]);
  });
});

test('unknown fields are allowed', () => {
  expect(validator(errorEnvelope)({ ...refusal, traceId: 'a', data: null })).toEqual([]);
});

test('the time of an echo has exactly three fraction digits and is UTC', () => {
  const data = { echo: '', appKey: 'k', appName: 'n' };
  const faults = (serverTime: unknown): number => validator(echoData)({ ...data, serverTime }).length;
  expect(['2026-09-04T12:00:00.000Z', '2026-09-04T12:00:00.123+00:00'].map(faults)).toEqual([0, 0]);
  const wrong = [
    '2026-09-04T12:00:00Z',
    '2026-09-04T12:00:00.1Z',
    '2026-09-04T12:00:00.000-03:00',
    '2026-09-04',
    12,
    null,
  ];
  expect(wrong.map(faults)).toEqual(wrong.map(() => 1));
});

/** What the suite itself writes: large, and nobody sends a near miss of it. */
const own = new Set(['results', 'trace-line', 'history-line']);
const judged = (await projectSchemas()).filter(([name]) => !own.has(name));

test.each(judged)('every near miss of the schema "%s" is found, and the sentence names its place', (_, schema) => {
  const faultsOf = validator(schema);
  fc.assert(
    fc.property(nearMissOf(schema), ({ value, keyword, pointer }) => {
      const faults = faultsOf(value);
      expect(faults).not.toEqual([]);
      const place = keyword === 'additionalProperties' ? `${pointer}/` : pointer || 'the body';
      for (const fault of faults) expect(fault).toContain(place);
    }),
    { numRuns: 40 },
  );
});

describe('the first fault', () => {
  test.each<[string, unknown, string | undefined]>([
    ['is none in a value that fits', refusal, undefined],
    ['is a field that is missing', { success: false, errorType: 1, code: 1 }, '/message is missing'],
    ['is a value of another form, which is not repeated', { ...refusal, code: 's3cr3t' }, '/code is of another form'],
    ['is the whole where that is no object', 's3cr3t', 'the whole is of another form'],
  ])('%s', (_, value, fault) => {
    expect(firstFault(errorEnvelope, value)).toBe(fault);
  });

  test('is a member of another name, which is not repeated', () => {
    const named = { type: 'object', additionalProperties: false, properties: { code: {} } };
    expect(firstFault(named, { code: 1, s3cr3t: 1 })).toBe('the whole has a member of another name');
  });
});

test('of a value with hundreds of thousands of faults the first ones are told', () => {
  const faultsOf = validator({ type: 'array', items: { type: 'integer' } });
  const faults = faultsOf(Array.from({ length: 300_000 }, () => 'no integer'));
  expect(faults).toHaveLength(100);
  expect(faults[0]).toMatch(/^\/0 is "no integer"/);
});
