/** Where two values differ, by the names that lead there, sorted: `body.status`; the place of what one of them lacks, too. */
export function differences(one: unknown, other: unknown, place = ''): string[] {
  if (Object.is(one, other)) return [];
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return [place];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names]
    .flatMap((name) => {
      const below = place === '' ? name : `${place}.${name}`;
      return differences(Reflect.get(one, name), Reflect.get(other, name), below);
    })
    .sort();
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
