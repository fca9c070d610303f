import { expect, test } from 'vitest';
import { openApplications } from './applications.ts';
import { openDatabase } from './database.ts';
import { inTransaction, Remembered } from './rows.ts';

function opened() {
  const database = openDatabase(undefined);
  const applications = openApplications(database);
  const { application, appSecret } = applications.create({ clock: 5 });
  return { database, applications, appKey: application.appKey, appSecret };
}

test('what was read is read anew once it has changed', () => {
  const { applications, appKey, appSecret } = opened();
  expect(applications.findBySecret(appSecret)?.clock).toBe(5);
  applications.update(appKey, { clock: 7 });
  expect(applications.findBySecret(appSecret)?.clock).toBe(7);
  applications.rotate(appKey, (_, fresh) => [fresh]);
  expect(applications.findBySecret(appSecret)).toBeUndefined();
});

test('what a transaction has changed and undone was never so', () => {
  const { database, applications, appKey } = opened();
  const undone = (): void =>
    inTransaction(database, () => {
      applications.update(appKey, { clock: 7 });
      expect(applications.findByKey(appKey)?.clock).toBe(7);
      throw new Error('no room');
    });
  expect(undone).toThrow('no room');
  expect(applications.findByKey(appKey)?.clock).toBe(5);
});

test('what may not be kept is read each time', () => {
  const known = new Remembered<{ at: number }>(openDatabase(undefined));
  let reads = 0;
  const read = () => ({ at: (reads += 1) });
  expect([known.of('a', read, () => false), known.of('a', read), known.of('a', read)]).toEqual([
    { at: 1 },
    { at: 2 },
    { at: 2 },
  ]);
  known.forget();
  expect(known.of('a', read)).toEqual({ at: 3 });
});
