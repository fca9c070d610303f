import { describe, expect, test } from 'vitest';
import { type ApplicationStore, openApplications } from './applications.ts';
import { openDatabase } from './database.ts';

const inMemory = (): ApplicationStore => openApplications(openDatabase(undefined));
const onlyFresh = (_old: readonly string[], fresh: string): readonly string[] => [fresh];

describe('applications', () => {
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

  test('a rotation that fails leaves the old secret valid', () => {
    const applications = inMemory();
    const { application, appSecret } = applications.create({});
    expect(() => applications.rotate(application.appKey, (_old, fresh) => [fresh, fresh])).toThrow(/UNIQUE/);
    expect(applications.findBySecret(appSecret)?.appKey).toBe(application.appKey);
  });
});
