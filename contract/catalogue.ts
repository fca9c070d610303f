import type { Clause } from './clause.ts';
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
