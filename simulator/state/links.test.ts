import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Link } from '../model/invoice.ts';
import { openDatabase } from './database.ts';
import { openLinks } from './links.ts';

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
  const folder = mkdtempSync(join(tmpdir(), 'simulator-'));
  const file = join(folder, 'data.db');
  const before = openDatabase(file);
  const token = openLinks(before).of(link);
  before.close();
  const after = openDatabase(file);
  expect(openLinks(after).read(token)).toEqual(link);
  after.close();
  rmSync(folder, { recursive: true });
});
