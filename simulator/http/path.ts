/** The values of a path's `{name}` segments, decoded. */
export type PathVariables = Readonly<Record<string, string>>;

/** Matches a path, as it stands on the request line, with a template whose `{name}` stands for one non-empty segment. */
export function matchPath(template: string, path: string): PathVariables | undefined {
  const variable = template.indexOf('{');
  if (variable < 0) return path === template ? {} : undefined;
  // Most requests are for another endpoint: that shows before anything is taken apart.
  if (!path.startsWith(template.slice(0, variable))) return undefined;
  const expected = template.split('/');
  const found = path.split('/');
  if (expected.length !== found.length) return undefined;
  const variables: Record<string, string> = {};
  for (const [index, segment] of found.entries()) {
    const wanted = expected[index] ?? '';
    const isVariable = wanted.startsWith('{');
    if (isVariable ? segment === '' : segment !== wanted) return undefined;
    if (isVariable) variables[wanted.slice(1, -1)] = decoded(segment);
  }
  return variables;
}

/** A malformed escape stands for itself: nothing has such a name. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
