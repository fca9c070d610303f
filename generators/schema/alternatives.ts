import type { Subschema } from '../json.ts';
import { resolve, type Definitions } from './keywords.ts';
import { both, fieldOf, type Plain } from './plain.ts';

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
