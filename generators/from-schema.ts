import fc from 'fast-check';
import type { JsonSchema, JsonType, Subschema } from './json.ts';
import { alternatives, faultsBy, refuseUnknownKeywords, listedValues, typesOf, type Plain } from './schema/keywords.ts';
import { anyJson, arrayOf, objectOf, integerOf, numberOf, stringOf } from './schema/containers.ts';
import { NoInstance, such } from './named.ts';
import { readdir } from 'node:fs/promises';
import type { JsonValue } from '../schemas/values.ts';

/**
 * Valid instances of a schema: optional fields there or not, unknown fields where they are allowed. An Error that names
 * keyword and pointer for a keyword that it does not know; a NoInstance where nothing, or next to nothing, is valid.
 */
export function instanceOf(schema: JsonSchema): fc.Arbitrary<JsonValue> {
  refuseUnknownKeywords(schema);
  const found = newMaker().instances(schema, 0);
  if (found === undefined) throw new NoInstance(`nothing satisfies the schema ${schema.$id ?? JSON.stringify(schema)}`);
  return found;
}

/** Makes arbitraries of schemas that stand so many levels deep: the deeper, the shorter the arrays. */
export interface Maker {
  /** Of instances of a schema; undefined where it has none. */
  readonly instances: (schema: Subschema, depth: number) => fc.Arbitrary<JsonValue> | undefined;
  /** Of instances of a schema without combinations, of any type that it admits. */
  readonly plain: (schema: Plain, depth: number) => fc.Arbitrary<JsonValue>;
}

/** A maker, which makes each arbitrary once: a validator takes long to compile. */
export function newMaker(): Maker {
  const made = new Map<Subschema, Map<number, fc.Arbitrary<JsonValue> | undefined>>();
  const maker: Maker = {
    instances: (schema, depth) => {
      const atDepths = made.get(schema) ?? new Map<number, fc.Arbitrary<JsonValue> | undefined>();
      if (!atDepths.has(depth)) atDepths.set(depth, instancesBy(maker, schema, depth));
      made.set(schema, atDepths);
      return atDepths.get(depth);
    },
    plain: (schema, depth) => plainBy(maker, schema, depth),
  };
  return maker;
}

function instancesBy(maker: Maker, schema: Subschema, depth: number): fc.Arbitrary<JsonValue> | undefined {
  if (typeof schema === 'boolean') return schema ? anyJson() : undefined;
  const ways = alternatives(schema);
  if (ways.length === 0) return undefined;
  const values = fc.oneof(...ways.map((way) => maker.plain(way, depth)));
  if (!mayBeBroken(schema)) return values;
  const faults = faultsBy(schema);
  return such(values, (value) => faults(value).length === 0, `instance of ${JSON.stringify(schema)}`);
}

/** Whether what is made from the alternatives of a schema may break it: they combine, or list values and bound them too. */
function mayBeBroken(schema: JsonSchema): boolean {
  const combining: readonly (keyof JsonSchema)[] = ['allOf', 'anyOf', 'oneOf', 'not'];
  const others = new Set(['$id', '$schema', 'title', 'description', 'type']);
  const bounding = Object.keys(schema).filter((keyword) => !others.has(keyword));
  return combining.some((keyword) => keyword in schema) || (listedValues(schema) !== undefined && bounding.length > 1);
}

function plainBy(maker: Maker, schema: Plain, depth: number): fc.Arbitrary<JsonValue> {
  const values = listedValues(schema);
  if (values?.length === 0) throw new NoInstance(`no value in the list is of the type in ${JSON.stringify(schema)}`);
  if (values !== undefined) return fc.constantFrom(...values);
  if (Object.keys(schema).length === 0) return anyJson();
  return fc.oneof(...typesOf(schema).map((type) => typed(maker, type, schema, depth)));
}

function typed(maker: Maker, type: JsonType, schema: Plain, depth: number): fc.Arbitrary<JsonValue> {
  const parts = (part: Subschema): fc.Arbitrary<JsonValue> | undefined => maker.instances(part, depth + 1);
  switch (type) {
    case 'string':
      return stringOf(schema);
    case 'integer':
      return integerOf(schema);
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'object':
      return objectOf(schema, parts);
    case 'array':
      return arrayOf(schema, parts(schema.items ?? true), depth);
  }
}

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
