import { describe, expect, test } from 'vitest';
import type { ClauseResult } from '../../schemas/results.ts';
import type { Fact } from '../../schemas/finding.ts';
import { at, broken } from '../testing/sample-run.ts';
import { findingsOf } from './findings.ts';

const groups = (...clauses: ClauseResult[]): string[][] =>
  findingsOf(clauses)
    .map((finding) => finding.clauses)
    .toSorted(([one = ''], [other = '']) => one.localeCompare(other));

const refused: Fact = { name: 'status', value: '401' };
const code = (value: number): Fact => ({ name: 'code', value: String(value) });
const mismatch = '401, code 10009003';
const outOfTime = '401, code 10009001';

describe('two defects of one service are two findings', () => {
  test('where answers that are wrong for the one have besides what is wrong with all of them', () => {
    const two = groups(
      broken('signature.nothing-else-removed', {
        expected: 'accepted by the gateway',
        actual: mismatch,
        shared: { beside: ['envelope.error-type'], wrong: 15, of: 19 },
      }),
      broken('envelope.error-type', { actual: 'errorType is "1"', shared: { wrong: 470, of: 470 } }),
    );
    expect(two).toEqual([['envelope.error-type'], ['signature.nothing-else-removed']]);
  });

  test('but one where they came with the status that was due, so that nothing else is wrong with them', () => {
    const one = groups(
      broken('signature.mismatch-refused', {
        expected: mismatch,
        actual: '401, no code',
        shared: { beside: ['envelope.code-integer'] },
      }),
      broken('envelope.code-integer', { actual: 'code is null', shared: { wrong: 470, of: 470 } }),
    );
    expect(one).toHaveLength(1);
  });

  test('and one where both are about the form in one topic, or show the same text', () => {
    const [text, throughout] = ['"gateway.errors.gone"', { wrong: 119, of: 119 }];
    const ofTopic = groups(
      broken('retirement.english-text', { shared: { beside: ['retirement.replacement-in-every-language'] } }),
      broken('retirement.replacement-in-every-language', { shared: throughout }),
    );
    const ofText = groups(
      broken('language.language-header', {
        actual: `one in pt: ${text}`,
        shared: { beside: ['envelope.message-text'] },
      }),
      broken('envelope.message-text', { actual: `message is ${text}`, shared: throughout }),
    );
    expect([ofTopic, ofText].map(({ length }) => length)).toEqual([1, 1]);
  });

  test('where right requests are refused with a code, and that refusal has a wrong form', () => {
    const records = [{ name: 'fault', value: 'none' }, { name: 'status', value: '403' }, code(10009005)] as const;
    const two = groups(
      broken('subscription.own-scope-grants', {
        expected: 'accepted by the gateway',
        actual: '403, code 10009005',
        facts: records,
        shared: { beside: ['errors.envelope-of-403'] },
      }),
      broken('errors.envelope-of-403', {
        actual: '/errorType is missing',
        facts: records,
        shared: { beside: ['subscription.own-scope-grants'] },
      }),
    );
    expect(two).toHaveLength(2);
  });

  test('where the code is a text, and another one than is due', () => {
    const beside = ['envelope.code-integer'];
    const two = groups(
      broken('required-headers.headers-only', {
        expected: '401, code 10009000',
        actual: '401, code "10009003"',
        shared: { beside, wrong: 3, of: 7 },
      }),
      broken('envelope.code-integer', { actual: 'code is "10009003"', shared: { wrong: 516, of: 516 } }),
    );
    expect(two).toHaveLength(2);
  });

  test('where a fault passes to the 410, and the text of each 410 is wrong', () => {
    const two = groups(
      broken('retirement.after-authentication', {
        expected: outOfTime,
        actual: '410, code 10009034',
        facts: [{ name: 'status', value: '410' }, code(10009034)],
        shared: { beside: ['retirement.replacement-named'], wrong: 7, of: 23 },
      }),
      broken('retirement.replacement-named', {
        actual: '"gateway.errors.gone"',
        facts: [{ name: 'status', value: '410' }, code(10009034)],
        shared: { wrong: 52, of: 52 },
      }),
    );
    expect(two).toHaveLength(2);
  });

  test('where a message is wrong each time, and the one that it stands on less often', () => {
    const two = groups(
      broken('language.language-header', { actual: 'one in pt', shared: { wrong: 119, of: 119 } }),
      broken('timestamp.past-refused', { expected: outOfTime, actual: '200, no code', shared: { wrong: 28, of: 40 } }),
    );
    expect(two).toHaveLength(2);
  });

  test('where right requests are refused now and then, and more refusals than these have a wrong field', () => {
    const two = groups(
      broken('signature.accepted', { actual: mismatch, facts: [refused], shared: { wrong: 33, of: 354 } }),
      broken('envelope.error-type', {
        actual: 'errorType is "1"',
        facts: [refused],
        shared: { wrong: 470, of: 470 },
      }),
    );
    expect(two).toHaveLength(2);
  });

  test('where right requests are refused now and then, and others by another code', () => {
    const two = groups(
      broken('signature.accepted', {
        actual: mismatch,
        facts: [refused, code(10009003)],
        shared: { wrong: 33, of: 354 },
      }),
      broken('timestamp.past-refused', {
        expected: outOfTime,
        actual: '401, code 10009000',
        facts: [refused, code(10009000)],
      }),
    );
    expect(two).toHaveLength(2);
  });

  test('where two faults pass, and an endpoint says of both what it says of any probe', () => {
    const probed = '404, codigo "EMPRESA-DESCONHECIDA"';
    const two = groups(
      broken('timestamp.milliseconds-refused', { expected: outOfTime, actual: probed }),
      broken('signature.token-signed', { expected: mismatch, actual: probed }),
    );
    expect(two).toHaveLength(2);
  });

  test('where of two faults the one passes, and a right request is refused as if it had the other', () => {
    const two = groups(
      broken('precedence.order-of-401', { expected: outOfTime, actual: mismatch, facts: [at('GET /n')] }),
      broken('signature.xml-line-breaks', { expected: 'accepted by the gateway', actual: mismatch }),
    );
    expect(two).toHaveLength(2);
  });

  test('where a third clause is broken in the ways of both', () => {
    const gone = { expected: '410, code 10009034', actual: '410, code 10009011' };
    const other = { expected: outOfTime, actual: '401, code 10009000', facts: [refused, code(10009000)] };
    const two = groups(
      broken('retirement.gone', { ...gone, facts: [{ name: 'status', value: '410' }, code(10009011)] }),
      broken('timestamp.past-refused', other),
      broken('retirement.after-authentication', { ...other, otherWays: [gone], shared: { wrong: 5, of: 22 } }),
    );
    expect(two).toEqual([['retirement.gone'], ['timestamp.past-refused', 'retirement.after-authentication']]);
  });
});
