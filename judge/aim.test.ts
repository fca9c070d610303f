import { describe, expect, test } from 'vitest';
import type { ClauseId } from '../contract/catalogue.ts';
import { observationsOf } from './judge.ts';
import { deniedQuery, refused, recordOf, type RecordWish } from './testing/records.ts';
import { brokenBy, keptBy } from './testing/story.ts';

function accepted(clause: ClauseId, wish: RecordWish = {}): RecordWish {
  return { ...deniedQuery, caller: {}, signing: {}, aim: { clause, faults: 'accepted' }, ...wish };
}

function faulty(clause: ClauseId, codes: readonly number[], wish: RecordWish): RecordWish {
  const faults = codes.map((code) => ({ name: `fault ${code}`, code }));
  return {
    ...deniedQuery,
    caller: {},
    signing: { isSignOfSent: false },
    aim: { clause, faults, hint: 'the hint' },
    ...wish,
  };
}

describe('what is to be accepted', () => {
  const ownError = { status: 403, body: [{ codigo: 'E1', mensagem: 'no such company' }] };

  test.each<RecordWish>([{}, { status: 404, body: '' }, { status: 400, body: '{}' }, ownError])(
    'keeps the clause of its aim whatever the endpoint says: %j',
    (wish) => {
      expect(keptBy(accepted('signature.utf-8', wish))).toContain('signature.utf-8');
    },
  );

  test.each<RecordWish>([
    refused(10009003),
    refused(10009002),
    { status: 403, body: '<html>' },
    { status: 403, body: [{ codigo: '10009005', mensagem: 'x' }] },
  ])('breaks it, and no other, where the gateway refuses: %j', (wish) => {
    const broken = brokenBy(accepted('signature.utf-8', wish));
    expect(broken.filter((clause) => !/^(?:envelope|errors)\./.test(clause))).toEqual(['signature.utf-8']);
  });

  test.each([
    [{ success: true, data: { echo: 'x' } }, false],
    [{ success: false, code: 1 }, true],
    ['<!doctype html><title>Moved</title>', true],
  ])(
    'keeps it where an echo succeeds with 201, which has a clause of its own: %j breaks it is %j',
    (body, isBroken) => {
      const echoed = accepted('signature.utf-8', { method: 'POST', target: '/openapi/demo/echo', status: 201, body });
      expect(brokenBy(echoed).includes('signature.utf-8')).toBe(isBroken);
    },
  );

  test('says nothing where something is in the way, or a limit is', () => {
    for (const wish of [refused(10009006), { status: 502 }, { status: 503 }, { status: 504 }]) {
      expect(brokenBy(accepted('signature.utf-8', wish))).toEqual([]);
    }
  });

  test('breaks what says that a retired path has no limit, where one is met there', () => {
    const target = '/openapi/nfe/invoice/create';
    const wish = accepted('signature.utf-8', { ...refused(10009006), method: 'POST', target });
    expect(brokenBy(wish)).toEqual(['retirement.not-rate-limited']);
  });

  test('says nothing where a body is refused for a size that is not shown', () => {
    const echoed = (bytes: number): RecordWish =>
      accepted('signature.utf-8', {
        method: 'POST',
        target: '/openapi/demo/echo',
        requestBody: ' '.repeat(bytes),
        status: 413,
        body: '{}',
      });
    expect(brokenBy(echoed(20_000))).toEqual([]);
    expect(brokenBy(echoed(10_000))).toEqual(['signature.utf-8']);
  });

  test('may lack a subscription where nobody has given it one', () => {
    const wish = refused(10009005);
    expect(brokenBy(accepted('signature.utf-8', wish))).toEqual(['subscription.own-scope-grants']);
    expect(brokenBy(accepted('subscription.any-segment', wish))).toEqual(['subscription.own-scope-grants']);
    const caller = { isMade: true as const };
    expect(brokenBy(accepted('subscription.any-segment', { ...wish, caller }))).toEqual(['subscription.any-segment']);
    expect(brokenBy(accepted('subscription.own-scope-grants', wish))).toEqual(['subscription.own-scope-grants']);
  });

  test('may be refused near the edge of the tolerance, where its way took long', () => {
    const late = { signing: { aheadSeconds: -295 }, durationMs: 5000, ...refused(10009001) };
    expect(brokenBy(accepted('timestamp.past-accepted', late))).toEqual([]);
    const quick = { ...late, durationMs: 100 };
    expect(brokenBy(accepted('timestamp.past-accepted', quick))).toEqual(['timestamp.past-accepted']);
    const standing = { ...late, caller: { hasOwnClock: true as const }, signing: { aheadSeconds: -300 } };
    expect(brokenBy(accepted('timestamp.past-accepted', standing))).toEqual(['timestamp.past-accepted']);
  });
});

describe('what is to be refused', () => {
  test('keeps the clause of its aim by the code of its fault, and breaks no other', () => {
    expect(keptBy(faulty('signature.order', [10009003], refused(10009003)))).toContain('signature.order');
    expect(brokenBy(faulty('signature.order', [10009003], { status: 200 }))).toEqual(['signature.order']);
    expect(brokenBy(faulty('signature.order', [10009003], refused(10009002)))).toEqual(['signature.order']);
  });

  test('tells what a target that lets it pass gets wrong', () => {
    const [found] = observationsOf(recordOf(faulty('signature.order', [10009003], { status: 200 })));
    expect(found?.broken).toMatchObject({
      expected: '401, code 10009003 (signature mismatch)',
      actual: '200, no code',
      hint: 'the hint',
    });
  });

  test('tells of nothing taken where a page of a server in front came', () => {
    const page = { status: 400, body: '<html><head><title>400 Bad Request</title></head></html>' };
    const [found] = observationsOf(recordOf(faulty('signature.order', [10009003], page)));
    expect(found?.broken?.actual).toBe('400, an HTML page');
    expect(found?.broken).not.toHaveProperty('hint');
  });

  test('may pass where its timestamp was near the edge by the time that it was looked at', () => {
    const wish = { signing: { aheadSeconds: 305 }, durationMs: 4000, status: 200 };
    expect(brokenBy(faulty('timestamp.future-refused', [10009001], wish))).toEqual([]);
    const quick = { ...wish, durationMs: 10 };
    expect(brokenBy(faulty('timestamp.future-refused', [10009001], quick))).toEqual(['timestamp.future-refused']);
  });

  test.each<[ClauseId, readonly number[], RecordWish, boolean]>([
    ['precedence.401-before-403', [10009003, 10009005], refused(10009003), true],
    ['precedence.401-before-403', [10009005, 10009003], refused(10009005), false],
    ['precedence.410-before-403', [10009005, 10009034], refused(10009034), true],
    ['precedence.403-before-429', [10009004, 10009006], refused(10009006), false],
    ['precedence.one-of-two-401', [10009001, 10009003], refused(10009003), true],
    ['precedence.one-of-two-401', [10009001, 10009003], refused(10009002), false],
    ['precedence.order-of-401', [10009001, 10009003], refused(10009003), false],
    ['precedence.order-of-403', [10009014, 10009015], refused(10009015), true],
  ])('is answered for the fault that comes first: %s %j %j', (clause, codes, wish, isKept) => {
    const { target, method } = codes.includes(10009034)
      ? { target: '/openapi/nfe/verify/xml', method: 'POST' }
      : { target: '/openapi/v3/consultas/cnpj/1', method: 'GET' };
    const sent = faulty(clause, codes, { ...wish, target, method });
    expect(keptBy(sent).includes(clause)).toBe(isKept);
    expect(brokenBy(sent).includes(clause)).toBe(!isKept);
  });
});

test('an aim at a clause of another topic leaves the gateway to be judged in passing', () => {
  expect(brokenBy(accepted('echo.status', refused(10009003)))).toEqual(['signature.accepted']);
});
