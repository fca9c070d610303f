import fc from 'fast-check';
import { canonicalText, type JsonObject, type JsonValue, type Subschema } from '../json.ts';
import { NoInstance, such } from '../such.ts';
import { fieldOf, type Plain } from './plain.ts';

/** Makes instances of a schema; undefined where it has none. */
export type Instances = (schema: Subschema) => fc.Arbitrary<JsonValue> | undefined;

/** Any JSON value, small. */
export function anyJson(): fc.Arbitrary<JsonValue> {
  const scalar = fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value + 0),
    fc.string({ unit: 'grapheme', maxLength: 10 }),
  );
  const list = fc.array(scalar, { maxLength: 3 });
  const object = fc.dictionary(unknownName([]), scalar, { maxKeys: 3, noNullPrototype: true });
  return fc.oneof({ arbitrary: scalar, weight: 3 }, { arbitrary: fc.oneof(list, object), weight: 1 });
}

/**
 * A field name that is none of the known ones, sometimes one of them in other letters. Never what every JavaScript object
 * has: Ajv compares objects by their `toString`, and what is assigned to `__proto__` is no field.
 */
export function unknownName(known: readonly string[]): fc.Arbitrary<string> {
  const alike = known.flatMap((name) => [name.toUpperCase(), name.toLowerCase(), `${name}_`, ` ${name}`]);
  const free = [...alike, ''].filter((name) => !known.includes(name));
  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
  return such(
    fc.oneof({ arbitrary: word, weight: 3 }, { arbitrary: fc.constantFrom(...free), weight: 1 }),
    (name) => !(name in Object.prototype) && !known.includes(name),
    'field name that the schema does not declare',
  );
}

/**
 * Objects that a schema admits: every optional field there or not, and unknown fields where it lets them in.
 * `forced` fields are always there and their values come from their own arbitraries, whatever the schema says of them.
 */
export function objectOf(
  schema: Plain,
  instances: Instances,
  forced: Readonly<Record<string, fc.Arbitrary<JsonValue>>> = {},
): fc.Arbitrary<JsonObject> {
  const required = [...new Set([...(schema.required ?? []), ...Object.keys(forced)])];
  const names = [...new Set([...Object.keys(schema.properties ?? {}), ...required])];
  const fields = names.flatMap((name) => {
    const values = Object.hasOwn(forced, name) ? forced[name] : instances(fieldOf(schema, name));
    if (values !== undefined) return [[name, values] as const];
    if (required.includes(name)) throw new NoInstance(`nothing is allowed as required field "${name}"`);
    return [];
  });
  const declared = presences(fields, required);
  const unknown = unknownFields(schema, names, instances(schema.additionalProperties ?? true), fields.length);
  const objects = fc.tuple(declared, unknown).map(([known, more]) => Object.assign({}, known, more));
  const { minProperties = 0, maxProperties = Infinity } = schema;
  const fits = (count: number): boolean => count >= minProperties && count <= maxProperties;
  return such(objects, (object) => fits(Object.keys(object).length), `object for ${JSON.stringify(schema)}`);
}

/** Only the required fields, all fields, or anything between. */
function presences(
  fields: readonly (readonly [string, fc.Arbitrary<JsonValue>])[],
  required: readonly string[],
): fc.Arbitrary<JsonObject> {
  const all = Object.fromEntries(fields);
  const fewest = Object.fromEntries(fields.filter(([name]) => required.includes(name)));
  if (Object.keys(all).length === Object.keys(fewest).length) return fc.record(all, { noNullPrototype: true });
  return fc.oneof(
    { withCrossShrink: true },
    { arbitrary: fc.record(fewest, { noNullPrototype: true }), weight: 1 },
    { arbitrary: fc.record(all, { requiredKeys: [...required], noNullPrototype: true }), weight: 4 },
    { arbitrary: fc.record(all, { noNullPrototype: true }), weight: 1 },
  );
}

function unknownFields(
  schema: Plain,
  names: readonly string[],
  values: fc.Arbitrary<JsonValue> | undefined,
  declared: number,
): fc.Arbitrary<JsonObject> {
  const none = fc.constant<JsonObject>({});
  const least = Math.max(0, (schema.minProperties ?? 0) - declared);
  const most = Math.min(least + 3, (schema.maxProperties ?? Infinity) - (schema.required?.length ?? 0));
  if (values === undefined || most < 1) return none;
  const some = (minKeys: number): fc.Arbitrary<JsonObject> =>
    fc.dictionary(unknownName(names), values, { minKeys, maxKeys: most, noNullPrototype: true });
  if (least > 0) return some(least);
  return fc.oneof({ withCrossShrink: true }, { arbitrary: none, weight: 3 }, { arbitrary: some(1), weight: 1 });
}

/** Arrays that a schema admits, of the items given, short where `depth` is large; the first item from `first` where given. */
export function arrayOf(
  schema: Plain,
  items: fc.Arbitrary<JsonValue> | undefined,
  depth: number,
  first?: fc.Arbitrary<JsonValue>,
): fc.Arbitrary<readonly JsonValue[]> {
  const taken = first === undefined ? 0 : 1;
  const shortest = Math.max(0, (schema.minItems ?? 0) - taken);
  const room = shortest + Math.max(1, 6 - 2 * depth);
  const { maxItems = Infinity } = schema;
  const longest = maxItems <= 20 ? maxItems - taken : Math.min(room, maxItems - taken);
  if (longest < shortest || (items === undefined && shortest > 0)) {
    throw new NoInstance(`no array has the items of ${JSON.stringify(schema)}`);
  }
  const lengths = { minLength: shortest, maxLength: items === undefined ? 0 : longest, size: 'max' } as const;
  const values = items ?? fc.constant(null);
  const list = schema.uniqueItems
    ? fc.uniqueArray(values, { ...lengths, selector: canonicalText })
    : fc.array(values, lengths);
  return first === undefined ? list : fc.tuple(first, list).map(([head, tail]) => [head].concat(tail));
}
