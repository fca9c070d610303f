import { calledEndpoint } from '../contract/called-endpoint.ts';
import { endpoints } from '../contract/endpoints.ts';
import { retiredEndpoints } from '../contract/retired.ts';
import type { SignedRequest } from '../client/signed-request.ts';

const called: readonly unknown[] = [...endpoints, ...retiredEndpoints];

/** Where documents are behind links. */
export const linkPlace = called.length;

/** A number for where at a target a request goes: its endpoint, the links to documents, or anywhere else. */
export function placeOf({ method, target, isLink }: Pick<SignedRequest, 'method' | 'target' | 'isLink'>): number {
  if (isLink) return linkPlace;
  const at = called.indexOf(calledEndpoint(method, target));
  return at < 0 ? linkPlace + 1 : at;
}
