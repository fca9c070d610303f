import { describe, expect, test } from 'vitest';
import { textLike } from '../testing/matchers.ts';
import { openApplications, type ApplicationStore } from './applications.ts';
import { openDatabase } from './database.ts';

const inMemory = (): ApplicationStore => openApplications(openDatabase(undefined));
const onlyFresh = (_old: readonly string[], fresh: string): readonly string[] => [fresh];

describe('applications', () => {
  test('one made without wishes is active, subscribed to all, unlimited, on the system clock', () => {
    const { application } = inMemory().create({});
    expect(application).toEqual({
      appKey: textLike(/^app-[0-9a-f]{10}$/),
      appName: application.appKey,
      integratorId: textLike(/^integrator-/),
      state: 'active',
      integratorState: 'active',
      subscriptions: 'all',
      rateLimit: null,
      clock: 'system',
      settleSeconds: 0,
      authority: { issuance: null, isReachable: true },
    });
  });

  test('every field is kept as it was wished', () => {
    const applications = inMemory();
    const wish = {
      appName: 'Loja "São João"',
      state: 'pending',
      integratorState: 'disabled',
      subscriptions: ['/openapi/demo/echo', '/openapi/v2/empresas/{xx}/nf-e'],
      rateLimit: { limit: 0, windowSeconds: 0.5 },
      clock: 1936776600123,
      settleSeconds: 1.5,
    } as const;
    const { application, appSecret } = applications.create(wish);
    expect(application).toMatchObject(wish);
    expect(applications.findBySecret(appSecret)).toEqual(application);
    expect(applications.findByKey(application.appKey)).toEqual(application);
  });

  test('every field that is changed is kept', () => {
    const applications = inMemory();
    const { application } = applications.create({});
    const changes = {
      appName: 'Loja',
      state: 'rejected',
      integratorState: 'disabled',
      subscriptions: ['/openapi/demo/echo'],
      rateLimit: { limit: 7, windowSeconds: 60 },
      clock: 5,
      settleSeconds: 9,
    } as const;
    applications.update(application.appKey, changes);
    expect(applications.findByKey(application.appKey)).toEqual({ ...application, ...changes });
  });

  test('no subscription at all is kept apart from all of them', () => {
    const applications = inMemory();
    const { application } = applications.create({ subscriptions: [] });
    expect(applications.findByKey(application.appKey)?.subscriptions).toEqual([]);
  });

  test('a change leaves the other fields, and the other applications, alone', () => {
    const applications = inMemory();
    const [one, other] = [applications.create({ settleSeconds: 3 }).application, applications.create({}).application];
    expect(applications.update(one.appKey, { state: 'disabled' })).toEqual({ ...one, state: 'disabled' });
    expect(applications.list()).toEqual([{ ...one, state: 'disabled' }, other]);
  });

  test('secrets are 32 random bytes and their application is found by them alone', () => {
    const applications = inMemory();
    const [one, other] = [applications.create({}), applications.create({})];
    expect(Buffer.from(one.appSecret, 'base64url')).toHaveLength(32);
    expect(one.appSecret).not.toBe(other.appSecret);
    expect(applications.findBySecret(other.appSecret)).toEqual(other.application);
    expect(applications.findBySecret(one.application.appKey)).toBeUndefined();
    expect(applications.findBySecret('')).toBeUndefined();
  });

  test('after a rotation those secrets are valid that the rule names', () => {
    const applications = inMemory();
    const { application, appSecret } = applications.create({});
    const second = applications.rotate(application.appKey, (old, fresh) => [...old, fresh]) ?? '';
    expect(applications.secretsOf(application.appKey)).toEqual([appSecret, second]);
    const third = applications.rotate(application.appKey, onlyFresh) ?? '';
    expect(applications.secretsOf(application.appKey)).toEqual([third]);
    expect([appSecret, second, third].map((secret) => applications.findBySecret(secret)?.appKey)).toEqual([
      undefined,
      undefined,
      application.appKey,
    ]);
  });

  test('an unknown App Key is neither found, changed nor rotated', () => {
    const applications = inMemory();
    expect(applications.findByKey('none')).toBeUndefined();
    expect(applications.update('none', { state: 'active' })).toBeUndefined();
    expect(applications.rotate('none', onlyFresh)).toBeUndefined();
  });

  test('a rotation that fails leaves the old secret valid', () => {
    const applications = inMemory();
    const { application, appSecret } = applications.create({});
    expect(() => applications.rotate(application.appKey, (_old, fresh) => [fresh, fresh])).toThrow(/UNIQUE/);
    expect(applications.findBySecret(appSecret)?.appKey).toBe(application.appKey);
  });
});
