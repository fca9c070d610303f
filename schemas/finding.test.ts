import { describe, expect, test } from 'vitest';
import { isCovering, wayOf, wayText, type Way } from './finding.ts';

const found: Way = {
  endpoint: 'POST /openapi/nfe/verify/xml',
  expected: '410, code 10009034',
  actual: '404, no code',
  counterexample: '{"call":"POST /openapi/nfe/verify/xml"}',
};

describe('an entry covers', () => {
  test.each([
    ['nothing but a reason', {}, true],
    ['the check', { check: 'the rule' }, true],
    ['another check', { check: 'another rule' }, false],
    ['the endpoint', { endpoint: 'POST /openapi/nfe/verify/xml' }, true],
    ['another endpoint', { endpoint: 'POST /openapi/nfe/verify/chave' }, false],
    ['a text of what came', { case: '404' }, true],
    ['a text of the case', { case: '"call"' }, true],
    ['a text that is in neither', { case: '410' }, false],
    ['the endpoint, and a text that is in neither', { endpoint: 'POST /openapi/nfe/verify/xml', case: '500' }, false],
  ])('what it names: %s', (_, rest, isCovered) => {
    expect(isCovering({ reason: 'TICKET-1', ...rest }, 'the rule', found)).toBe(isCovered);
  });

  test('no endpoint where the failure shows none', () => {
    const { endpoint: _, ...nowhere } = found;
    expect(isCovering({ reason: 'T', endpoint: 'POST /openapi/demo/echo' }, 'the rule', nowhere)).toBe(false);
  });
});

describe('the text of a way', () => {
  const textOf = (actual: string): string => wayText({ expected: 'e', actual });

  test('has the endpoint, statuses and platform codes', () => {
    expect(wayText(found)).toBe('POST /openapi/nfe/verify/xml: expected 410, code 10009034, actual 404, no code');
  });

  test.each([
    ['a number of another run', '7 retries after 61, 301 s', '12 retries after 60, 301 s'],
    ['an id', 'nfe-8f3a2b1c is unknown', 'nfe-00aa11bb is unknown'],
    ['a time', 'at 2026-11-21T02:00:00.000Z', 'at 2026-12-01T13:45:10.123Z'],
    ['line breaks', 'a\n  b', 'a b'],
  ])('leaves out %s', (_, one, other) => {
    expect(textOf(one)).toBe(textOf(other));
  });

  test.each([
    ['a status', '403, no code', '500, no code'],
    ['a code', '401, code 10009001', '401, code 10009002'],
    ['a word', 'no body', 'no code'],
  ])('tells %s apart', (_, one, other) => {
    expect(textOf(one)).not.toBe(textOf(other));
  });
});

test('a way holds only the start of long texts', () => {
  const long = 'x'.repeat(9_000);
  const { expected, actual, counterexample } = wayOf({ expected: long, actual: long, counterexample: long });
  expect([expected, actual, counterexample].map((text) => text?.length)).toEqual([2_000, 2_000, 4_000]);
});
