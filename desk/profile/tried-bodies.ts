import { productionRisk } from '../../targets/traffic/interlock.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { nfeOutcomes, type NfeOutcome } from '../../contract/values.ts';
import { freshId } from '../../generators/nfe-ids.ts';
import type { BodyFile } from '../../targets/profile.ts';
import {
  pauseOf,
  classOf,
  memberText,
  said,
  homologationCall,
  settledQuery,
} from '../../runner/preflight/profile-tries.ts';
import type { BodyCandidate } from './candidates.ts';
import { answered, judged, type Search } from './search.ts';

/** Name of a file with an issuance. */
export type IssuanceFile = Extract<BodyFile, `nf-e.${string}`>;

/** A body that was issued, and what became of it. */
export interface TriedBody {
  readonly candidate: BodyCandidate;
  /** `accepted`: nobody waited for the outcome; `waits`: it did not come in time; `unclear`: nothing can be told. */
  readonly end: NfeOutcome | 'accepted' | 'waits' | 'refused' | 'unclear';
  /** The answer to the issuance. */
  readonly exchange: Exchange;
  /** The answer to the last query, where there was one. */
  readonly query?: Exchange;
}

/** Issues by a body in Homologacao; `undefined` where its bytes might be read as an issuance elsewhere, and nothing is sent. */
export async function issueBody(
  { acting, spent, tell }: Search,
  empresaId: string,
  file: IssuanceFile,
  candidate: BodyCandidate,
): Promise<(TriedBody & { readonly nfeId: string }) | undefined> {
  const nfeId = freshId();
  const call = homologationCall(empresaId, candidate.body, nfeId);
  const risk = productionRisk({
    method: call.method,
    target: call.path,
    ...(call.rawBody ? { rawBody: call.rawBody } : {}),
  });
  if (risk.kind === 'possible') {
    tell(file, 'warning', `${candidate.from}: held back, since ${risk.why}`);
    return undefined;
  }
  const exchange = await acting.send(call);
  // Whatever is not plainly refused may have left something.
  if (classOf(exchange) !== 'refused') spent.invoices += 1;
  const answer = judged(exchange);
  const end = answer === 'broken' ? 'unclear' : answer;
  return { candidate, end, exchange, nfeId };
}

/** Issues by a body and waits for what comes of it. */
export async function tryOutcome(
  search: Search,
  empresaId: string,
  file: IssuanceFile,
  candidate: BodyCandidate,
): Promise<TriedBody | undefined> {
  const issued = await issueBody(search, empresaId, file, candidate);
  if (issued?.end !== 'accepted') {
    if (issued) search.tell(file, 'warning', answered(candidate.from, issued.exchange));
    return issued;
  }
  const { acting, address, tell } = search;
  const query = await settledQuery(acting.send, empresaId, issued.nfeId, pauseOf(acting.caller, address));
  const status = memberText(query, 'status');
  const outcome = nfeOutcomes.find((one) => one === status);
  const found = outcome ?? (status === 'AguardandoAutorizacao' ? 'waits' : 'unclear');
  const waited = `accepted, and still AguardandoAutorizacao after ${address.settleTimeoutSeconds} s: NFE_SETTLE_TIMEOUT sets how long is waited`;
  const words = outcome
    ? `accepted, and is ${outcome}`
    : found === 'waits'
      ? waited
      : `accepted, and a query says ${said(query)}`;
  tell(file, outcome ? 'ok' : 'warning', `${candidate.from}: ${words}`);
  return { ...issued, end: found, query };
}
