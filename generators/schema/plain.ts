import { canonicalText, isArray, type JsonSchema, type JsonType, type JsonValue, type Subschema } from '../json.ts';

/** A schema without references, combinations and conditions. */
export type Plain = Omit<JsonSchema, '$defs' | '$ref' | 'allOf' | 'anyOf' | 'oneOf' | 'not' | 'if' | 'then' | 'else'>;

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
export function both(one: Plain, other: Plain): Plain | undefined {
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
    ...(one.uniqueItems || other.uniqueItems ? { uniqueItems: true } : {}),
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
  const lower = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'] as const;
  const upper = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'] as const;
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
