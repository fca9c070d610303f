import type { Exchange } from '../../trace/exchange.ts';
import type { NeedName } from '../../contract/clause.ts';
import { type NfeOutcome, nfeOutcomes } from '../../contract/values.ts';
import {
  bodiesIn,
  jsonBytes,
  type BodyCandidate,
  answered,
  gathered,
  limits,
  type Gathered,
  type Search,
  type SoughtFile,
  judged,
} from './search.ts';
import { productionRisk } from '../../targets/traffic/interlock.ts';
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

/** What was found of issuances, and what a query says of the invoice that was authorised. */
export interface FoundIssuances extends Gathered {
  readonly authorised?: Exchange;
}

const files = ['nf-e.autorizada.json', 'nf-e.negada.json', 'nf-e.invalida.json'] as const;

/** Finds a body that is authorised, one that is denied and one that is refused: each is taken for what becomes of it. */
export async function findIssuances(search: Search, empresaId: string): Promise<FoundIssuances> {
  const tried = await tryOutcomes(search, empresaId);
  const refused = await findRefused(search, empresaId, tried);
  const authorised = await endedAs(search, empresaId, tried, 'Autorizada', 'nf-e.autorizada.json');
  const denied = await endedAs(search, empresaId, tried, 'Negada', 'nf-e.negada.json');
  const sought = (
    file: IssuanceFile,
    body: TriedBody | undefined,
    needs: readonly NeedName[],
    isWhole = body !== undefined,
  ): SoughtFile => ({
    file,
    ...(body ? { proven: { ...body, proved: endText(body), needs } } : {}),
    why: isWhole ? undefined : search.lastWord(file),
  });
  const found = gathered([
    authorised
      ? sought(files[0], authorised, ['accepted-issuance', 'authorised-issuance'])
      : sought(files[0], tried.find(isAccepted), ['accepted-issuance'], false),
    sought(files[1], denied, ['denied-issuance']),
    sought(files[2], refused, ['refused-issuance']),
  ]);
  return { ...found, ...(authorised?.query ? { authorised: authorised.query } : {}) };
}

/** That nothing was issued, for want of a company. */
export function withoutIssuances(): Gathered {
  return gathered(files.map((file) => ({ file, why: 'there is no company with a certificate to issue for' })));
}

/**
 * Issues by one body after the other until one is authorised and one denied, under whichever name it stands; a target that
 * never settles costs one wait.
 */
async function tryOutcomes(search: Search, empresaId: string): Promise<TriedBody[]> {
  const tried: TriedBody[] = [];
  const has = (end: TriedBody['end']): boolean => tried.some((one) => one.end === end);
  for (const [file, wanted] of [
    ['nf-e.autorizada.json', ['Autorizada']],
    ['nf-e.negada.json', ['Autorizada', 'Negada']],
  ] as const) {
    for (const candidate of bodiesIn(search.sources, file)) {
      if (wanted.every(has) || has('waits') || !hasInvoice(search)) break;
      const isRepeated = tried.some((one) => one.candidate.bytes.equals(candidate.bytes));
      const body = isRepeated ? undefined : await tryOutcome(search, empresaId, file, candidate);
      if (body) tried.push(body);
    }
  }
  return tried;
}

function hasInvoice({ spent }: Search): boolean {
  return spent.invoices < limits.invoices;
}

function isAccepted({ end }: TriedBody): boolean {
  return end !== 'refused' && end !== 'unclear';
}

/** The body that ended so: by itself, or else, once more, since a control API has the tax authority decide so. */
async function endedAs(
  search: Search,
  empresaId: string,
  tried: readonly TriedBody[],
  outcome: NfeOutcome,
  file: IssuanceFile,
): Promise<TriedBody | undefined> {
  const body = tried.find(({ end }) => end === outcome);
  const accepted = tried.find(isAccepted);
  if (body || !accepted || !search.acting.steer || !hasInvoice(search)) return body;
  await search.acting.steer(outcome);
  const steered = await tryOutcome(search, empresaId, file, accepted.candidate);
  return steered?.end === outcome ? steered : undefined;
}

/** The first body that is refused: one that is meant to be, an accepted one without a part, or one that was to be accepted. */
async function findRefused(
  search: Search,
  empresaId: string,
  tried: readonly TriedBody[],
): Promise<TriedBody | undefined> {
  const file = 'nf-e.invalida.json';
  const accepted = tried.find(isAccepted);
  for (const candidate of [...bodiesIn(search.sources, file), ...(accepted ? lesser(accepted.candidate) : [])]) {
    if (!hasInvoice(search)) break;
    const body = await issueBody(search, empresaId, file, candidate);
    if (body) search.tell(file, body.end === 'refused' ? 'ok' : 'warning', answered(candidate.from, body.exchange));
    if (body?.end === 'refused') return body;
  }
  return tried.find(({ end }) => end === 'refused');
}

/** A body without its first list, and without its first object: an invoice that sells nothing, or to nobody. */
function lesser({ from, body }: BodyCandidate): BodyCandidate[] {
  const names = Object.keys(body);
  const list = names.find((name) => Array.isArray(body[name]));
  const object = names.find((name) => typeof body[name] === 'object' && body[name] !== null && name !== list);
  return [list, object].flatMap((name) => {
    if (name === undefined) return [];
    const rest = Object.fromEntries(Object.entries(body).filter(([other]) => other !== name));
    return [{ from: `${from} without ${name}`, bytes: jsonBytes(rest), body: rest }];
  });
}

function endText({ end }: TriedBody): string {
  if (end === 'refused') return 'is refused at once';
  return end === 'Autorizada' || end === 'Negada'
    ? `is accepted and ends ${end}`
    : 'is accepted; how it ends is not known';
}

/** Name of a file with an issuance. */
type IssuanceFile = Extract<BodyFile, `nf-e.${string}`>;

/** A body that was issued, and what became of it. */
interface TriedBody {
  readonly candidate: BodyCandidate;
  /** `accepted`: nobody waited for the outcome; `waits`: it did not come in time; `unclear`: nothing can be told. */
  readonly end: NfeOutcome | 'accepted' | 'waits' | 'refused' | 'unclear';
  /** The answer to the issuance. */
  readonly exchange: Exchange;
  /** The answer to the last query, where there was one. */
  readonly query?: Exchange;
}

/** Issues by a body in Homologacao; `undefined` where its bytes might be read as an issuance elsewhere, and nothing is sent. */
async function issueBody(
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
async function tryOutcome(
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
