import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../gateway/stage.ts';
import type { Reply } from '../http/reply.ts';
import { headerOf, type RequestFacts } from '../http/request-facts.ts';
import type { Verification } from '../model/verification.ts';
import { failingChave } from '../verification/documented-invoices.ts';
import { decodeXml } from '../verification/encoding.ts';
import { examine, type BodyRules } from '../verification/examine.ts';
import type { Findings } from '../model/findings.ts';
import { scanXml } from '../verification/scan.ts';
import { verdictOn } from '../verification/verdict.ts';
import type { Verdict } from '../model/verdict.ts';
import { callerOf, refuseWith } from './code-message.ts';
import { verificationRefusals, type VerificationRefusals } from './verification-refusals.ts';

/** What is verified of a document, and how that is answered. Sections 4.1, 7.3 and 8. */
export interface NfeVerificationRules extends BodyRules {
  readonly status: number;
  readonly body: (verdict: Verdict) => unknown;
  readonly refusals: VerificationRefusals;
  /** Whether the service itself fails with that chave. */
  readonly fails: (chave: string) => boolean;
  /** Whether the authority is asked anew, whatever is known. */
  readonly isForced: (headers: IncomingHttpHeaders) => boolean;
  /** Whether what was verified last is this very document. */
  readonly isSameDocument: (latest: Verification, documentHash: string) => boolean;
  /** Whether the verdict settles, and is told, after the answer. */
  readonly settles: (findings: Findings) => boolean;
}

export const nfeVerificationRules: NfeVerificationRules = {
  status: 200,
  body: (verdict) => ({ chaveAcesso: verdict.chaveAcesso, validation: verdict }),
  refusals: verificationRefusals,
  // 1 MB: more than 1,000,000 bytes is let pass, more than 2^20 is not.
  largestBytes: 1_048_576,
  isEmpty: (rawBody) => /^(?:\xEF\xBB\xBF)?\s*$/.test(rawBody.toString('latin1')),
  decode: decodeXml,
  scan: scanXml,
  fails: (chave) => chave === failingChave,
  isForced: (headers) => headerOf(headers, 'forcerevalidate')?.toLowerCase() === 'true',
  isSameDocument: (latest, documentHash) => latest.documentHash === documentHash,
  settles: () => true,
};

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
