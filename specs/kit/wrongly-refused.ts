import { codes } from '../../contract/values.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { isRightlySigned, signingFactsOf } from '../../trace/signing.ts';
import type { Deviation } from './deviation.ts';
import { isRefused, summary } from './reply.ts';

/**
 * The exchange in which the target refused a right sign as a mismatch, where that is what the deviation tells of: the last such
 * one of the failing case.
 */
export function wronglyRefused(exchanges: readonly Exchange[], error: Deviation): Exchange | undefined {
  // Where the token is to be refused, the sign is not in question: which secret it was made with is anybody's guess.
  if (error.expected.includes(String(codes.tokenInvalid.code))) return undefined;
  return exchanges.findLast(
    (exchange) =>
      isRefused(exchange, codes.signMismatch) &&
      error.actual.includes(summary(exchange)) &&
      isRightlySigned(signingFactsOf(exchange.request, exchange.sentAtMs)),
  );
}
