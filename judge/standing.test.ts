import { describe, expect, test } from 'vitest';
import type { Standing } from '../contract/standing.ts';
import { deniedQuery, refused, type RecordWish } from './testing/records.ts';
import { brokenBy, keptBy } from './testing/verdicts.ts';

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
    [{ state: 'disabled' }, { status: 403, body: '<html>' }],
    [{ state: 'disabled' }, refused(10009002)],
    [{ state: 'disabled' }, { signing: { isSignOfSent: false }, ...refused(10009003) }],
    [{ subscriptions: [ownScope] }, {}],
    [{ rateLimit: { limit: 3, windowSeconds: 60 } }, refused(10009006)],
  ])('may be refused by another of its conditions, or by somebody else: %j %j', (standing, wish) => {
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
