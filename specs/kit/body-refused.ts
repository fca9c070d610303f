import type { Exchange } from '../../trace/exchange.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import { briefly, isAccepted, summary } from './reply.ts';

/**
 * Why a check can't be made whose request was refused. What an endpoint refuses may be up to what the profile sent; what the gateway
 * refuses, before anybody reads a body, is up to the target. A 403 stays with the settings: they say what an application may call.
 */
export function bodyRefused(what: string, exchange: Exchange): NotExercised {
  const isGateways = exchange.response !== undefined && exchange.response.status !== 403 && !isAccepted(exchange);
  return isGateways
    ? new NotExercised(`a correct request was refused before its body was read: ${summary(exchange)}`, 'target')
    : new NotExercised(`${what} was refused: ${briefly(exchange)}`, 'settings');
}
