import { createHash } from 'node:crypto';
import type { Context } from '../gateway/stage.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Findings } from '../model/findings.ts';
import type { Verdict } from '../model/verdict.ts';
import { examine } from '../verification/examine.ts';
import { verdictOn } from '../verification/verdict.ts';
import { callerOf, refuseWith } from './code-message.ts';

/**
 * Answers with the verdict on a document as it is known at once; it settles afterwards. A document whose verdict is known
 * already gets that one, and no event, unless its caller has it judged anew. Sections 3.2, 4.1 and 6.6.
 */
export async function nfeVerificationEndpoint(request: RequestFacts, context: Context): Promise<Reply> {
  const { nfeVerification: rules } = context.rules;
  const findings = await examine(request, rules);
  if ('refusal' in findings) return refuseWith(rules.refusals[findings.refusal], request, context);
  if (rules.fails(findings.chave)) return refuseWith(rules.refusals.systemError, request, context);
  const documentHash = createHash('sha256').update(request.rawBody).digest('hex');
  const known = rules.isForced(request.headers) ? undefined : knownVerdict(findings, documentHash, context);
  const verdict = known ?? begin(findings, documentHash, context);
  return {
    status: rules.status,
    body: rules.body(verdict),
    after: () => context.timeline.touch(callerOf(context).appKey),
  };
}

function knownVerdict({ chave }: Findings, documentHash: string, context: Context): Verdict | undefined {
  const { state, rules } = context;
  const latest = state.verifications.latest(callerOf(context).integratorId, chave);
  if (!latest?.verdict || !rules.nfeVerification.isSameDocument(latest, documentHash)) return undefined;
  return rules.verdict.isFinal(latest.verdict) ? latest.verdict : undefined;
}

/** Judges a document now, and has it judged again when it settles. */
function begin(findings: Findings, documentHash: string, context: Context): Verdict {
  const { state, rules, nowMs } = context;
  const { appKey } = callerOf(context);
  // It may have been changed while the document was read.
  const application = state.applications.findByKey(appKey) ?? callerOf(context);
  const { integratorId, settleSeconds } = application;
  const verdict = verdictOn(findings, application, nowMs, context);
  if (rules.nfeVerification.settles(findings)) {
    state.verifications.add({ appKey, integratorId, documentHash, findings, verdict }, nowMs + settleSeconds * 1000);
  }
  return verdict;
}
