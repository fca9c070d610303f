import type { Gathered } from './gathered.ts';
import type { Trial } from './trial.ts';

/**
 * Gathers something once for all checks of a run that gather for each other, of each kind where there are several; `name` is what the
 * costs of the checks call it. What did not come at once, and whole, is gathered again by the next check, unless it lasts.
 */
export function gatheredOnce<T, Kind extends readonly unknown[]>(
  name: string,
  gather: (t: Trial, ...kind: Kind) => Promise<T>,
  isLasting: (value: T) => boolean = () => false,
): (t: Trial, ...kind: Kind) => Promise<T> {
  const all = new Map<string, { readonly value: T; readonly gathered: Gathered }>();
  // Of checks that are made at the same time the others wait for the one that gathers.
  const underWay = new Map<string, Promise<unknown>>();
  return async (t, ...kind) => {
    const run = t.gathersIn();
    if (run === undefined) return gather(t, ...kind);
    const key = `${run} ${JSON.stringify(kind)}`;
    for (let other = underWay.get(key); other; other = underWay.get(key)) await other;
    const known = all.get(key);
    if (known) {
      t.read(name, known.gathered);
      return known.value;
    }
    const gathering = t.gather(name, () => gather(t, ...kind));
    underWay.set(
      key,
      gathering.then(
        () => underWay.delete(key),
        () => underWay.delete(key),
      ),
    );
    const { value, gathered, isSure } = await gathering;
    if (isSure || isLasting(value)) all.set(key, { value, gathered });
    return value;
  };
}
