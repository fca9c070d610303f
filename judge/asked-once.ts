import type { TraceRecord } from '../trace/records.ts';

/** What is told of a record by those before it. */
type Told<T> = (latest: TraceRecord, earlier: readonly TraceRecord[]) => T;

/**
 * The same, made once for the predicates that ask one after the other. Kept by what came before: the same record may end several
 * histories where traces are changed.
 */
export function askedOnce<T>(tell: Told<T>): Told<T> {
  const known = new WeakMap<readonly TraceRecord[], { readonly latest: TraceRecord; readonly told: T }>();
  return (latest, earlier) => {
    const last = known.get(earlier);
    if (last?.latest === latest) return last.told;
    const told = tell(latest, earlier);
    known.set(earlier, { latest, told });
    return told;
  };
}
