import fc from 'fast-check';
import { isObject, pointerTo, type JsonType, type JsonSchema, type Subschema } from '../json.ts';
import { anyJson, unknownName, arrayOf, objectOf } from './containers.ts';
import { edited, editedText, alternatives, listedValues, otherTypes, typesOf, type Plain } from './keywords.ts';
import type { Maker } from '../from-schema.ts';
import type { JsonValue } from '../../schemas/values.ts';

/** Values that may break one keyword of a schema: whether they do, and break nothing else, is for a validator to say. */
export interface BrokenKeyword {
  readonly keyword: string;
  /** From the value that the schema describes. */
  readonly pointer: string;
  readonly values: () => fc.Arbitrary<JsonValue>;
}

/** Makes instances of a schema without combinations. */
type Make = (schema: Plain) => fc.Arbitrary<JsonValue>;

/** The ways to break a keyword of the schema itself, not of the schemas of its fields and items. */
function breachesOf(schema: Plain, make: Make): readonly BrokenKeyword[] {
  return [
    ...valueBreaches(schema, make),
    ...countBreaches(schema, make),
    ...numberBreaches(schema, make),
    ...fieldBreaches(schema, make),
  ].filter(({ keyword }) => keyword in schema || keyword === 'false schema');
}

function valueBreaches(schema: Plain, make: Make): readonly BrokenKeyword[] {
  const { const: _const, enum: _enum, ...unlisted } = schema;
  const listed = fc.constantFrom(...(listedValues(schema) ?? [null]));
  const other = (): fc.Arbitrary<JsonValue> => fc.oneof(edited(listed), listed.map(disguised), make(unlisted));
  const { pattern: _pattern, format: _format, ...unwritten } = schema;
  const mistyped = (): fc.Arbitrary<JsonValue> =>
    fc.oneof(editedText(make(ofType('string', schema))), make(ofType('string', unwritten)));
  return [
    at('type', () => fc.oneof(make({ type: otherTypes(schema) }), make(schema).map(disguised))),
    at('const', other),
    at('enum', other),
    at('pattern', mistyped),
    at('format', mistyped),
  ];
}

/** One too few, or up to eight too many. */
function countBreaches(schema: Plain, make: Make): readonly BrokenKeyword[] {
  const bounds = [
    ['minLength', 'maxLength', 'string'],
    ['minItems', 'maxItems', 'array'],
  ] as const;
  return bounds.flatMap(([least, most, type]) => {
    const { [least]: fewest = 0, [most]: largest = 0 } = schema;
    return [
      at(least, () => make({ ...ofType(type, schema), [least]: 0, [most]: fewest - 1 })),
      at(most, () => make({ ...ofType(type, schema), [least]: largest + 1, [most]: largest + 8 })),
    ];
  });
}

/** On the wrong side of the bound; as schemas say it, at most `exclusiveMaximum` where there was a `minimum`. */
function numberBreaches(schema: Plain, make: Make): readonly BrokenKeyword[] {
  const turned = [
    ['minimum', 'exclusiveMaximum'],
    ['exclusiveMinimum', 'maximum'],
    ['maximum', 'exclusiveMinimum'],
    ['exclusiveMaximum', 'minimum'],
  ] as const;
  const {
    minimum: _min,
    exclusiveMinimum: _aboveMin,
    maximum: _max,
    exclusiveMaximum: _belowMax,
    ...unbounded
  } = schema;
  const type = typesOf(schema).includes('integer') ? 'integer' : 'number';
  return turned.map(([keyword, opposite]) =>
    at(keyword, () => make({ ...ofType(type, unbounded), [opposite]: schema[keyword] ?? 0 })),
  );
}

function fieldBreaches(schema: Plain, make: Make): readonly BrokenKeyword[] {
  const objects = ofType('object', schema);
  const { required = [], properties = {} } = schema;
  const known = [...new Set([...Object.keys(properties), ...required])];
  const forbidden = Object.keys(properties).filter((name) => properties[name] === false);
  return [
    ...required.map((name) => ({
      keyword: 'required',
      pointer: pointerTo('', name),
      values: () =>
        make({
          ...objects,
          required: required.filter((other) => other !== name),
          properties: { ...properties, [name]: false },
        }),
    })),
    ...forbidden.map((name) => ({
      keyword: 'false schema',
      pointer: pointerTo('', name),
      values: () => withField(make(objects), fc.constant(name)),
    })),
    ...(schema.additionalProperties === false
      ? [at('additionalProperties', () => withField(make(objects), unknownName(known)))]
      : []),
  ];
}

function at(keyword: string, values: () => fc.Arbitrary<JsonValue>): BrokenKeyword {
  return { keyword, pointer: '', values };
}

function ofType(type: JsonType, schema: Plain): Plain {
  return { ...schema, type };
}

function withField(objects: fc.Arbitrary<JsonValue>, names: fc.Arbitrary<string>): fc.Arbitrary<JsonValue> {
  return fc
    .tuple(objects, names, anyJson())
    .map(([object, name, value]) => (isObject(object) ? Object.assign({}, object, { [name]: value }) : object));
}

/** What a careless writer makes of a value: a number in quotes, a list of one. */
function disguised(value: JsonValue): JsonValue {
  return typeof value === 'string' ? [value] : JSON.stringify(value);
}

/** The ways to break a keyword of a schema that stands `depth` levels deep, or of the schemas of its fields and items. */
export function breachesWithin(schema: Subschema, maker: Maker, depth = 0): readonly BrokenKeyword[] {
  if (typeof schema === 'boolean') return [];
  const inParts = (way: Plain): readonly BrokenKeyword[] =>
    listedValues(way) === undefined ? partBreaches(way, maker, depth) : [];
  const ways = alternatives(schema);
  return [
    ...ways.flatMap((way) => breachesOf(way, (plain) => maker.plain(plain, depth))),
    ...ways.flatMap(inParts),
    ...exclusionBreaches(schema, maker, depth),
  ];
}

/** In each field in turn, there in any case, and in the first item. Only objects and arrays that are right but for that. */
function partBreaches(schema: Plain, maker: Maker, depth: number): readonly BrokenKeyword[] {
  const instances = (part: Subschema): fc.Arbitrary<JsonValue> | undefined => maker.instances(part, depth + 1);
  const types = typesOf(schema);
  const fields = types.includes('object') ? fieldsToBreak(schema) : [];
  const items = types.includes('array') ? (schema.items ?? true) : true;
  return [
    ...fields.flatMap(([name, part]) =>
      breachesWithin(part, maker, depth + 1).map((breach) =>
        within(breach, name, (values) => objectOf(schema, instances, { [name]: values })),
      ),
    ),
    ...breachesWithin(items, maker, depth + 1).map((breach) =>
      within(breach, 0, (values) => arrayOf(schema, instances(items), depth, values)),
    ),
  ];
}

/** The declared fields, and one of another name where those have a schema. */
function fieldsToBreak(schema: Plain): readonly (readonly [string, Subschema])[] {
  const { properties = {}, additionalProperties = true } = schema;
  const declared = Object.entries(properties);
  return 'outro' in properties ? declared : [...declared, ['outro', additionalProperties]];
}

function within(
  breach: BrokenKeyword,
  step: string | number,
  around: (values: fc.Arbitrary<JsonValue>) => fc.Arbitrary<JsonValue>,
): BrokenKeyword {
  return { ...breach, pointer: pointerTo('', step) + breach.pointer, values: () => around(breach.values()) };
}

/** What `not` excludes. */
function exclusionBreaches(schema: JsonSchema, maker: Maker, depth: number): readonly BrokenKeyword[] {
  if (schema.not === undefined) return [];
  const { not, ...rest } = schema;
  const ways = alternatives({ allOf: [rest, not] });
  return ways.map((way) => ({ keyword: 'not', pointer: '', values: () => maker.plain(way, depth) }));
}
