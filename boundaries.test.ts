import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boundaries, forbiddenParts, outOfReachOfRules, parts } from './boundaries.ts';

let folder = '';
let complaints = '';

const within = outOfReachOfRules.map((other) => (other.endsWith('.ts') ? `../${other}` : `../${other}/file.ts`));

/** One file a part that imports every other part, and one of the simulator's rules, linted with the project's own configuration. */
beforeAll(() => {
  folder = mkdtempSync(join(import.meta.dirname, '.boundaries-'));
  for (const part of parts) {
    const lines = parts
      .filter((other) => other !== part)
      .map((other) => `import '../${other}/file.ts';\nimport '../../${other}/deep/file.ts';`);
    mkdirSync(join(folder, part, 'deep'), { recursive: true });
    writeFileSync(join(folder, part, 'file.ts'), `${lines.join('\n')}\n`);
  }
  mkdirSync(join(folder, 'simulator/rules'));
  const lines = [...within, '../model/file.ts', '../../specs/file.ts'].map((path) => `import '${path}';`);
  writeFileSync(join(folder, 'simulator/rules/file.ts'), `${lines.join('\n')}\n`);
  for (const file of ['oxlint.config.ts', 'boundaries.ts']) {
    writeFileSync(join(folder, file), readFileSync(join(import.meta.dirname, file)));
  }
  const { stdout } = spawnSync('oxlint', ['--format=unix', '--disable-nested-config', '-c', 'oxlint.config.ts', '.'], {
    cwd: folder,
  });
  complaints = stdout.toString();
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test.each(parts)('%s may import what the table allows and nothing else', (part) => {
  for (const other of parts.filter((one) => one !== part)) {
    const isForbidden = forbiddenParts(part).includes(other);
    const complaint = `${part}/file.ts`;
    const hits = complaints
      .split('\n')
      .filter((line) => line.includes(complaint) && line.includes(`/${other}/`) && line.includes('restricted'));
    expect(hits.length, `${part} imports ${other}`).toBe(isForbidden ? 2 : 0);
  }
});

test('the rules of the simulator import nothing of it that keeps or serves', () => {
  const hits = complaints.split('\n').filter((line) => line.includes('simulator/rules/file.ts'));
  const restricted = hits.filter((line) => line.includes('restricted')).map((line) => /'(.*?)'/.exec(line)?.[1]);
  expect(new Set(restricted)).toEqual(new Set([...within, '../../specs/file.ts']));
});

test('the client and the simulator never import each other', () => {
  const ofClient: readonly string[] = boundaries.client;
  const ofSimulator: readonly string[] = boundaries.simulator;
  expect(ofClient).not.toContain('simulator');
  expect(ofSimulator).not.toContain('client');
});
