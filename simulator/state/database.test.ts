import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import { SettingError } from '../settings.ts';
import { openApplications } from './applications.ts';
import { openDatabase } from './database.ts';
import { inTransaction, Remembered } from './rows.ts';
import type { Link } from '../model.ts';
import { openLinks } from './links.ts';
import { newFolder } from '../../runner/testing/folders.ts';

let folder = '';
const file = (): string => join(folder, 'data.db');

beforeEach(() => {
  folder = newFolder();
});

/** Makes the data file by hand. */
function withFile(sql: string): void {
  const database = new DatabaseSync(file());
  database.exec(sql);
  database.close();
}

describe('data file', () => {
  test('what was written is there when it is opened again', () => {
    const before = openDatabase(file());
    const { application, appSecret } = openApplications(before).create({ subscriptions: ['/a'], clock: 5 });
    before.close();
    const after = openDatabase(file());
    expect(openApplications(after).findBySecret(appSecret)).toEqual(application);
    after.close();
  });

  test.each([undefined, 0o644])('nobody but its owner may read it, whatever its mode was: %o', (mode) => {
    if (mode !== undefined) {
      openDatabase(file()).close();
      chmodSync(file(), mode);
    }
    const database = openDatabase(file());
    openApplications(database).create({ clock: 5 });
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
    database.close();
  });

  test('what does not fit on the disk is not kept, and what does is, once there is room', () => {
    const database = openDatabase(file());
    const applications = openApplications(database);
    const pages = Number(database.prepare('PRAGMA page_count').get()?.['page_count']);
    database.exec(`PRAGMA max_page_count = ${pages}`);
    const fill = (): void => {
      for (let at = 0; at < 1000; at++) applications.create({ subscriptions: ['/a'.repeat(1000)], clock: 5 });
    };
    expect(fill).toThrow(/full/);
    const kept = applications.list().length;
    database.exec('PRAGMA max_page_count = 1000000');
    applications.create({ clock: 5 });
    expect(applications.list()).toHaveLength(kept + 1);
    database.close();
  });

  test('it is written ahead and synchronised with the disk', () => {
    const database = openDatabase(file());
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
    database.close();
  });

  test.each<[string, () => void, RegExp]>([
    [
      'that is no database',
      () => writeFileSync(file(), 'no database, but long enough '.repeat(99)),
      /no SQLite database/,
    ],
    ['of something else', () => withFile('CREATE TABLE a (b)'), /database of something else/],
    [
      'of another schema version',
      () => {
        openDatabase(file()).close();
        withFile('PRAGMA user_version = 99');
      },
      /has schema version 99, this simulator needs 4/,
    ],
  ])('one %s is refused', (_what, make, message) => {
    make();
    expect(() => openDatabase(file())).toThrow(SettingError);
    expect(() => openDatabase(file())).toThrow(message);
  });

  test('one in a folder that does not exist is refused', () => {
    expect(() => openDatabase(join(folder, 'none', 'data.db'))).toThrow(/can't be opened or created/);
  });

  test('one without a name is refused', () => {
    expect(() => openDatabase('')).toThrow(/name of the data file is empty/);
  });

  test('one that another simulator has open is refused', () => {
    const database = openDatabase(file());
    openApplications(database).create({});
    expect(() => openDatabase(file())).toThrow(/another simulator has it open/);
    database.close();
  });
});

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

const link: Link = { kind: 'danfe', invoiceId: 12, expiresMs: 1_937_000_000_123 };

test('a token gives its link back, and that of another database none', () => {
  const [links, others] = [openDatabase(undefined), openDatabase(undefined)].map(openLinks);
  const token = links?.of(link) ?? '';
  expect(links?.read(token)).toEqual(link);
  expect(others?.read(token)).toBeUndefined();
});

test('a token of which any character is changed, missing or added gives none', () => {
  const links = openLinks(openDatabase(undefined));
  const token = links.of(link);
  for (const at of token.split('').keys()) {
    const [before, after] = [token.slice(0, at), token.slice(at + 1)];
    for (const forged of [
      `${before}${token[at] === '1' ? '2' : '1'}${after}`,
      `${before}${after}`,
      `${before}9${token.slice(at)}`,
    ])
      expect(forged === token ? undefined : links.read(forged), forged).toBeUndefined();
  }
  for (const text of ['', '.', '..', 'xml.1.9999999999999.1.', '1']) expect(links.read(text), text).toBeUndefined();
});

test('no two tokens are alike', () => {
  const links = openLinks(openDatabase(undefined));
  expect(new Set(Array.from({ length: 100 }, () => links.of(link))).size).toBe(100);
});

test('tokens outlive a restart', () => {
  const before = openDatabase(file());
  const token = openLinks(before).of(link);
  before.close();
  const after = openDatabase(file());
  expect(openLinks(after).read(token)).toEqual(link);
  after.close();
});
