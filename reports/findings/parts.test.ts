import { describe, expect, test } from 'vitest';
import type { ClauseResult } from '../../schemas/results.ts';
import { broken } from '../testing/sample-run.ts';
import { findingsOf } from './findings.ts';

const always = { wrong: 54, of: 54 };

/** A clause whose records mostly break another one as well. */
function besideIn(id: string, other: string, actual: string, times = always): ClauseResult {
  return broken(id, { actual, shared: { beside: [other], ...times } });
}

describe('what is wrong with one part of a delivery, beside another that is always wrong, is another cause', () => {
  test.each<[string, ClauseResult, ClauseResult]>([
    [
      'a token, and a text',
      besideIn('issuance-callback.token', 'issuance-callback.nfe-id', 'another token'),
      besideIn('issuance-callback.nfe-id', 'issuance-callback.token', '"A??o"', { wrong: 1, of: 1 }),
    ],
    [
      'a signature that is wrong at times, and a token',
      besideIn('webhook-signature.every-delivery', 'issuance-callback.token', 'the signature is wrong', {
        wrong: 5,
        of: 106,
      }),
      broken('issuance-callback.token', { actual: 'another token', shared: always }),
    ],
    [
      'a number in place of a text, and the language of another field',
      broken('verdict-event.c-stat', { actual: '/cStat is 100, but is to be a string or null', shared: always }),
      besideIn('verdict-event.reason-in-english', 'verdict-event.c-stat', 'reason is "O documento"', {
        wrong: 1,
        of: 5,
      }),
    ],
    [
      'one field that is null, and one that is a number',
      besideIn('verdict-event.fields', 'verdict-event.c-stat', '/eventos is null, but is to be an array'),
      besideIn('verdict-event.c-stat', 'verdict-event.fields', '/cStat is 100, but is to be a string or null'),
    ],
  ])('%s', (_, one, other) => {
    expect(findingsOf([one, other])).toHaveLength(2);
  });
});

describe('it is the same cause', () => {
  test.each<[string, ClauseResult, ClauseResult]>([
    [
      'where fields are wrong in one way',
      besideIn('verdict-event.verified-at', 'verdict-event.occurred-at', 'verifiedAt is 2026-12-01T04:31:16.000Z'),
      besideIn('verdict-event.occurred-at', 'verdict-event.verified-at', 'occurred_at is 2026-12-01T04:31:16.000Z'),
    ],
    [
      'where another address is called, with its token',
      besideIn('issuance-callback.token', 'webhook-url.called-exactly', 'another token'),
      besideIn('webhook-url.called-exactly', 'issuance-callback.token', '/other'),
    ],
    [
      'where both are wrong now and then, and then together',
      besideIn('issuance-callback.nfe-id', 'webhook-signature.every-delivery', '"A??o"', { wrong: 5, of: 106 }),
      besideIn('webhook-signature.every-delivery', 'issuance-callback.nfe-id', 'the signature is wrong', {
        wrong: 5,
        of: 106,
      }),
    ],
  ])('%s', (_, one, other) => {
    expect(findingsOf([one, other])).toHaveLength(1);
  });
});
