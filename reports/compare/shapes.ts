import type { ObservedField, ObservedShape } from '../../schemas/observed.ts';
import { pairsBy, type Pair } from './pairs.ts';

/** How the answers of an endpoint with one status differ; a run with no responses saw no such answer. */
export interface ShapeDifference {
  readonly endpoint: string;
  readonly status: number;
  readonly responses: Sides<number>;
  readonly contentTypes?: Sides<readonly string[]>;
  readonly fields: readonly FieldDifference[];
}

interface Sides<T> {
  readonly a: T;
  readonly b: T;
}

/** A field that only one of the runs saw, or that was of other types, or that was always there in one of them only. */
export interface FieldDifference {
  readonly pointer: string;
  readonly a?: FieldSide;
  readonly b?: FieldSide;
}

export type FieldSide = Pick<ObservedField, 'types' | 'always'>;

/** The shapes of two runs, paired by endpoint and status. */
export function shapePairs(a: readonly ObservedShape[], b: readonly ObservedShape[]): Pair<ObservedShape>[] {
  return pairsBy(a, b, ({ endpoint, status }) => `${status} ${endpoint}`);
}

/** The difference of a pair, or none. Of an answer that only one run saw, nothing but that is told. */
export function shapeDifference({ a, b }: Pair<ObservedShape>): ShapeDifference[] {
  const either = a ?? b;
  if (!either) return [];
  const { endpoint, status } = either;
  const responses = { a: a?.responses ?? 0, b: b?.responses ?? 0 };
  if (!a || !b) return [{ endpoint, status, responses, fields: [] }];
  const fields = pairsBy(a.fields, b.fields, ({ pointer }) => pointer).flatMap(fieldDifference);
  const hasSameTypes = isSame(a.contentTypes, b.contentTypes);
  if (hasSameTypes && fields.length === 0) return [];
  const contentTypes = { a: a.contentTypes, b: b.contentTypes };
  return [{ endpoint, status, responses, ...(hasSameTypes ? {} : { contentTypes }), fields }];
}

function fieldDifference({ a, b }: Pair<ObservedField>): FieldDifference[] {
  if (a && b && a.always === b.always && isSame(a.types, b.types)) return [];
  return [{ pointer: (a ?? b)?.pointer ?? '', ...(a && { a: sideOf(a) }), ...(b && { b: sideOf(b) }) }];
}

function sideOf({ types, always }: ObservedField): FieldSide {
  return { types, always };
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return new Set(a).symmetricDifference(new Set(b)).size === 0;
}
