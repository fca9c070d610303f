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

  test('where what was to be refused succeeds, and the answer has what is wrong with many besides', () => {
    const two = groups(
      broken('timestamp.past-refused', {
        expected: outOfTime,
        actual: '200, no code',
        shared: { beside: ['echo.server-time-format'], wrong: 12, of: 48 },
      }),
      broken('echo.server-time-format', { actual: '"2029-01-01T00:02:53.0Z"', shared: { wrong: 124, of: 389 } }),
    );
    expect(two).toHaveLength(2);
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

  test('where right requests are refused at one place, and what came at others is wrong in itself', () => {
    const three = groups(
      broken('signature.accepted', { expected: 'accepted by the gateway', actual: '403, no code', isExample: true }),
      broken('nfe-issuance.error-array', { actual: '/1/mensagem is ""', shared: { wrong: 33, of: 33 } }),
      broken('webhook-delivery.media-type', {
        actual: '"text/json"',
        facts: [{ name: 'channel', value: 'issuance' }],
        shared: { wrong: 184, of: 184 },
      }),
    );
    expect(three).toHaveLength(3);
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

  test('where nearly each message is wrong, so that some of what is wrong besides is so in those alone, by chance', () => {
    const shared = { beside: ['language.on-echo'], wrong: 4, of: 196 };
    const messages = { actual: 'one in en: "Success"', shared: { wrong: 174, of: 203 } };
    const two = groups(broken('echo.message-returned', { shared }), broken('language.on-echo', messages));
    const one = groups(
      broken('echo.message-returned', { shared: { ...shared, wrong: 40 } }),
      broken('language.on-echo', messages),
    );
    expect([two, one].map(({ length }) => length)).toEqual([2, 1]);
  });

  test('where each message of a 410 says what it is not to say, and lacks a member beside it', () => {
    const two = groups(
      broken('retirement.replacement-named', {
        actual: '"use another endpoint"',
        shared: { beside: ['envelope.success-false-on-errors'], wrong: 58, of: 58 },
      }),
      broken('envelope.success-false-on-errors', {
        actual: 'success is missing',
        shared: { beside: ['retirement.replacement-named'], wrong: 58, of: 58 },
      }),
    );
    expect(two).toHaveLength(2);
  });

  test('where a fault passes to the 410, and each 410 has another code', () => {
    const shown = [{ name: 'status', value: '410' }, code(10009011)] as const;
    const [expected, actual] = ['410, code 10009034', '410, code 10009011'];
    const two = groups(
      broken('retirement.after-authentication', {
        expected: outOfTime,
        actual,
        facts: shown,
        shared: { beside: ['retirement.not-implemented-code-gone'], wrong: 5, of: 19 },
      }),
      broken('retirement.gone', { expected, actual, facts: shown, shared: { wrong: 44, of: 44 } }),
      broken('retirement.not-implemented-code-gone', {
        expected: 'a code other than 10009011',
        actual,
        facts: shown,
        shared: { beside: ['retirement.gone'], wrong: 162, of: 214 },
      }),
    );
    expect(two).toEqual([
      ['retirement.after-authentication'],
      ['retirement.gone', 'retirement.not-implemented-code-gone'],
    ]);
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

describe('clauses belong to findings of their own', () => {
  test('where they have nothing in common', () => {
    expect(groups(broken('echo.bare'), broken('verdict-event.version'))).toHaveLength(2);
  });

  test('where whatever stands before the service stopped the one by 403, and the other by 413', () => {
    const due = '401, code 10009003 (signature mismatch)';
    const two = groups(
      broken('signature.query-not-signed', { expected: due, actual: '403, no code' }),
      broken('precedence.gateway-before-endpoint', { expected: due, actual: '413, no code' }),
    );
    expect(two).toHaveLength(2);
  });

  test('where the one application that may not call gets the code of another, and the other is served', () => {
    const two = groups(
      broken('application.pending-refused', { expected: '403, code 10009015', actual: '403, code 10009004' }),
      broken('application.integrator-disabled-refused', { expected: '403, code 10009014', actual: '200, no code' }),
    );
    expect(two).toHaveLength(2);
  });

  test('where an unknown id finds what another one names, and where it is refused in another form', () => {
    const two = groups(
      broken('nfe-query.unknown-id', { expected: 'an array', actual: '404, a body that is no JSON' }),
      broken('nfe-query.found-by-id', { expected: '200', actual: '404, codigo "E1"' }),
    );
    expect(two).toHaveLength(2);
  });

  test('where the one got a success, and one that is wrong comes now and then for the one below', () => {
    const two = groups(
      broken('issuance-callback.xml-link-alive', {
        actual: 'what is no document',
        facts: [{ name: 'status', value: '200' }],
        shared: { wrong: 2, of: 9 },
      }),
      broken('issuance-callback.xml-of-the-invoice', { actual: '200, an empty body', isExample: true }),
    );
    expect(two).toHaveLength(2);
  });

  test('where one field is of another form than the same one elsewhere', () => {
    const two = groups(
      broken('envelope.code-integer', { expected: 'code is an integer', actual: 'code is "10009000"' }),
      broken('errors.envelope-of-410', { actual: '/code is null, but is to be an integer' }),
    );
    expect(two).toHaveLength(2);
  });

  test('where some right requests are refused as those are to be that pass', () => {
    const two = groups(
      broken('timestamp.server-time-accepted', {
        expected: 'accepted',
        actual: '401, code 10009001',
        facts: [{ name: 'fault', value: 'none' }, at('POST /a')],
        shared: { wrong: 3, of: 30 },
      }),
      broken('timestamp.milliseconds-refused', {
        expected: '401, code 10009001',
        actual: '200, no code',
        facts: [at('POST /b')],
      }),
    );
    expect(two).toHaveLength(2);
  });

  test('where the one stands on the other, but they were seen at different endpoints', () => {
    const two = groups(
      broken('nfe-query.status-known', { facts: [at('GET /n')] }),
      broken('issuance-callback.agrees-with-query', { facts: [at('POST /m')] }),
    );
    expect(two).toHaveLength(2);
  });

  test('where the one stands on the other, but the one is wrong in answers and the other in deliveries', () => {
    const two = groups(
      broken('signature.accepted', { facts: [{ name: 'status', value: '401' }] }),
      broken('issuance-callback.all-fields', { facts: [{ name: 'channel', value: 'issuance' }] }),
    );
    expect(two).toHaveLength(2);
  });

  test('where an order of faults stands on both, and was seen at the endpoint of the one', () => {
    const [cancellation, lookup] = [[at('DELETE /x')], [at('GET /y')]];
    const due = '401, code 10009000';
    const two = groups(
      broken('required-headers.sign-missing', { expected: due, actual: mismatch, facts: cancellation }),
      broken('precedence.401-before-429', { expected: due, actual: mismatch, facts: cancellation }),
      broken('rate-limit.refused', { expected: '429, code 10009006', actual: '200', facts: lookup, isExample: true }),
    );
    expect(two).toEqual([['rate-limit.refused'], ['required-headers.sign-missing', 'precedence.401-before-429']]);
  });
});
