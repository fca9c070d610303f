/**
 * A member of a JSON object, or of one within it; `undefined` where there is none. It is asked for by its name, as an
 * object from outside may have a hundred thousand, and only its own counts: `toString` is a member of none.
 */
export function member(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (object, name) =>
      typeof object === 'object' && object !== null ? Object.getOwnPropertyDescriptor(object, name)?.value : undefined,
    value,
  );
}
