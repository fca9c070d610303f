import { createHash } from 'node:crypto';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Findings, Verdict } from '../model.ts';
import type { PathVariables } from '../rules/route.ts';
import { examine, verdictOn } from '../verification/examine.ts';
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

/** Shows a company; 404 for one that the registry does not have. Section 4.1. */
export async function cnpjLookupEndpoint(
  _request: RequestFacts,
  call: Call,
  { cnpj = '' }: PathVariables,
): Promise<Reply> {
  const { status, refusals, isCnpj, fails, isKnown, company } = call.rules.cnpjLookup;
  if (!isCnpj(cnpj)) return call.refuse(refusals.cnpjMalformed);
  if (fails(cnpj)) return call.refuse(refusals.systemError);
  if (!isKnown(cnpj)) return call.refuse(refusals.cnpjUnknown);
  return { status, body: await company(cnpj) };
}

/** Shows a person; 404 for one that the registry does not have, or has with another birth date. Section 4.1. */
export async function cpfLookupEndpoint(
  _request: RequestFacts,
  call: Call,
  { cpf = '', nascimento = '' }: PathVariables,
): Promise<Reply> {
  const rules = call.rules.cpfLookup;
  const { refusals } = rules;
  if (!rules.isCpf(cpf)) return call.refuse(refusals.cpfMalformed);
  if (!rules.isBirthDate(nascimento, call.nowMs)) return call.refuse(refusals.nascimentoMalformed);
  if (rules.fails(cpf)) return call.refuse(refusals.systemError);
  if (!rules.isKnown(cpf)) return call.refuse(refusals.cpfUnknown);
  if (!rules.isBornOn(cpf, nascimento)) return call.refuse(refusals.nascimentoMismatch);
  return { status: rules.status, body: await rules.person(cpf, nascimento) };
}
