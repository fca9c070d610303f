import type { PathVariables } from '../http/path.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import { verdictOn } from '../verification/verdict.ts';
import type { Call } from './call.ts';

/**
 * The verdict on the chave that the caller's account had last, or what the authority says of it where there was none; 404
 * where there is neither. It starts nothing and sends no event. Sections 1 and 4.1.
 */
export function chaveLookupEndpoint(request: RequestFacts, call: Call, { chave = '' }: PathVariables): Reply {
  const { state, rules, caller, nowMs } = call;
  const { status, body, refusals, isChave, fails, readsLatest, isFound } = rules.chaveLookup;
  if (!isChave(chave)) return call.refuse(refusals.chaveMalformed);
  if (fails(chave)) return call.refuse(refusals.systemError);
  const latest = state.verifications.latest(caller.integratorId, chave);
  if (latest?.verdict && rules.verdict.isFinal(latest.verdict) && readsLatest(request)) {
    return { status, body: body(latest.verdict) };
  }
  const verdict = verdictOn(latest?.findings ?? { chave }, caller, nowMs, call);
  if (!latest && !isFound(verdict)) return call.refuse(refusals.chaveUnknown);
  return { status, body: body(verdict) };
}
