import { endpoints, isPathOf, type Endpoint } from './endpoints.ts';
import { retiredEndpoints, type RetiredEndpoint } from './retired.ts';

/** The endpoint, standard or retired, that a request line is for; `undefined` for one of no endpoint. Sections 4 and 4.3. */
export function calledEndpoint(method: string, target: string): Endpoint | RetiredEndpoint | undefined {
  const isAsked = (known: { method: string; path: string }): boolean =>
    known.method === method && isPathOf(known.path, target);
  return endpoints.find(isAsked) ?? retiredEndpoints.find(isAsked);
}
