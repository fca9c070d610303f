import {
  type Clause,
  type StatedClause,
  assuranceLevels,
  needs,
  type AssuranceLevel,
  type Need,
  type NeedName,
} from './clause.ts';
import { application } from './clauses/application.ts';
import { certificadoAssociation } from './clauses/certificado-association.ts';
import { chaveLookup } from './clauses/chave-lookup.ts';
import { cnpjLookup } from './clauses/cnpj-lookup.ts';
import { cpfLookup } from './clauses/cpf-lookup.ts';
import { echo } from './clauses/echo.ts';
import { empresaRegistration } from './clauses/empresa-registration.ts';
import { encoding } from './clauses/encoding.ts';
import { envelope } from './clauses/envelope.ts';
import { errors } from './clauses/errors.ts';
import { issuanceCallback } from './clauses/issuance-callback.ts';
import { language } from './clauses/language.ts';
import { nfeCancellation } from './clauses/nfe-cancellation.ts';
import { nfeIssuance } from './clauses/nfe-issuance.ts';
import { nfeQuery } from './clauses/nfe-query.ts';
import { nfeVerification } from './clauses/nfe-verification.ts';
import { precedence } from './clauses/precedence.ts';
import { rateLimit } from './clauses/rate-limit.ts';
import { requiredHeaders } from './clauses/required-headers.ts';
import { retirement } from './clauses/retirement.ts';
import { signature } from './clauses/signature.ts';
import { subscription } from './clauses/subscription.ts';
import { timestamp } from './clauses/timestamp.ts';
import { token } from './clauses/token.ts';
import { verdictEvent } from './clauses/verdict-event.ts';
import { webhookDelivery } from './clauses/webhook-delivery.ts';
import { webhookSignature } from './clauses/webhook-signature.ts';
import { webhookUrl } from './clauses/webhook-url.ts';

const all = [
  ...requiredHeaders,
  ...timestamp,
  ...token,
  ...signature,
  ...retirement,
  ...application,
  ...subscription,
  ...rateLimit,
  ...precedence,
  ...language,
  ...errors,
  ...envelope,
  ...encoding,
  ...echo,
  ...empresaRegistration,
  ...certificadoAssociation,
  ...nfeIssuance,
  ...nfeQuery,
  ...nfeCancellation,
  ...nfeVerification,
  ...chaveLookup,
  ...cnpjLookup,
  ...cpfLookup,
  ...issuanceCallback,
  ...verdictEvent,
  ...webhookDelivery,
  ...webhookSignature,
  ...webhookUrl,
] as const;

/** What every other clause stands on: that a correct request passes. */
export const foundation = 'signature.accepted';

export type ClauseId = (typeof all)[number]['id'];

/** Every clause of the contract that this edition knows, topic by topic. */
export const catalogue: readonly Clause[] = all.map(completed);

function completed(stated: StatedClause): Clause {
  const clause = { level: 'must', binds: 'service', ...stated } as const;
  return isJudged(clause) && clause.id !== foundation ? { buildsOn: [foundation], ...clause } : clause;
}

/** The topic of a clause: what its id starts with. */
export function topicOf(id: string): string {
  return id.slice(0, id.indexOf('.'));
}

/** The topics, in the order of the catalogue. */
export const topics: readonly string[] = [...new Set(catalogue.map((clause) => topicOf(clause.id)))];

/** The clause of that id, if the catalogue has it. */
export function findClause(id: string): Clause | undefined {
  return catalogue.find((clause) => clause.id === id);
}

/** Whether a run against a target can judge it: it binds the service and a black box can see it. */
export function isJudged({ binds, unobservable }: Pick<Clause, 'binds' | 'unobservable'>): boolean {
  return binds === 'service' && unobservable === undefined;
}

/** The clauses that a clause stands on, directly or through others, by their ids. */
export function buildsOn(id: string): ReadonlySet<string> {
  return below.get(id) ?? new Set();
}

const below: ReadonlyMap<string, ReadonlySet<string>> = new Map(catalogue.map(({ id }) => [id, under(id)]));

/** Walks down as far as it goes; what was met already is not walked again. */
function under(id: string, met: Set<string> = new Set()): ReadonlySet<string> {
  for (const one of findClause(id)?.buildsOn ?? []) {
    if (met.has(one)) continue;
    met.add(one);
    under(one, met);
  }
  return met;
}

/** All that checks of these clauses need, whichever way they go. */
export function neededBy(ids: readonly string[]): ReadonlySet<NeedName> {
  const all = ids.map(findClause).flatMap((clause) => [clause?.needs, clause?.needsInstead, clause?.someNeed]);
  return new Set(all.flatMap((some = []) => some));
}

/** The lowest level whose means can exercise a clause, by either of the ways to it. */
export function assuranceOf({ needs: wanted = [], needsInstead }: Clause): AssuranceLevel {
  const ranks = [wanted, ...(needsInstead ? [needsInstead] : [])].map(rankOf);
  return assuranceLevels[Math.min(...ranks)] ?? 'secret';
}

/** The highest level that one of the needs asks for. */
function rankOf(wanted: readonly NeedName[]): number {
  const ranks = wanted.map((name): Need => needs[name]).map(({ level }) => assuranceLevels.indexOf(level));
  return Math.max(0, ...ranks);
}

/** Whether the means of a level can exercise a clause. */
export function isWithin(clause: Clause, level: AssuranceLevel): boolean {
  return assuranceLevels.indexOf(assuranceOf(clause)) <= assuranceLevels.indexOf(level);
}

/** Whether a clause asks for what might issue for real: a sandbox is asked for it only with leave. */
export function isWithheldWithoutLeave({ needs: wanted = [] }: Clause): boolean {
  return wanted.includes('real-issuance');
}

/** The must clauses that a run judges and counts against: those that it has to withhold are apart. */
export function mustJudged(clauses: readonly Clause[], mayIssueForReal: boolean): Clause[] {
  const isApart = (clause: Clause): boolean => !mayIssueForReal && isWithheldWithoutLeave(clause);
  return clauses.filter((clause) => isJudged(clause) && clause.level === 'must' && !isApart(clause));
}

/** A deviation that is accepted for now: where it names no check, endpoint and case, every way of breaking its clause. */
export interface KnownDeviation {
  readonly reason: string;
  /** Title of the check that fails. */
  readonly check?: string;
  /** Method and path template of the endpoint that the failure shows. */
  readonly endpoint?: string;
  /** A text in the failing case, or in what came. */
  readonly case?: string;
  /** Who accepted it. */
  readonly by?: string;
  /** The last day on which it is accepted: ISO-8601, in UTC. */
  readonly until?: string;
}

/** The deviations that are accepted for now, by clause id; a reason alone covers its whole clause. */
export type KnownDeviations = Readonly<Record<string, string | readonly KnownDeviation[]>>;

/** The entries of a clause, none where it is not listed. */
export function entriesFor(known: KnownDeviations, clause: string): readonly KnownDeviation[] {
  const listed = Object.hasOwn(known, clause) ? known[clause] : undefined;
  if (listed === undefined) return [];
  return typeof listed === 'string' ? [{ reason: listed }] : listed;
}

/** Whether an entry has run out at an ISO time. */
export function isExpired({ until }: KnownDeviation, at: string): boolean {
  return until !== undefined && at.slice(0, until.length) > until;
}

/** The entries that have not run out at an ISO time; a clause without any is not listed. */
export function liveAt(known: KnownDeviations, at: string): KnownDeviations {
  const live = Object.keys(known).map(
    (clause) => [clause, entriesFor(known, clause).filter((entry) => !isExpired(entry, at))] as const,
  );
  return Object.fromEntries(live.filter(([, entries]) => entries.length > 0));
}
