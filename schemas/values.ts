/** Any JSON value. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/**
 * A member of a JSON object, or of one within it; `undefined` where there is none. It is asked for by its name, as an
 * object from outside may have a hundred thousand, and only its own counts: `toString` is a member of none.
 */
export function member(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (object, name) => (hasMembers(object) && Object.hasOwn(object, name) ? object[name] : undefined),
    value,
  );
}

function hasMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Whether a value is a JSON object, which no array is. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return hasMembers(value) && !Array.isArray(value);
}

/** What a text is as JSON; `undefined` where it is none. */
export function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Levels of a value of which a text is made at most: the time that this takes grows with the square of them. */
const mostLevels = 1_000;

/** A value as JSON; what it is where it is nested deeper than anybody's value, which a hostile body can be. */
export function jsonText(value: unknown): string {
  if (!isDeep(value, 0)) return JSON.stringify(value) ?? 'absent';
  return Array.isArray(value) ? `an array of ${value.length} items` : 'an object of too many levels';
}

function isDeep(value: unknown, level: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return level === mostLevels || Object.values(value).some((inner) => isDeep(inner, level + 1));
}

/** Code points of a text, so many of them from its start, with what shows of each: "U+0065 e, U+0301 ◌́". */
export function codePointsOf(text: string, count: number): string {
  const points = Array.from(text)
    .slice(0, count)
    .map((character) => {
      const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      const shown = /[\p{C}\p{Z}]/u.test(character) ? '' : ` ${/\p{M}/u.test(character) ? '◌' : ''}${character}`;
      return `U+${hex}${shown}`;
    });
  return points.join(', ');
}

/** UTF-16 units that two texts begin with alike, no pair of them cut. */
export function sharedStart(one: string, other: string): number {
  let at = 0;
  for (const character of one) {
    if (!other.startsWith(character, at)) return at;
    at += character.length;
  }
  return at;
}

/** A value that is made when it is first asked for, and kept: what is long in the making would slow down every start. */
export function onFirstUse<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
