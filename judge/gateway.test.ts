import { describe, expect, test } from 'vitest';
import { type RecordWish, deniedQuery, refused } from './testing/records.ts';
import { brokenBy, keptBy } from './testing/story.ts';
import type { Standing } from '../contract/request.ts';

describe('gateway', () => {
  const error = { success: false, errorType: 1, message: 'não' };

  describe('a 403 or 429 of the gateway', () => {
    test.each<RecordWish>([
      { status: 403, body: { ...error, code: 10009005, traceId: 'x', data: null } },
      { status: 429, body: { ...error, errorType: 3, code: 10009006 } },
    ])('that is right breaks nothing: %j', (wish) => {
      expect(brokenBy(wish)).toEqual([]);
      expect(keptBy(wish)).toContain(`errors.envelope-of-${wish.status}`);
    });

    test.each<[string, RecordWish]>([
      ['errors.envelope-of-403', { status: 403, body: { ...error, errorType: 2, code: 10009005 } }],
      ['errors.envelope-of-403', { status: 403, body: { ...error, code: '10009004' } }],
      ['errors.envelope-of-403', { status: 403, body: { code: 10009005, message: 'x' } }],
      ['errors.envelope-of-429', { status: 429, body: { ...error, errorType: 'x', code: 10009006 } }],
      ['errors.envelope-of-429', { status: 429, body: { ...error, success: true, code: 10009006 } }],
      ['errors.envelope-of-403', { status: 403, body: '<html>blocked</html>', signing: {} }],
      ['errors.envelope-of-403', { status: 403, body: { message: 'Forbidden' }, signing: {} }],
      ['errors.envelope-of-429', { status: 429, body: { message: 'Too Many Requests' }, signing: {} }],
      ['errors.envelope-of-429', { status: 429, body: { code: 429, message: 'slow down' }, signing: {} }],
      ['rate-limit.refused', { status: 429, body: { ...error, code: 10009007 } }],
    ])('breaks %s alone: %j', (clause, wish) => {
      expect(brokenBy(wish)).toEqual([clause]);
    });

    test.each<RecordWish>([
      { status: 403, body: '<html>blocked</html>', isRightlySigned: false },
      { status: 403, body: { message: 'Forbidden' }, target: '/openapi/demo/./echo', signing: {} },
      { status: 429, body: { message: 'Too Many Requests' }, isRightlySigned: false },
      { status: 403, target: '/elsewhere', body: { code: 10009005 } },
    ])('of a request that is not right may come from what stands before the service: %j', (wish) => {
      expect(brokenBy(wish)).toEqual([]);
    });
  });

  describe('the status of a right request', () => {
    const lookup = { method: 'GET', target: '/openapi/v3/consultas/cnpj/00000000000000', signing: {} };
    const query = { ...deniedQuery, signing: {} };
    const upload = { method: 'POST', target: '/openapi/v1/empresas/1/certificadoDigital', signing: {} };

    test.each<RecordWish>([
      { ...lookup, status: 500, body: { code: 'E1', message: 'x' } },
      { ...lookup, status: 302 },
      { ...upload, requestHeaders: { 'content-type': 'multipart/form-data; boundary=a' }, status: 500 },
      { ...query, status: 500, body: '' },
      { ...query, status: 409, body: [{ codigo: 'a', mensagem: 'b' }] },
      { ...query, status: 200, method: 'DELETE', body: [{ codigo: 'a', mensagem: 'b' }] },
      { ...lookup, status: 200, body: { code: 'E1', message: 'x' } },
    ])('is one that its endpoint has: %j', (wish) => {
      expect(brokenBy(wish)).toEqual(['errors.own-statuses']);
    });

    test.each<RecordWish>([
      { ...lookup, status: 404, body: { code: 'E1', message: 'x' } },
      { ...lookup, status: 422, body: { code: 'E1', message: 'x' } },
      { ...lookup, status: 503 },
      { ...query, status: 414 },
      { ...lookup, status: 200, body: { code: 0, message: 'OK' } },
      { ...query, status: 200, method: 'DELETE', body: [{ codigo: '0', mensagem: 'Sucesso' }] },
      { ...lookup, status: 200, body: { code: 'E1', message: 'x', razaoSocial: 'y' } },
      { ...query, status: 500, signing: { isSignOfSent: false } },
      { ...upload, requestHeaders: { 'content-type': 'multipart/form-data' }, status: 500 },
      { ...lookup, target: '/openapi/v3/consultas/nf-e/1', status: 500, body: { code: 'E1', message: 'x' } },
    ])('is nothing to be accused of: %j', (wish) => {
      expect(brokenBy(wish)).not.toContain('errors.own-statuses');
    });
  });
});

describe('authentication', () => {
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

    test.each(flawed)(
      'keeps %s where it gets its code, and breaks it with another, or its code under another status',
      (clause, wish, code) => {
        expect(keptBy({ ...deniedQuery, caller: {}, ...refused(code), ...wish })).toContain(clause);
        const other = code === 10009003 ? 10009002 : 10009003;
        expect(brokenBy({ ...deniedQuery, caller: {}, ...refused(other), ...wish })).toEqual([clause]);
        expect(brokenBy({ ...deniedQuery, caller: {}, ...refused(code), status: 500, ...wish })).toContain(clause);
      },
    );

    test.each(flawed)('breaks the rule of retired paths in place of %s there', (_, wish, code) => {
      expect(brokenBy({ ...retired, ...gone, caller: {}, ...wish })).toContain('retirement.after-authentication');
      expect(keptBy({ ...retired, ...refused(code), caller: {}, ...wish })).toContain(
        'retirement.after-authentication',
      );
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
      {
        method: 'POST',
        target: '/openapi/v3/consultas/nf-e/xml',
        requestBody: '<?xml version="1.0" encoding="x"?><a/>',
      },
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
});

describe('standing', () => {
  const query: RecordWish = { ...deniedQuery, signing: {} };
  const ownScope = '/openapi/v2/empresas/{xx}/nf-e/{xx}';

  const conditions: readonly [string, Standing, RecordWish][] = [
    ['application.disabled-refused', { state: 'disabled' }, refused(10009004)],
    ['application.pending-refused', { state: 'pending' }, refused(10009015)],
    ['application.rejected-refused', { state: 'rejected' }, refused(10009015)],
    ['application.integrator-disabled-refused', { integratorState: 'disabled' }, refused(10009014)],
    ['subscription.missing-refused', { subscriptions: [] }, refused(10009005)],
    ['subscription.own-scope-missing', { subscriptions: ['/openapi/v2/empresas/{xx}/nf-e'] }, refused(10009005)],
    ['rate-limit.refused', { rateLimit: { limit: 0, windowSeconds: 60 } }, refused(10009006)],
  ];

  describe('an application that may not call', () => {
    test.each(conditions)('keeps %s where it gets its code', (clause, standing, own) => {
      expect(keptBy({ ...query, ...own, caller: { standing } })).toContain(clause);
    });

    test.each(conditions.slice(0, 6))('breaks %s where it is served', (clause, standing) => {
      expect(brokenBy({ ...query, caller: { standing } })).toEqual([clause]);
    });

    test('may be served once more than its limit says without a word on whether there is one', () => {
      expect(brokenBy({ ...query, caller: { standing: { rateLimit: { limit: 0, windowSeconds: 60 } } } })).toEqual([]);
    });

    test.each(conditions.slice(0, 5))('breaks %s with the code of another', (clause, standing, own) => {
      const other = JSON.stringify(own).includes('10009004') ? 10009015 : 10009004;
      expect(brokenBy({ ...query, ...refused(other), caller: { standing } })).toEqual([clause]);
    });

    test.each<[Standing, RecordWish]>([
      [{ state: 'disabled' }, refused(10009005)],
      [{ state: 'disabled', subscriptions: [] }, refused(10009015)],
      [{ state: 'disabled' }, refused(10009002)],
      [{ state: 'disabled' }, { signing: { isSignOfSent: false }, ...refused(10009003) }],
      [{ subscriptions: [ownScope] }, {}],
      [{ rateLimit: { limit: 3, windowSeconds: 60 } }, refused(10009006)],
    ])('may be refused by another of its conditions, or for another fault: %j %j', (standing, wish) => {
      expect(brokenBy({ ...query, ...wish, caller: { standing } })).toEqual([]);
    });
  });

  describe('an application that may call', () => {
    test.each([
      ['application.disabled-refused', 10009004],
      ['application.pending-refused', 10009015],
      ['application.integrator-disabled-refused', 10009014],
      ['subscription.own-scope-grants', 10009005],
    ])('breaks %s where it is refused with %i', (clause, code) => {
      expect(brokenBy({ ...query, ...refused(code), caller: {} })).toEqual([clause]);
    });

    test('breaks the rule of scopes where its own scope does not grant an endpoint', () => {
      const caller = { standing: { subscriptions: [ownScope] } };
      expect(brokenBy({ ...query, ...refused(10009005), caller })).toEqual(['subscription.own-scope-grants']);
      expect(brokenBy({ ...query, ...refused(10009005) })).toEqual([]);
    });

    test('may have no subscription to the XML path by the scope of the chave lookup', () => {
      const caller = { standing: { subscriptions: ['/openapi/v3/consultas/nf-e/{xx}'] } };
      const xml = { method: 'POST', target: '/openapi/v3/consultas/nf-e/xml', signing: {}, caller };
      expect(brokenBy({ ...xml, ...refused(10009005) })).toEqual([]);
      expect(brokenBy({ ...xml, body: '{"validation":{"validationStatus":"VALIDATED"}}' })).toEqual([]);
    });
  });

  describe('on a retired path', () => {
    const gone: RecordWish = { method: 'GET', target: '/openapi/cadastro/cnpj/11222333000181', signing: {} };

    test.each([
      ['retirement.before-subscription', { subscriptions: [] }, 10009005],
      ['retirement.before-disabled-application', { state: 'disabled' }, 10009004],
      ['retirement.before-pending-application', { state: 'pending' }, 10009015],
      ['retirement.before-rejected-application', { state: 'rejected' }, 10009015],
      ['retirement.before-disabled-integrator', { integratorState: 'disabled' }, 10009014],
    ] as const)('%s is kept by a 410 and broken by a 403', (clause, standing, code) => {
      const message = 'GET /openapi/v3/consultas/cnpj/{cnpj}';
      const body = { success: false, errorType: 1, code: 10009034, message };
      expect(keptBy({ ...gone, status: 410, body, caller: { standing } })).toContain(clause);
      expect(brokenBy({ ...gone, ...refused(code), caller: { standing } })).toEqual([clause]);
    });
  });
});
