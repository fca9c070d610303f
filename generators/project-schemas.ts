import { readdir } from 'node:fs/promises';
import type { JsonSchema } from './json.ts';

/** Every schema with an `$id` that a file in schemas/ exports, by that `$id`: for tests that hold for all of them. */
export async function projectSchemas(): Promise<(readonly [string, JsonSchema])[]> {
  const folder = new URL('../schemas/', import.meta.url);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const modules = await Promise.all(files.map((file): Promise<unknown> => import(new URL(file, folder).href)));
  return modules.flatMap(exportsOf).flatMap((value) => (isNamedSchema(value) ? [[value.$id, value] as const] : []));
}

function exportsOf(module: unknown): unknown[] {
  return typeof module === 'object' && module !== null ? Object.values(module) : [];
}

function isNamedSchema(value: unknown): value is JsonSchema & { readonly $id: string } {
  return typeof value === 'object' && value !== null && '$id' in value;
}
