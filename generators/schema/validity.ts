import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { ownSchemas } from '../../schemas/validate.ts';
import { type JsonSchema, type JsonValue, pointerTo, type Subschema } from '../json.ts';
import { type Definitions, resolve } from './keywords.ts';
import fc from 'fast-check';
import { both, fieldOf, type Plain } from './plain.ts';

/** Compiles a schema; the function that it gives lists every fault of a value, as Ajv tells it. */
export function faultsBy(schema: JsonSchema, definitions: Definitions): (value: JsonValue) => readonly ErrorObject[] {
  const ajv = new Ajv2020({
    ...ownSchemas,
    allErrors: true,
    strict: false,
    formats: { 'date-time': isDateTime },
  });
  const { $id: _id, ...anonymous } = schema;
  const validate = ajv.compile({ ...anonymous, $defs: definitions });
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
 * The ways to satisfy a schema, each without references, combinations and conditions. They may admit too much where a
 * combination excludes something (`oneOf`, `not`, `else`), or two patterns meet: validate what is made from them.
 */
export function alternatives(schema: Subschema, definitions: Definitions): readonly Plain[] {
  if (typeof schema === 'boolean') return schema ? [{}] : [];
  const { $ref, allOf, anyOf, oneOf, not: _not, if: condition, then, else: otherwise, $defs: _defs, ...plain } = schema;
  const waysOf = (part: Subschema): readonly Plain[] => alternatives(part, definitions);
  const choices = [anyOf, oneOf].filter((branches) => branches !== undefined);
  const ways = [
    ...($ref === undefined ? [] : [waysOf(resolve($ref, definitions))]),
    ...(allOf ?? []).map(waysOf),
    ...choices.map((branches) => branches.flatMap(waysOf)),
    ...(condition === undefined
      ? []
      : [[...product(waysOf(condition), waysOf(then ?? true)), ...waysOf(otherwise ?? true)]]),
  ].reduce(product, [plain]);
  return ways.filter((way) => (way.required ?? []).every((name) => waysOf(fieldOf(way, name)).length > 0));
}

function product(one: readonly Plain[], other: readonly Plain[]): readonly Plain[] {
  return one.flatMap((left) => other.map((right) => both(left, right)).filter((merged) => merged !== undefined));
}
