import type fc from 'fast-check';
import type { Maker } from '../from-schema.ts';
import { pointerTo, type JsonSchema, type JsonValue, type Subschema } from '../json.ts';
import { alternatives } from './validity.ts';
import { breachesOf, type BrokenKeyword } from './breaches.ts';
import { arrayOf, objectOf } from './containers.ts';
import type { Definitions } from './keywords.ts';
import { listedValues, typesOf, type Plain } from './plain.ts';

/** The ways to break a keyword of a schema that stands `depth` levels deep, or of the schemas of its fields and items. */
export function breachesWithin(
  schema: Subschema,
  definitions: Definitions,
  maker: Maker,
  depth = 0,
): readonly BrokenKeyword[] {
  if (typeof schema === 'boolean') return [];
  const inParts = (way: Plain): readonly BrokenKeyword[] =>
    listedValues(way) === undefined ? partBreaches(way, definitions, maker, depth) : [];
  const ways = alternatives(schema, definitions);
  return [
    ...ways.flatMap((way) => breachesOf(way, (plain) => maker.plain(plain, depth))),
    ...ways.flatMap(inParts),
    ...exclusionBreaches(schema, definitions, maker, depth),
  ];
}

/** In each field in turn, there in any case, and in the first item. Only objects and arrays that are right but for that. */
function partBreaches(schema: Plain, definitions: Definitions, maker: Maker, depth: number): readonly BrokenKeyword[] {
  const instances = (part: Subschema): fc.Arbitrary<JsonValue> | undefined => maker.instances(part, depth + 1);
  const types = typesOf(schema);
  const fields = types.includes('object') ? fieldsToBreak(schema) : [];
  const items = types.includes('array') ? (schema.items ?? true) : true;
  return [
    ...fields.flatMap(([name, part]) =>
      breachesWithin(part, definitions, maker, depth + 1).map((breach) =>
        within(breach, name, (values) => objectOf(schema, instances, { [name]: values })),
      ),
    ),
    ...breachesWithin(items, definitions, maker, depth + 1).map((breach) =>
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
function exclusionBreaches(
  schema: JsonSchema,
  definitions: Definitions,
  maker: Maker,
  depth: number,
): readonly BrokenKeyword[] {
  if (schema.not === undefined) return [];
  const { not, ...rest } = schema;
  const ways = alternatives({ allOf: [rest, not] }, definitions);
  return ways.map((way) => ({ keyword: 'not', pointer: '', values: () => maker.plain(way, depth) }));
}
