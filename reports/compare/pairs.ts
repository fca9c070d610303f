/** What two lists have under one key; at least one of them has something. */
export interface Pair<T> {
  readonly a: T | undefined;
  readonly b: T | undefined;
}

/** Pairs the entries of two lists by key: in the order of the first list, then what only the second one has. */
export function pairsBy<T>(a: readonly T[], b: readonly T[], keyOf: (entry: T) => string): Pair<T>[] {
  const byKey = (list: readonly T[]): Map<string, T> => new Map(list.map((entry) => [keyOf(entry), entry]));
  const [ofA, ofB] = [byKey(a), byKey(b)];
  return [...new Set([...ofA.keys(), ...ofB.keys()])].map((key) => ({ a: ofA.get(key), b: ofB.get(key) }));
}
