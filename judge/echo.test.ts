import { describe, expect, test } from 'vitest';
import { observationsOf } from './judge.ts';
import { brokenByHistory, brokenBy, keptBy } from './testing/story.ts';
import { recordOf, type RecordWish } from './testing/records.ts';

const data = { echo: 'olá', appKey: 'k', appName: 'n', serverTime: '2026-09-04T12:00:00.000Z' };
const envelope = { success: true, message: 'ok', data };
const right: RecordWish = { requestBody: '{"message":"olá"}', body: envelope };

describe('an echo that is right', () => {
  test('keeps every clause that it shows', () => {
    expect(keptBy(right)).toEqual([
      'envelope.data-on-success',
      'encoding.of-answers',
      'retirement.standard-endpoints-live',
      'echo.status',
      'echo.platform-envelope',
      'echo.success-true',
      'echo.message-returned',
      'echo.identity-fields',
      'echo.server-time-format',
    ]);
  });

  test.each<[string, RecordWish]>([
    ['more fields', { body: { ...envelope, code: 0, data: { ...data, env: 'x' }, traceId: 'a' } }],
    ['UTC as an offset', { body: { ...envelope, data: { ...data, serverTime: '2026-09-04T12:00:00.000+00:00' } } }],
    ['a message that is spelt with escapes', { requestBody: '\r\n{ "message" :\t"ol\\u00e1" }' }],
  ])('may differ in %s', (_, wish) => {
    expect(brokenBy({ ...right, ...wish })).toEqual([]);
    expect(keptBy({ ...right, ...wish })).toContain('echo.message-returned');
  });
});

describe('an echo that is wrong', () => {
  test.each<[string, RecordWish]>([
    ['echo.status', { status: 201 }],
    ['echo.platform-envelope', { body: 'no JSON' }],
    ['echo.platform-envelope', { body: { ...envelope, message: 1 } }],
    ['echo.success-true', { body: { ...envelope, success: false } }],
    ['envelope.data-on-success', { body: { ...envelope, data: [] } }],
    ['envelope.data-on-success', { body: { success: true, message: 'ok' } }],
    ['echo.message-returned', { body: { ...envelope, data: { ...data, echo: 'ol' } } }],
    [
      'echo.message-returned',
      { target: '/openapi/demo/echo?a=1&message=ol', body: { ...envelope, data: { ...data, echo: 'ol' } } },
    ],
    ['echo.identity-fields', { body: { ...envelope, data: { ...data, appKey: 7 } } }],
    ['echo.server-time-format', { body: { ...envelope, data: { ...data, serverTime: '2026-09-04T12:00:00Z' } } }],
    ['echo.server-time-format', { body: { ...envelope, data: { ...data, serverTime: '2026-13-04T12:00:00.000Z' } } }],
  ])('breaks %s alone: %j', (clause, wish) => {
    expect(brokenBy({ ...right, ...wish })).toEqual([clause]);
  });

  describe('when it is turned down', () => {
    const refused: RecordWish = {
      requestBody: '{"message":"hello there"}',
      requestHeaders: { 'content-type': 'application/json' },
      signing: {},
      caller: {},
      body: { code: 1, message: 'no' },
    };

    test.each([400, 404, 409, 415, 422])('breaks the rule that a right one gets 200: %i', (status) => {
      expect(brokenBy({ ...refused, status })).toEqual(['echo.status']);
    });

    test.each<RecordWish>([
      { status: 429 },
      { status: 413 },
      { status: 400, requestBody: '{"message":""}' },
      { status: 400, requestBody: '{"message":"<script>"}' },
      { status: 415, requestHeaders: { 'content-type': 'text/plain' } },
      { status: 400, signing: { isSignOfSent: false } },
      { status: 404, caller: { standing: { state: 'pending' } } },
    ])('says nothing where a reader may have found it odd, or the gateway did: %j', (wish) => {
      expect(brokenBy({ ...refused, ...wish })).not.toContain('echo.status');
    });
  });

  test('breaks each clause that names what is missing', () => {
    expect(brokenBy({ ...right, body: data })).toEqual(['envelope.data-on-success', 'echo.platform-envelope']);
    const asText = { ...right, body: { ...envelope, success: 'true' } };
    expect(brokenBy(asText)).toEqual(['echo.platform-envelope', 'echo.success-true']);
  });
});

test.each<[string, string]>([
  ['fechamento do dia', 'another text comes back'],
  ['ol&aacute;', 'characters are lost or changed'],
  ['ol?', 'characters are lost or changed'],
  ['ol', 'the message is cut'],
])('what comes back as %j is told as what it is', (echo, words) => {
  const [hint] = observationsOf(recordOf({ ...right, body: { ...envelope, data: { ...data, echo } } })).flatMap(
    ({ broken }) => broken?.hint ?? [],
  );
  expect(hint).toContain(words);
});

describe('a serverTime beside the timestamp that was taken', () => {
  const at = (serverTime: string, wish: RecordWish = {}): RecordWish => ({
    ...right,
    requestHeaders: {
      'content-type': 'application/json',
      timestamp: String(Date.parse('2026-09-04T12:00:00Z') / 1000),
    },
    body: { ...envelope, data: { ...data, serverTime } },
    ...wish,
  });

  test.each(['2026-09-04T09:00:01.200Z', '2026-09-04T17:29:58.000Z'])(
    'that is of another zone is not in UTC: %s',
    (time) => {
      expect(brokenBy(at(time))).toEqual(['echo.server-time-format']);
    },
  );

  test.each(['2026-09-04T12:10:00.000Z', '2026-09-04T11:40:00.000Z', '2026-09-05T12:00:00.000Z'])(
    'that is off as no zone is, and further than a timestamp that is taken, is of another clock: %s',
    (time) => expect(brokenBy(at(time))).toEqual(['echo.server-time-now']),
  );

  test.each(['2026-09-04T12:05:30.000Z', '2026-09-04T11:54:30.000Z'])(
    'that is not further off than a timestamp that is taken says nothing: %s',
    (time) => expect(brokenBy(at(time))).toEqual([]),
  );

  test('of an application with a clock of its own says nothing', () => {
    const caller = { name: 'k', standing: {}, hasOwnClock: true } as const;
    expect(brokenBy(at('2026-09-04T09:00:00.000Z', { caller }))).not.toContain('echo.server-time-format');
  });
});

describe('of a message that somebody may read otherwise nothing is said', () => {
  test.each<[string, RecordWish]>([
    ['there twice', { requestBody: '{"message":"a","message":"b"}' }],
    ['beside another field', { requestBody: '{"message":"a","Message":"b"}' }],
    ['in another media type', { requestHeaders: { 'content-type': 'text/plain' }, requestBody: '{"message":"a"}' }],
    ['in another charset', { requestHeaders: { 'content-type': 'application/json; charset=latin1' } }],
    ['with half of a surrogate pair', { requestBody: '{"message":"\\ud800"}' }],
    ['behind a byte order mark', { requestBody: '\uFEFF{"message":"a"}' }],
    ['no text', { requestBody: '{"message":7}' }],
    [
      'beside a query that is none of plain words',
      { target: '/openapi/demo/echo?a=/b', requestBody: '{"message":"a"}' },
    ],
  ])('%s', (_, wish) => {
    expect(brokenBy({ ...right, ...wish })).toEqual([]);
  });
});

test('a refusal under a 200 is no echo', () => {
  expect(brokenBy({ ...right, body: { success: false, errorType: 1, code: 10009003, message: 'x' } })).toEqual([]);
});

test.each([400, 404, 413, 500, 502, 503, 504])('of a %i nothing is said', (status) => {
  expect(brokenBy({ ...right, status, body: '<html>' })).toEqual([]);
});

describe('an application', () => {
  const echoTo = (name: string, told: object): RecordWish => ({
    ...right,
    caller: { name },
    body: { ...envelope, data: { ...data, appKey: 'NFE_APP_KEY', ...told } },
  });
  const brokenIn = (...wishes: readonly RecordWish[]): string[] => brokenByHistory(wishes.map(recordOf));

  test.each([
    ['echo.app-key', { appKey: 'k-2' }],
    ['echo.app-name', { appName: 'n-2' }],
  ])('that is told of as two breaks %s', (clause, other) => {
    expect(brokenIn(echoTo('NFE_APP_SECRET', {}), echoTo('NFE_APP_SECRET', other))).toEqual([clause]);
  });

  test('whose key was hidden somewhere, since it was sent as a token, is accused of nothing', () => {
    const hidden = echoTo('NFE_APP_SECRET', { appKey: '(another token of 36 characters)' });
    expect(brokenIn(echoTo('NFE_APP_SECRET', {}), hidden)).toEqual([]);
  });

  const at = (sentAtMs: number, wish: RecordWish = {}): RecordWish => ({
    ...echoTo('NFE_APP_SECRET', {}),
    sentAtMs,
    ...wish,
  });

  const onOwnClock: RecordWish = { caller: { name: 'NFE_APP_SECRET', hasOwnClock: true } };

  test('to which the same time is told twelve seconds later breaks echo.server-time-now', () => {
    expect(brokenIn(at(0), at(12_000))).toEqual(['echo.server-time-now']);
    expect(brokenIn(at(0), at(5_000), at(12_000))).toEqual(['echo.server-time-now']);
  });

  test.each<[string, RecordWish]>([
    ['soon', at(8_000)],
    ['on a clock of its own', at(12_000, onOwnClock)],
    ['that was refused', at(12_000, { status: 401 })],
    [
      'that tells another',
      { ...echoTo('NFE_APP_SECRET', { serverTime: '2026-09-04T12:00:12.000Z' }), sentAtMs: 12_000 },
    ],
  ])('may be told the same time again by an echo %s', (_, later) => {
    expect(brokenIn(at(0), later)).toEqual([]);
  });

  test('is told of otherwise than another one, and each time alike', () => {
    const [one, other] = [echoTo('NFE_APP_SECRET', {}), echoTo('NFE_OTHER', { appKey: 'k-2', appName: 'n-2' })];
    expect(brokenIn(one, other, one, other)).toEqual([]);
  });
});
