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
