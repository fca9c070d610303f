import { calledEndpoint, endpoints, retiredEndpoints } from '../contract/endpoints.ts';
import type { SignedRequest } from '../client/sign.ts';

const called: readonly unknown[] = [...endpoints, ...retiredEndpoints];

/** Where documents are behind links. */
export const linkPlace = called.length;

/** Where the control API does as it is told; where it moves a clock it may take long. */
export function controlPlaceOf(path: string): number {
  return linkPlace + (path.endsWith('/clock') ? 3 : 2);
}

/** How many places there are. */
export const placeCount = linkPlace + 4;

/** A number for where at a target a request goes: its endpoint, the links to documents, or anywhere else. */
export function placeOf({ method, target, isLink }: Pick<SignedRequest, 'method' | 'target' | 'isLink'>): number {
  if (isLink) return linkPlace;
  const at = called.indexOf(calledEndpoint(method, target));
  return at < 0 ? linkPlace + 1 : at;
}
