import { endpoints, type Endpoint, type EndpointName } from '../../contract/endpoints.ts';
import { pathMatcher, type PathVariables } from '../http/path.ts';

/** An endpoint with the path variables of a request for it. */
export interface Route {
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
