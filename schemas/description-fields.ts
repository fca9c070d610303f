/** Levels that are looked into: no event has as many, and a hostile one that has more would fill the memory with pointers. */
const mostLevels = 100;

/**
 * JSON pointers of the fields, at any depth, whose name ends in `Description`: the payload of an event has none, since its
 * values are the same in every language. Section 2.4.
 */
export function descriptionFields(payload: unknown): string[] {
  const found: string[] = [];
  collect(payload, '', 0, found);
  return found;
}

function collect(value: unknown, pointer: string, level: number, found: string[]): void {
  if (typeof value !== 'object' || value === null || level === mostLevels) return;
  for (const [name, inner] of Object.entries(value)) {
    const place = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (name.endsWith('Description')) found.push(place);
    collect(inner, place, level + 1, found);
  }
}
