/**
 * JSON pointers of the fields, at any depth, whose name ends in `Description`: the payload of an event has none, since its
 * values are the same in every language. Section 2.4.
 */
export function descriptionFields(payload: unknown, pointer = ''): string[] {
  if (typeof payload !== 'object' || payload === null) return [];
  return Object.entries(payload).flatMap(([name, value]: [string, unknown]) => {
    const place = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return [...(name.endsWith('Description') ? [place] : []), ...descriptionFields(value, place)];
  });
}
