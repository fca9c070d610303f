import fc from 'fast-check';
import { type Subschema } from '../json.ts';
import { NoInstance, such } from '../named.ts';
import { fieldOf, type Plain, isDateTime } from './keywords.ts';
import { codePoint } from '../text.ts';
import type { JsonObject, JsonValue } from '../../schemas/values.ts';

/** Makes instances of a schema; undefined where it has none. */
type Instances = (schema: Subschema) => fc.Arbitrary<JsonValue> | undefined;

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
  const unknown = unknownFields(names, instances(schema.additionalProperties ?? true));
  return fc.tuple(declared, unknown).map(([known, more]) => Object.assign({}, known, more));
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
  names: readonly string[],
  values: fc.Arbitrary<JsonValue> | undefined,
): fc.Arbitrary<JsonObject> {
  const none = fc.constant<JsonObject>({});
  if (values === undefined) return none;
  const some = fc.dictionary(unknownName(names), values, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
  return fc.oneof({ withCrossShrink: true }, { arbitrary: none, weight: 3 }, { arbitrary: some, weight: 1 });
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
  const list = fc.array(values, lengths);
  return first === undefined ? list : fc.tuple(first, list).map(([head, tail]) => [head].concat(tail));
}

/** Numbers that a schema admits, whole and with a fraction; never negative zero, which JSON text loses. */
export function numberOf(schema: Plain): fc.Arbitrary<number> {
  const { low, lowExcluded, high, highExcluded } = boundsOf(schema);
  const empty = low > high || (low === high && (lowExcluded || highExcluded));
  if (empty) throw new NoInstance(`no number lies within ${JSON.stringify(schema)}`);
  const fraction = fc.double({
    min: low === -Infinity ? Math.min(-1e9, high - 1e9) : low,
    max: high === Infinity ? Math.max(1e9, low + 1e9) : high,
    minExcluded: lowExcluded,
    maxExcluded: highExcluded,
    noNaN: true,
  });
  const { first, last } = integersOf(schema);
  return (first > last ? fraction : fc.oneof(integerOf(schema), fraction)).map(withoutNegativeZero);
}

/** Integers that a schema admits, within what a double holds exactly. A NoInstance where there is none. */
export function integerOf(schema: Plain): fc.Arbitrary<number> {
  const { first, last } = integersOf(schema);
  if (first > last) throw new NoInstance(`no integer lies within ${JSON.stringify(schema)}`);
  return fc.integer({ min: first, max: last }).map(withoutNegativeZero);
}

/** The first and the last integer that the bounds admit. */
function integersOf(schema: Plain): { first: number; last: number } {
  const { low, lowExcluded, high, highExcluded } = boundsOf(schema);
  return {
    first: Math.max(Number.MIN_SAFE_INTEGER, lowExcluded ? Math.floor(low) + 1 : Math.ceil(low)),
    last: Math.min(Number.MAX_SAFE_INTEGER, highExcluded ? Math.ceil(high) - 1 : Math.floor(high)),
  };
}

function boundsOf(schema: Plain) {
  const { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity, exclusiveMaximum = Infinity } = schema;
  const low = Math.max(minimum, exclusiveMinimum);
  const high = Math.min(maximum, exclusiveMaximum);
  return {
    low,
    lowExcluded: low === schema.exclusiveMinimum,
    high,
    highExcluded: high === schema.exclusiveMaximum,
  };
}

function withoutNegativeZero(value: number): number {
  return value + 0;
}

/** Strings that a schema admits; lengths are counted in code points, and the shortest and the longest come often. */
export function stringOf(schema: Plain): fc.Arbitrary<string> {
  const shortest = schema.minLength ?? 0;
  const longest = schema.maxLength ?? shortest + 20;
  if (shortest > longest || longest < 0) throw new NoInstance(`no string is as short as ${JSON.stringify(schema)}`);
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u');
  if (schema.format === undefined && pattern === undefined) return freeText(shortest, longest);
  const source =
    pattern === undefined || schema.format !== undefined
      ? dateTime()
      : fc.stringMatching(pattern, { size: sizeFor(shortest) });
  const fits = (text: string): boolean =>
    text.isWellFormed() &&
    codePoints(text) >= shortest &&
    codePoints(text) <= (schema.maxLength ?? Infinity) &&
    (pattern?.test(text) ?? true) &&
    (schema.format === undefined || isDateTime(text));
  return such(source, fits, `string for ${JSON.stringify(schema)}`);
}

function codePoints(text: string): number {
  return Array.from(text).length;
}

function freeText(shortest: number, longest: number): fc.Arbitrary<string> {
  const ascii = fc.string({ minLength: 1, maxLength: 1 });
  const unit = fc.oneof(ascii, fc.string({ unit: 'grapheme-composite', minLength: 1, maxLength: 1 }), codePoint());
  return fc.oneof(
    { withCrossShrink: true },
    { arbitrary: fc.string({ unit, minLength: shortest, maxLength: longest }), weight: 6 },
    { arbitrary: fc.string({ minLength: shortest, maxLength: shortest }), weight: 1 },
    { arbitrary: fc.string({ minLength: longest, maxLength: longest }), weight: 1 },
  );
}

function sizeFor(length: number): fc.Size {
  if (length <= 10) return 'small';
  return length <= 100 ? 'medium' : 'large';
}

/** A date and time as RFC 3339 writes it: years 1900 to 2100, with and without fraction, in UTC and at offsets. */
function dateTime(): fc.Arbitrary<string> {
  const digits = fc.stringMatching(/^(\.\d{1,9})?$/);
  const zone = fc.constantFrom('Z', '+00:00', '-03:00', '-02:00', '+14:00');
  const instant = fc.date({ min: new Date('1900-01-01'), max: new Date('2100-12-31'), noInvalidDate: true });
  return fc.tuple(instant, digits, zone).map(([at, fraction, offset]) => {
    return `${at.toISOString().slice(0, 19)}${fraction}${offset}`;
  });
}
