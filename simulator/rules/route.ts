import { type Endpoint, type EndpointName, endpoints } from '../../contract/endpoints.ts';

/** The values of a path's `{name}` segments, decoded. */
export type PathVariables = Readonly<Record<string, string>>;

/** Gives the variables of a path, as it stands on the request line; `undefined` where it does not match. */
type PathMatcher = (path: string) => PathVariables | undefined;

/** Matches paths with a template whose `{name}` stands for one non-empty segment. */
export function pathMatcher(template: string): PathMatcher {
  const variable = template.indexOf('{');
  if (variable < 0) return (path) => (path === template ? {} : undefined);
  const start = template.slice(0, variable);
  const expected = template.split('/').map((text) => ({ text, name: /^\{(.*)\}$/.exec(text)?.[1] }));
  return (path) => {
    // Most requests are for another endpoint: that shows before anything is taken apart.
    if (!path.startsWith(start)) return undefined;
    const found = path.split('/');
    if (expected.length !== found.length) return undefined;
    const variables: Record<string, string> = {};
    for (const [index, { text, name }] of expected.entries()) {
      const segment = found[index] ?? '';
      if (name === undefined ? segment !== text : segment === '') return undefined;
      if (name !== undefined) variables[name] = decoded(segment);
    }
    return variables;
  };
}

/** A malformed escape stands for itself: nothing has such a name. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** An endpoint with the path variables of a request for it. */
interface Route {
  readonly endpoint: Endpoint & { readonly name: EndpointName };
  readonly variables: PathVariables;
}

const routes = endpoints.map((endpoint) => ({ endpoint, match: pathMatcher(endpoint.path) }));

/** The endpoint of that method and path, as they stand on the request line; `undefined` for none. */
export function findRoute(method: string, path: string): Route | undefined {
  for (const { endpoint, match } of routes) {
    const variables = endpoint.method === method ? match(path) : undefined;
    if (variables) return { endpoint, variables };
  }
  return undefined;
}
