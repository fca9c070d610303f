import fc from 'fast-check';
import { pointerTo, type JsonSchema, type Subschema, canonicalText, isArray, type JsonType } from '../json.ts';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { ownSchemas } from '../../schemas/validate.ts';
import type { JsonValue } from '../../schemas/values.ts';

const keywords: readonly (keyof JsonSchema)[] = [
  '$id',
  '$schema',
  'title',
  'description',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
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
  'properties',
  'required',
  'additionalProperties',
  'items',
  'minItems',
  'maxItems',
];

/** Refuses a schema that the generators don't know in full: an Error names the keyword, where it stands and what to do. */
export function refuseUnknownKeywords(schema: Subschema, pointer = '#'): void {
  if (typeof schema === 'boolean') return;
  const known = new Set<string>(keywords);
  const unknown = Object.keys(schema).find((keyword) => !known.has(keyword));
  if (unknown !== undefined) refuse(pointer, unknown, 'is not a keyword that generators/ knows');
  if (schema.format !== undefined && schema.format !== 'date-time') refuse(pointer, 'format', 'can only be date-time');
  for (const [step, part] of partsOf(schema)) refuseUnknownKeywords(part, `${pointer}${step}`);
}

function refuse(pointer: string, keyword: string, fault: string): never {
  throw new Error(
    `${pointerTo(pointer, keyword)}: ${keyword} ${fault}; write the schema without it or extend generators/`,
  );
}

/** Every schema within a schema, with its pointer from there. */
function partsOf(schema: JsonSchema): (readonly [string, Subschema])[] {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, part]) => [pointerTo('/properties', name), part] as const,
  );
  const lists = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((keyword) =>
    (schema[keyword] ?? []).map((part, index) => [`/${keyword}/${index}`, part] as const),
  );
  const single = (['not', 'additionalProperties', 'items'] as const).flatMap((keyword) => {
    const part = schema[keyword];
    return part === undefined ? [] : [[`/${keyword}`, part] as const];
  });
  return [...fields, ...lists, ...single];
}

/** A schema without combinations. */
export type Plain = Omit<JsonSchema, 'allOf' | 'anyOf' | 'oneOf' | 'not'>;

const everyType: readonly JsonType[] = ['string', 'number', 'boolean', 'null', 'object', 'array'];

/** The types that a schema admits: all of them where it names none. */
export function typesOf(schema: Plain): readonly JsonType[] {
  if (schema.type === undefined) return everyType;
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
}

/** The types that a schema does not admit; `number` where it admits only integers. */
export function otherTypes(schema: Plain): readonly JsonType[] {
  const admitted = typesOf(schema);
  return everyType.filter((type) => !admitted.includes(type));
}

/** The values that a schema lists; undefined where it lists none. */
export function listedValues(schema: Plain): readonly JsonValue[] | undefined {
  const listed = schema.const === undefined ? schema.enum : [schema.const];
  const types = typesOf(schema);
  return listed?.filter((value) => types.some((type) => isOf(type, value)));
}

function isOf(type: JsonType, value: JsonValue): boolean {
  if (value === null) return type === 'null';
  if (isArray(value)) return type === 'array';
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

/** The schema of what both admit; undefined where their types or values exclude each other. Of two patterns it keeps the first. */
function both(one: Plain, other: Plain): Plain | undefined {
  const types = typesOf(one).flatMap((type) => typesOf(other).flatMap((second) => commonType(type, second)));
  if (types.length === 0 || commonValues(listedValues(one), listedValues(other))?.length === 0) return undefined;
  const merged = {
    ...other,
    ...one,
    ...(one.type === undefined && other.type === undefined ? {} : { type: types }),
    ...tightest(one, other),
    ...(one.enum && other.enum ? { enum: commonValues(one.enum, other.enum) ?? [] } : {}),
    ...bothObjects(one, other),
    ...(one.items === undefined || other.items === undefined ? {} : { items: { allOf: [one.items, other.items] } }),
  };
  return listedValues(merged)?.length === 0 ? undefined : merged;
}

function commonType(one: JsonType, other: JsonType): readonly JsonType[] {
  if (one === other) return [one];
  const numeric = [one, other].every((type) => type === 'integer' || type === 'number');
  return numeric ? ['integer'] : [];
}

type Listed = readonly JsonValue[] | undefined;

function commonValues(one: Listed, other: Listed): Listed {
  if (one === undefined || other === undefined) return undefined;
  const texts = new Set(other.map(canonicalText));
  return one.filter((value) => texts.has(canonicalText(value)));
}

/** The stricter of two bounds, for every keyword that sets one. */
function tightest(one: Plain, other: Plain): Plain {
  const lower = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems'] as const;
  const upper = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems'] as const;
  const bounds = [
    ...lower.map((keyword) => [keyword, Math.max(one[keyword] ?? -Infinity, other[keyword] ?? -Infinity)] as const),
    ...upper.map((keyword) => [keyword, Math.min(one[keyword] ?? Infinity, other[keyword] ?? Infinity)] as const),
  ];
  return Object.fromEntries(bounds.filter(([, bound]) => Number.isFinite(bound)));
}

function bothObjects(one: Plain, other: Plain): Plain {
  const names = Object.keys({ ...one.properties, ...other.properties });
  const properties = names.map((name) => [name, bothAdmit(fieldOf(one, name), fieldOf(other, name))] as const);
  const required = [...new Set([...(one.required ?? []), ...(other.required ?? [])])];
  const additional = bothAdmit(one.additionalProperties ?? true, other.additionalProperties ?? true);
  return {
    ...(names.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(required.length === 0 ? {} : { required }),
    ...(additional === true ? {} : { additionalProperties: additional }),
  };
}

function bothAdmit(one: Subschema, other: Subschema): Subschema {
  if (one === false || other === false) return false;
  if (one === true) return other;
  return other === true ? one : { allOf: [one, other] };
}

/** The schema of the field of that name. */
export function fieldOf(schema: Plain, name: string): Subschema {
  const declared = schema.properties ?? {};
  return (Object.hasOwn(declared, name) ? declared[name] : schema.additionalProperties) ?? true;
}

/** Compiles a schema; the function that it gives lists every fault of a value, as Ajv tells it. */
export function faultsBy(schema: JsonSchema): (value: JsonValue) => readonly ErrorObject[] {
  const ajv = new Ajv2020({
    ...ownSchemas,
    allErrors: true,
    strict: false,
    formats: { 'date-time': isDateTime },
  });
  const { $id: _id, ...anonymous } = schema;
  const validate = ajv.compile(anonymous);
  return (value) => (validate(value) ? [] : (validate.errors ?? []));
}

/** Where a fault lies: a missing field is pointed at itself, as if it were there; all else as Ajv points at it. */
export function placeOf(fault: ErrorObject): string {
  const { missingProperty }: { readonly missingProperty?: string } = fault.params;
  return fault.keyword === 'required' ? pointerTo(fault.instancePath, missingProperty ?? '') : fault.instancePath;
}

/** Whether a text is a date and time as RFC 3339 writes it, on a day that the calendar has; no leap seconds. */
export function isDateTime(text: string): boolean {
  const parts =
    /^(\d{4}-\d\d-\d\d)[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
  const day = parts.exec(text)?.[1];
  const instant = new Date(`${day}T00:00:00Z`);
  return day !== undefined && !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(day);
}

/** Values next to those given: a text with one slip in it, a number one off, the other boolean; else any as it is. */
export function edited(values: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  return fc.tuple(editedText(values), fc.constantFrom(-1, 1)).map(([value, step]) => {
    if (typeof value === 'boolean') return !value;
    return typeof value === 'number' ? value + step : value;
  });
}

/** The texts among the values with one slip in each: another case, a character more, fewer or changed, white space around or instead. */
export function editedText(values: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  return fc
    .tuple(values, fc.constantFrom(...slips), fc.nat(), fc.constantFrom('x', '0', '-', ' ', 'É', '😀'))
    .map(([value, slip, place, letter]) => {
      if (typeof value !== 'string') return value;
      const points = Array.from(value);
      return slip(points, place % (points.length + 1), letter);
    });
}

type Slip = (points: readonly string[], place: number, letter: string) => string;

const slips: readonly Slip[] = [
  (points, place) => points.toSpliced(place, 1).join(''),
  (points, place, letter) => points.toSpliced(place, 1, letter).join(''),
  (points, place, letter) => points.toSpliced(place, 0, letter).join(''),
  (points) => points.join('').toUpperCase(),
  (points) => points.join('').toLowerCase(),
  (points) => ' '.repeat(points.length),
  (points) => ` ${points.join('')}`,
  (points) => `${points.join('')}\n`,
];

/**
 * The ways to satisfy a schema, each without combinations. They may admit too much where a combination excludes something (`oneOf`,
 * `not`), or two patterns meet: validate what is made from them.
 */
export function alternatives(schema: Subschema): readonly Plain[] {
  if (typeof schema === 'boolean') return schema ? [{}] : [];
  const { allOf = [], anyOf, oneOf, not: _not, ...plain } = schema;
  const choices = [anyOf, oneOf].filter((branches) => branches !== undefined);
  const ways = [
    ...allOf.map((part) => alternatives(part)),
    ...choices.map((branches) => branches.flatMap((branch) => alternatives(branch))),
  ].reduce(product, [plain]);
  return ways.filter((way) => (way.required ?? []).every((name) => alternatives(fieldOf(way, name)).length > 0));
}

function product(one: readonly Plain[], other: readonly Plain[]): readonly Plain[] {
  return one.flatMap((left) => other.map((right) => both(left, right)).filter((merged) => merged !== undefined));
}
