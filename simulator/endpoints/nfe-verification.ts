import { createHash } from 'node:crypto';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Findings, Verdict } from '../model/verification.ts';
import { examine } from '../verification/examine.ts';
import { verdictOn } from '../verification/verdict.ts';
import type { Call } from './call.ts';

/**
 * Answers with the verdict on a document as it is known at once; it settles afterwards. A document whose verdict is known
 * already gets that one, and no event, unless its caller has it judged anew. Sections 3.2, 4.1 and 6.6.
 */
export async function nfeVerificationEndpoint(request: RequestFacts, call: Call): Promise<Reply> {
  const { nfeVerification: rules } = call.rules;
  const findings = await examine(request, rules);
  if ('refusal' in findings) return call.refuse(rules.refusals[findings.refusal]);
  if (rules.fails(findings.chave)) return call.refuse(rules.refusals.systemError);
  const documentHash = createHash('sha256').update(request.rawBody).digest('hex');
  const known = rules.isForced(request.headers) ? undefined : knownVerdict(findings, documentHash, call);
  const verdict = known ?? begin(findings, documentHash, call);
  return {
    status: rules.status,
    body: rules.body(verdict),
    after: () => call.timeline.touch(call.caller.appKey),
  };
}

function knownVerdict({ chave }: Findings, documentHash: string, call: Call): Verdict | undefined {
  const { state, rules, caller } = call;
  const latest = state.verifications.latest(caller.integratorId, chave);
  if (!latest?.verdict || !rules.nfeVerification.isSameDocument(latest, documentHash)) return undefined;
  return rules.verdict.isFinal(latest.verdict) ? latest.verdict : undefined;
}

/** Judges a document now, and has it judged again when it settles. */
function begin(findings: Findings, documentHash: string, call: Call): Verdict {
  const { state, rules, nowMs } = call;
  // It may have been changed while the document was read.
  const caller = state.applications.findByKey(call.caller.appKey) ?? call.caller;
  const { appKey, integratorId, settleSeconds } = caller;
  const verdict = verdictOn(findings, caller, nowMs, call);
  if (rules.nfeVerification.settles(findings)) {
    state.verifications.add({ appKey, integratorId, documentHash, findings, verdict }, nowMs + settleSeconds * 1000);
  }
  return verdict;
}
