import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { examineProfile } from './profile.ts';
import { findingLine } from './show.ts';

const folder = mkdtempSync(join(tmpdir(), 'nfe-profile-'));
afterAll(() => rmSync(folder, { recursive: true }));

function lines(path: string): string {
  return examineProfile(path)
    .map((finding) => findingLine(finding, false))
    .join('\n');
}

test('files that are missing are told one by one', () => {
  writeFileSync(join(folder, 'empresa.json'), '{}');
  const [present, ...absent] = examineProfile(folder);
  expect(present?.state).toBe('ok');
  expect(present?.found).toMatch(/^1 of \d+ files in /);
  expect(absent.every(({ state }) => state === 'not set')).toBe(true);
  expect(absent.some(({ found }) => found === 'consultas.json is missing')).toBe(true);
});

test('a file that is not JSON is a problem', () => {
  writeFileSync(join(folder, 'empresa.json'), '{');
  expect(lines(folder)).toMatch(/^✗ problem  profile: .*empresa\.json/);
});

test('a folder that is not there is a problem', () => {
  expect(lines(join(folder, 'none'))).toMatch(/^✗ problem  profile: .*ENOENT/);
});
