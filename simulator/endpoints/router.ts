import { endpoints, type Endpoint, type EndpointName } from '../../contract/endpoints.ts';
import type { Context, Stage } from '../gateway/stage.ts';
import { matchPath, type PathVariables } from '../http/path.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import { echoEndpoint } from './echo.ts';
import { endpointError } from './errors.ts';

/** What an endpoint does with a request that the gateway has let through. */
export type EndpointHandler = (
  request: RequestFacts,
  context: Context,
  variables: PathVariables,
) => Reply | Promise<Reply>;

/** An endpoint with the path variables of a request for it. */
export interface Route {
  readonly endpoint: Endpoint & { readonly name: EndpointName };
  readonly variables: PathVariables;
}

/** The endpoints that find something; the others know no resource. */
const handlers: Partial<Readonly<Record<EndpointName, EndpointHandler>>> = { echo: echoEndpoint };

/** Answers for the endpoint that is addressed; passes on a path or method that is none of them. Section 4. */
export const endpointStage: Stage = {
  name: 'endpoint',
  answer(request, context) {
    const route = findRoute(request.method, request.path);
    if (!route) return undefined;
    const handler = handlers[route.endpoint.name];
    if (handler) return handler(request, context, route.variables);
    return endpointError('notFound', route.endpoint.errors, context.rules.language.choose(request.headers));
  },
};

/** The endpoint of that method and path, as they stand on the request line; `undefined` for none. */
export function findRoute(method: string, path: string): Route | undefined {
  for (const endpoint of endpoints) {
    const variables = endpoint.method === method ? matchPath(endpoint.path, path) : undefined;
    if (variables) return { endpoint, variables };
  }
  return undefined;
}
