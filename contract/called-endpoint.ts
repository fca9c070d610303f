import { endpoints, type Endpoint } from './endpoints.ts';
import { retiredEndpoints, type RetiredEndpoint } from './retired.ts';

/** The endpoint, standard or retired, that a request line is for; `undefined` for one of no endpoint. Sections 4 and 4.3. */
export function calledEndpoint(method: string, target: string): Endpoint | RetiredEndpoint | undefined {
  const [path = ''] = target.split('?');
  const isAsked = (known: { method: string; path: string }): boolean =>
    known.method === method && isPathOf(known.path, path);
  return endpoints.find(isAsked) ?? retiredEndpoints.find(isAsked);
}

function isPathOf(template: string, path: string): boolean {
  const segments = path.split('/');
  const wanted = template.split('/');
  const fits = (want: string, index: number): boolean =>
    want.startsWith('{') ? segments[index] !== '' : segments[index] === want;
  return segments.length === wanted.length && wanted.every(fits);
}
