import { endpoints, type Endpoint, type EndpointName } from '../../contract/endpoints.ts';
import { matchPath, type PathVariables } from '../http/path.ts';

/** An endpoint with the path variables of a request for it. */
export interface Route {
  readonly endpoint: Endpoint & { readonly name: EndpointName };
  readonly variables: PathVariables;
}

/** The endpoint of that method and path, as they stand on the request line; `undefined` for none. */
export function findRoute(method: string, path: string): Route | undefined {
  for (const endpoint of endpoints) {
    const variables = endpoint.method === method ? matchPath(endpoint.path, path) : undefined;
    if (variables) return { endpoint, variables };
  }
  return undefined;
}
