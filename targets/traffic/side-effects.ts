import { endpointAt, type SideEffect } from '../../contract/endpoints.ts';
import type { Exchange } from '../../trace/exchange.ts';

/** What a request has left behind, by where it went and that it was answered with 2xx; `undefined` for nothing. Section 4. */
export function sideEffectOf({ request, response }: Exchange): SideEffect | undefined {
  const isAccepted = response !== undefined && response.status >= 200 && response.status < 300;
  return isAccepted ? endpointAt(request.method, request.target)?.leaves : undefined;
}
