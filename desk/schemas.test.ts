import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { jsonIn } from '../trace/exchange.ts';
import { projectSchemas } from '../generators/from-schema.ts';
import { member } from '../schemas/values.ts';
import { newFolder } from '../runner/testing/folders.ts';
import { childEnvironment, warmly } from '../runner/testing/warm.ts';

const folder = newFolder();

const run = (...words: readonly string[]) => warmly({ command: 'schemas', words, env: childEnvironment() });

test('every schema is written into a file of its own that needs no other one, under an address of its own', async () => {
  const { status, stdout } = await run('--out', join(folder, 'of', 'ours'));
  const files = readdirSync(join(folder, 'of', 'ours'));
  const names = (await projectSchemas()).map(([name]) => `${name}.json`);
  expect(status).toBe(0);
  expect(new Set(files)).toEqual(new Set(names));
  expect(stdout.trim().split('\n')).toHaveLength(files.length);
  const schemas = files.map((file) => jsonIn(readFileSync(join(folder, 'of', 'ours', file), 'utf8')));
  for (const schema of schemas)
    expect(() => new Ajv2020({ strict: false }).compile({ ...Object(schema) })).not.toThrow();
  expect(new Set(schemas.map((schema) => member(schema, '$id'))).size).toBe(files.length);
});

test('a folder without a name is refused in one line', async () => {
  const { status, stderr } = await run('--out', '');
  expect([status, stderr.trim().split('\n').length]).toEqual([2, 1]);
});
