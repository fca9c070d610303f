import type { ObservedShape } from './results.ts';
import { mergeShapes } from './shape.ts';

/** Merges observations to one for each endpoint and status, in the order of their names and numbers. */
export function mergeObserved(observed: readonly ObservedShape[]): ObservedShape[] {
  const groups = Map.groupBy(observed, ({ endpoint, status }) => `${status} ${endpoint}`);
  return [...groups.values()].map((group) => group.reduce(both)).sort(byName);
}

function both(a: ObservedShape, b: ObservedShape): ObservedShape {
  return {
    endpoint: a.endpoint,
    status: a.status,
    responses: a.responses + b.responses,
    contentTypes: [...new Set([...a.contentTypes, ...b.contentTypes])].sort(),
    fields: [...mergeShapes(a.fields, b.fields)],
  };
}

function byName(a: ObservedShape, b: ObservedShape): number {
  if (a.endpoint === b.endpoint) return a.status - b.status;
  return a.endpoint < b.endpoint ? -1 : 1;
}
