import fc from 'fast-check';
import { endpoints, type EndpointName } from '../../contract/endpoints.ts';

/** Any of the endpoints, each method as often as the others; the echo is the simplest. */
export function anyEndpoint(): fc.Arbitrary<EndpointName> {
  const byMethod = Map.groupBy(endpoints, ({ method }) => method);
  return fc.oneof(...[...byMethod.values()].map((group) => fc.constantFrom(...group.map(({ name }) => name))));
}
