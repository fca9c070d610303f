import { describe, expect, test } from 'vitest';
import type { ClauseResult } from '../../schemas/results.ts';
import { broken } from '../testing/sample-run.ts';
import { findingsOf } from './findings.ts';

const groups = (...clauses: ClauseResult[]): string[][] => findingsOf(clauses).map((finding) => finding.clauses);

describe('clauses that deliveries break belong to one finding', () => {
  test.each<[string, ClauseResult[]]>([
    [
      'where nothing came of one that was due, and of several, on one channel',
      [
        broken('issuance-callback.called-back-when-authorised', { actual: 'none came' }),
        broken('webhook-delivery.at-least-once', {
          actual: '10 lost',
          facts: [{ name: 'channel', value: 'issuance' }],
        }),
      ],
    ],
    [
      'where retries get lost now and then, whatever the answer was',
      [
        broken('webhook-delivery.other-status-retried', {
          expected: 'a retry within 66 s after the answer 500',
          actual: 'none',
          shared: { wrong: 6, of: 79 },
        }),
        broken('webhook-delivery.broken-connection-retried', {
          expected: 'a retry within 66 s after the answer hang-up',
          actual: 'none came',
          shared: { wrong: 4, of: 6 },
        }),
      ],
    ],
    [
      'where retries have event ids of their own, and their times are those of before',
      [
        broken('webhook-delivery.event-id-kept-on-retry', { actual: 'two event ids' }),
        broken('verdict-event.occurred-at', {
          expected: 'a time from 2031-05-17T09:39:52.000Z to 2031-05-18T21:39:52.000Z, by the clock of the application',
          actual: '"2031-05-17T09:34:47.000Z"',
        }),
        broken('webhook-delivery.breaker-opens', {
          expected: 'the events of two verifications',
          actual: 'only the later one',
        }),
      ],
    ],
    [
      'where the timestamp is of another clock, which shows once more on a retry',
      [
        broken('webhook-delivery.timestamp-header', {
          expected: 'the Unix seconds of the attempt, 1936776887',
          actual: '1796050280',
        }),
        broken('webhook-delivery.fresh-timestamp-on-retry', {
          expected: 'the retry with a timestamp of its own',
          actual: '1796050280 once more',
        }),
      ],
    ],
    [
      'where the same header is missing',
      [
        broken('webhook-delivery.delivery-id-header', {
          expected: 'the header X-Service-Delivery-Id',
          actual: 'no such header, or an empty one',
        }),
        broken('webhook-delivery.headers-of-verdicts', {
          expected: 'the five headers of a delivery',
          actual: 'no X-Service-Delivery-Id',
        }),
      ],
    ],
    [
      'where what had no answer is not retried',
      [
        broken('webhook-delivery.broken-connection-retried', { actual: 'none after hang-up' }),
        broken('webhook-delivery.timeout-after-10-seconds', { expected: 'a retry after no answer in time' }),
      ],
    ],
    [
      'where one value comes on a channel that is due for neither',
      [
        broken('verdict-event.event-type', {
          expected: 'verify.completed in body and header',
          actual: '"VERIFY.COMPLETED" and "verify.completed"',
          facts: [{ name: 'channel', value: 'verification' }],
        }),
        broken('webhook-url.test-delivery', {
          expected: 'webhook.verify in body and header',
          actual: '["VERIFY.COMPLETED","webhook.verify"]',
          facts: [{ name: 'channel', value: 'verification' }],
        }),
      ],
    ],
    [
      'where nothing but answers of ours of one class is taken for what it is not',
      [
        broken('webhook-delivery.other-status-retried', {
          expected: 'a retry within 66 s after the answer 400',
          actual: 'none',
        }),
        broken('webhook-url.not-saved-otherwise', {
          expected: 'refused with 422: a test was not acknowledged',
          actual: 'saved after the answer 404',
        }),
      ],
    ],
    [
      'where deliveries go to another address, and don’t come where they are awaited',
      [
        broken('verdict-event.sent-when-settled', { actual: 'nothing came' }),
        broken('webhook-url.called-exactly', { actual: '/path' }),
      ],
    ],
    [
      'where nothing came on one channel, now and then, as its promise shows',
      [
        broken('verdict-event.sent-when-settled', { actual: 'none came', shared: { wrong: 48, of: 415 } }),
        broken('webhook-delivery.at-least-once', {
          actual: 'none, since the application was disabled for a moment',
          facts: [{ name: 'channel', value: 'verification' }],
        }),
      ],
    ],
    [
      'where retries keep their timestamp, and are not counted for that',
      [
        broken('webhook-delivery.fresh-timestamp-on-retry', { actual: '1790000000 once more' }),
        broken('webhook-delivery.five-retries', { expected: '5 retries', actual: '2' }),
      ],
    ],
    [
      'where callbacks name two invoices by one id that is nobody’s',
      [
        broken('webhook-delivery.event-id-kept-on-retry', { actual: 'two event ids' }),
        broken('issuance-callback.nfe-id', { expected: 'Nota-A', actual: '"nota-a"' }),
      ],
    ],
    [
      'where callbacks of two companies name one of them',
      [
        broken('webhook-delivery.event-id-kept-on-retry', { actual: 'two event ids' }),
        broken('issuance-callback.empresa-id', { actual: 'one with another empresaId' }),
      ],
    ],
    [
      'where an answer that acknowledges is counted as a failure, so that callbacks are held back',
      [
        broken('webhook-delivery.acknowledged-by-any-2xx', {
          expected: 'no attempt after the 201',
          actual: '5 more',
        }),
        broken('webhook-delivery.at-least-once', {
          expected: 'every event, again after it was refused',
          actual: '12 lost',
          facts: [{ name: 'channel', value: 'issuance' }],
        }),
      ],
    ],
  ])('%s', (_, clauses) => {
    expect(groups(...clauses)).toHaveLength(1);
  });

  test('where answers of several classes are followed by no retry, and by none of one of them, which is told later', () => {
    const ways = [
      { expected: 'a retry within 66 s after the answer 400', actual: 'none' },
      { expected: 'a retry within 66 s after the answer 304', actual: 'none' },
    ];
    const retried = broken('webhook-delivery.other-status-retried', ways[0]);
    const [one, ...others] = groups(
      broken('webhook-delivery.redirect-not-followed', ways[1]),
      broken('webhook-delivery.breaker-opens', { expected: 'after 30 that were answered with 404', actual: 'more' }),
      { ...retried, checks: retried.checks.map((check) => ({ ...check, ways })) },
    );
    expect([one?.[0], others]).toEqual(['webhook-delivery.other-status-retried', []]);
  });

  test('and what shows the address that they go to, the timestamp that they keep, or what is taken for no failure, is told first', () => {
    const [untaken] = groups(
      broken('webhook-delivery.breaker-opens', { expected: 'after 30 that were answered with 404', actual: 'more' }),
      broken('webhook-delivery.other-status-retried', { expected: 'a retry after the answer 400', actual: 'none' }),
    );
    expect(untaken?.[0]).toBe('webhook-delivery.other-status-retried');
    const [astray] = groups(
      broken('verdict-event.sent-when-settled', { actual: 'nothing came' }),
      broken('webhook-url.called-exactly', { actual: '/path' }),
    );
    const [uncounted] = groups(
      broken('webhook-delivery.five-retries', { expected: '5 retries', actual: '2' }),
      broken('webhook-delivery.fresh-timestamp-on-retry', { shared: { wrong: 2, of: 30 } }),
    );
    expect(astray?.[0]).toBe('webhook-url.called-exactly');
    expect(uncounted?.[0]).toBe('webhook-delivery.fresh-timestamp-on-retry');
  });

  test.each([
    [
      'that an event is lost, before what one check misses for that',
      broken('nfe-verification.force-revalidate', { expected: 'an event with status Cancelada', actual: 'none' }),
      broken('verdict-event.sent-when-settled', { actual: 'none came', shared: { wrong: 4, of: 48 } }),
    ],
    [
      'that a redirect is followed, before the address that it leads to',
      broken('webhook-url.called-exactly', {
        actual: '/a?b',
        shared: { beside: ['webhook-delivery.redirect-not-followed'] },
      }),
      broken('webhook-delivery.redirect-not-followed', {
        actual: 'none',
        shared: { beside: ['webhook-url.called-exactly'] },
      }),
    ],
    [
      'that what was acknowledged comes again, before that it does so where that took its time',
      broken('webhook-delivery.answer-within-10-seconds', { actual: 'a retry' }),
      broken('webhook-delivery.acknowledged-by-any-2xx', { actual: '1 more', shared: { wrong: 45, of: 78 } }),
    ],
  ])('and told first is %s', (_, later, first) => {
    expect(groups(later, first)).toEqual([[first.id, later.id]]);
  });
});

describe('clauses that deliveries break belong to several', () => {
  test('where answers of ours of several classes are taken for what they are not', () => {
    const ways = [
      { expected: 'a retry within 66 s after the answer 400', actual: 'none' },
      { expected: 'a retry within 66 s after the answer 503', actual: 'none' },
    ];
    const retried = broken('webhook-delivery.other-status-retried', ways[0]);
    const two = groups(
      { ...retried, checks: retried.checks.map((check) => ({ ...check, ways })) },
      broken('webhook-url.not-saved-otherwise', {
        expected: 'refused with 422: a test was not acknowledged',
        actual: 'saved after the answer 404',
      }),
    );
    expect(two).toHaveLength(2);
  });

  test('where nothing came at the address that is to be called, nor elsewhere', () => {
    const two = groups(
      broken('webhook-delivery.all-targets', { actual: 'none came' }),
      broken('webhook-url.called-exactly', { actual: 'none came' }),
    );
    expect(two).toHaveLength(2);
  });

  const unheeded = { expected: 'a retry after 1 minute', actual: 'none after 429', isExample: true };
  const retried = broken('webhook-delivery.other-status-retried', unheeded);
  const at = (seconds: string): ClauseResult =>
    broken('webhook-delivery.retry-delays', { actual: `retries after ${seconds} s` });

  test('where an answer is followed by no retry, and retries after others come at instants of their own', () => {
    expect(groups(retried, at('60, 360, 7560, 9360'))).toHaveLength(2);
  });

  test('but to one where the first comes late, or one of them did not come', () => {
    expect(groups(retried, at('120, 420'))).toHaveLength(1);
    expect(groups(retried, at('61, 362, 9361'))).toHaveLength(1);
  });
});
