import { pointerTo, type JsonSchema, type Subschema } from '../json.ts';

const keywords: readonly (keyof JsonSchema)[] = [
  '$id',
  '$schema',
  '$comment',
  'title',
  'description',
  'examples',
  '$defs',
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'type',
  'const',
  'enum',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'properties',
  'required',
  'additionalProperties',
  'minProperties',
  'maxProperties',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
];

/** Definitions by name, as `#/$defs/name` finds them. */
export type Definitions = Readonly<Record<string, Subschema>>;

/** Refuses a schema that the generators don't know in full: an Error names the keyword, where it stands and what to do. */
export function refuseUnknownKeywords(schema: JsonSchema): void {
  check(schema, '#', schema.$defs ?? {}, []);
}

/** The definition that a `$ref` names; an Error for a name that there is not, or another kind of reference. */
export function resolve(reference: string, definitions: Definitions): Subschema {
  const name = /^#\/\$defs\/([^/]+)$/.exec(reference)?.[1]?.replaceAll('~1', '/').replaceAll('~0', '~');
  const found = name === undefined ? undefined : definitions[name];
  if (found === undefined) {
    throw new Error(`$ref "${reference}" leads nowhere: it is to be #/$defs/ and a name of the outermost $defs`);
  }
  return found;
}

function check(schema: Subschema, pointer: string, definitions: Definitions, trail: readonly string[]): void {
  if (typeof schema === 'boolean') return;
  const known = new Set<string>(keywords);
  const unknown = Object.keys(schema).find((keyword) => !known.has(keyword));
  if (unknown !== undefined) refuse(pointer, unknown, 'is not a keyword that generators/ knows');
  if (schema.format !== undefined && schema.format !== 'date-time') refuse(pointer, 'format', 'can only be date-time');
  if (schema.multipleOf !== undefined && !Number.isInteger(schema.multipleOf)) {
    refuse(pointer, 'multipleOf', 'can only be a whole number');
  }
  for (const [step, part] of partsOf(schema)) check(part, `${pointer}${step}`, definitions, trail);
  if (schema.$ref === undefined) return;
  if (trail.includes(schema.$ref)) refuse(pointer, '$ref', 'leads back to itself, which has no end');
  check(resolve(schema.$ref, definitions), schema.$ref, definitions, [...trail, schema.$ref]);
}

function refuse(pointer: string, keyword: string, fault: string): never {
  throw new Error(
    `${pointerTo(pointer, keyword)}: ${keyword} ${fault}; write the schema without it or extend generators/`,
  );
}

/** Every schema within a schema, with its pointer from there. */
function partsOf(schema: JsonSchema): (readonly [string, Subschema])[] {
  const maps = (['$defs', 'properties'] as const).flatMap((keyword) =>
    Object.entries(schema[keyword] ?? {}).map(([name, part]) => [pointerTo(`/${keyword}`, name), part] as const),
  );
  const lists = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((keyword) =>
    (schema[keyword] ?? []).map((part, index) => [`/${keyword}/${index}`, part] as const),
  );
  const single = (['not', 'if', 'then', 'else', 'additionalProperties', 'items'] as const).flatMap((keyword) => {
    const part = schema[keyword];
    return part === undefined ? [] : [[`/${keyword}`, part] as const];
  });
  return [...maps, ...lists, ...single];
}
