import { describe, expect, test } from 'vitest';
import { deniedQuery, refused, type RecordWish } from './testing/records.ts';
import { brokenBy, keptBy } from './testing/verdicts.ts';

const retired: RecordWish = { target: '/openapi/nfe/verify/xml' };
const gone = refused(10009034);

/** One flaw each, with the clause that it breaks where it is served, and its code. */
const flawed: readonly [string, RecordWish, number][] = [
  ['required-headers.token-missing', { signing: { missing: ['token'], isOwnToken: false } }, 10009000],
  ['required-headers.timestamp-missing', { signing: { missing: ['timestamp'], isSignOfSent: false } }, 10009000],
  ['required-headers.sign-missing', { signing: { missing: ['sign'], isSignOfSent: false } }, 10009000],
  ['required-headers.several-missing', { signing: { missing: ['token', 'sign'], isOwnToken: false } }, 10009000],
  ['timestamp.past-refused', { signing: { aheadSeconds: -3600 } }, 10009001],
  ['timestamp.future-refused', { signing: { aheadSeconds: 3600 } }, 10009001],
  ['token.unknown-refused', { signing: { isOwnToken: false } }, 10009002],
  ['token.rotated-refused', { signing: { isOwnToken: false, isFormerToken: true } }, 10009002],
  ['signature.mismatch-refused', { signing: { isSignOfSent: false } }, 10009003],
];

describe('a request with a flaw', () => {
  test.each(flawed)('breaks %s where it is served', (clause, wish) => {
    expect(brokenBy({ ...deniedQuery, caller: {}, ...wish })).toEqual([clause]);
    const notFound = { status: 404, body: [{ codigo: '1', mensagem: 'x' }] };
    expect(brokenBy({ ...deniedQuery, caller: {}, ...notFound, ...wish })).toEqual([clause]);
  });

  test.each(flawed)('keeps %s where it gets its code, and breaks it with another', (clause, wish, code) => {
    expect(keptBy({ ...deniedQuery, caller: {}, ...refused(code), ...wish })).toContain(clause);
    const other = code === 10009003 ? 10009002 : 10009003;
    expect(brokenBy({ ...deniedQuery, caller: {}, ...refused(other), ...wish })).toEqual([clause]);
  });

  test.each(flawed)('breaks the rule of retired paths in place of %s there', (_, wish, code) => {
    expect(brokenBy({ ...retired, ...gone, caller: {}, ...wish })).toContain('retirement.after-authentication');
    expect(keptBy({ ...retired, ...refused(code), caller: {}, ...wish })).toContain('retirement.after-authentication');
  });

  test('in the query string breaks the rule that values count as headers only', () => {
    const wish = {
      ...deniedQuery,
      target: `${deniedQuery.target}?token=x`,
      signing: { missing: ['token' as const] },
      caller: {},
    };
    expect(brokenBy(wish)).toEqual(['required-headers.headers-only']);
  });

  test.each<RecordWish>([
    { signing: { missing: ['token'] }, status: 200, body: '{}', target: '/openapi/v2/empresas/e-1' },
    { signing: { missing: ['token'] }, status: 200, body: { success: false, code: 1, message: 'x' } },
    { signing: { missing: ['token'] }, status: 404, body: { code: 404, message: 'x' } },
    { signing: { missing: ['token'] }, status: 403, body: '<html>' },
    { signing: { missing: ['token'] }, status: 503, body: '' },
    { signing: { isOwnToken: false, repeated: ['token'] } },
    { signing: { isSignOfSent: false }, target: '/openapi/v2/empresas/%61/nf-e/n-1' },
    { signing: { aheadSeconds: 340 }, durationMs: 50_000 },
    // A timestamp near the edge may be refused as that, and by a token that nobody has on another clock.
    { signing: { isSignOfSent: false, aheadSeconds: 299 }, ...refused(10009001) },
    { signing: { isOwnToken: false }, caller: { hasOwnClock: true }, ...refused(10009001) },
    { signing: { isOwnToken: false, isSignOfSent: false }, ...refused(10009003) },
    { signing: { isOwnToken: false }, caller: { standing: { state: 'disabled' } }, ...refused(10009004) },
  ])('says nothing where somebody else may have answered, or where it may be read otherwise: %j', (wish) => {
    expect(brokenBy({ ...deniedQuery, caller: {}, ...wish })).toEqual([]);
  });
});

describe('a right request', () => {
  const right: RecordWish = { ...deniedQuery, signing: {}, caller: {} };

  test('that is served shows that it was authenticated', () => {
    const clauses = ['signature.accepted', 'token.app-secret-accepted', 'timestamp.server-time-accepted'];
    expect(keptBy(right)).toEqual(expect.arrayContaining(clauses));
    expect(brokenBy(right)).toEqual([]);
  });

  test.each([
    ['signature.accepted', 10009003],
    ['signature.accepted', 10009000],
    ['token.app-secret-accepted', 10009002],
    ['timestamp.server-time-accepted', 10009001],
  ])('breaks %s where it is refused with %i', (clause, code) => {
    expect(brokenBy({ ...right, ...refused(code) })).toEqual([clause]);
    expect(brokenBy({ ...right, ...retired, method: 'POST', ...refused(code) })).toEqual([clause]);
  });

  test('with a query breaks the rule that a query is not signed where its sign does not match', () => {
    const queried = { ...right, target: `${deniedQuery.target}?a=1` };
    expect(keptBy(queried)).toContain('signature.query-not-signed');
    expect(brokenBy({ ...queried, ...refused(10009003) })).toEqual(['signature.query-not-signed']);
    expect(brokenBy({ ...queried, ...refused(10009002) })).toEqual([]);
  });

  test.each<RecordWish>([
    { caller: { standing: { subscriptions: [] } } },
    { target: '/openapi/v2/empresas/%61/nf-e/n-1' },
    { signing: { aheadSeconds: -59 }, durationMs: 250_000 },
    { method: 'POST', target: '/openapi/v3/consultas/nf-e/xml', requestBody: '<?xml version="1.0" encoding="x"?><a/>' },
    { requestHeaders: { 'content-type': 'application/json; charset=utf-16' } },
    { requestHeaders: { 'content-encoding': 'gzip' } },
    { signing: { isOwnToken: false, isFormerToken: true }, ...refused(10009002) },
    { body: { code: 401, message: 'Unauthorized' } },
  ])('that may be read otherwise, or of somebody whom nobody knows, accuses nobody: %j', (wish) => {
    const broken = brokenBy({ ...right, ...refused(10009003), ...wish });
    expect(broken.filter((clause) => !clause.startsWith('envelope.'))).toEqual([]);
  });
});

test('an App Secret in an answer is given away, unless it stood in the request', () => {
  const secret = '0123456789abcdef';
  const wish = { ...deniedQuery, requestHeaders: { token: secret }, signing: {}, caller: {} };
  expect(brokenBy({ ...wish, body: { status: 'Negada', x: `a ${secret}` } })).toEqual(['token.secret-not-returned']);
  expect(brokenBy({ ...wish, headers: { 'x-debug': secret } })).toEqual(['token.secret-not-returned']);
  expect(brokenBy({ ...wish, body: { status: 'Negada', x: secret }, requestBody: secret })).toEqual([]);
});
