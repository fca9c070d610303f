/**
 * A member of a JSON object, or of one within it; `undefined` where there is none. It is asked for by its name, as an
 * object from outside may have a hundred thousand, and only its own counts: `toString` is a member of none.
 */
export function member(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (object, name) => (isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined),
    value,
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
