import type { Clause } from './clause.ts';
import { application } from './clauses/application.ts';
import { echo } from './clauses/echo.ts';
import { envelope } from './clauses/envelope.ts';
import { errors } from './clauses/errors.ts';
import { language } from './clauses/language.ts';
import { precedence } from './clauses/precedence.ts';
import { rateLimit } from './clauses/rate-limit.ts';
import { requiredHeaders } from './clauses/required-headers.ts';
import { retirement } from './clauses/retirement.ts';
import { signature } from './clauses/signature.ts';
import { subscription } from './clauses/subscription.ts';
import { timestamp } from './clauses/timestamp.ts';
import { token } from './clauses/token.ts';
import { webhookSignature } from './clauses/webhook-signature.ts';

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
  ...echo,
  ...webhookSignature,
] as const;

export type ClauseId = (typeof all)[number]['id'];

/** Every clause of the contract that this edition knows, topic by topic. */
export const catalogue: readonly Clause[] = all;

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
export function isJudged(clause: Clause): boolean {
  return clause.binds === 'service' && clause.unobservable === undefined;
}
