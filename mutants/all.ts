import { applicationMutants } from './application.ts';
import { blindToSignaturesMutants } from './blind-to-signatures.ts';
import { certificadoAssociationMutants } from './certificado-association.ts';
import { chaveLookupMutants } from './chave-lookup.ts';
import { cnpjLookupMutants } from './cnpj-lookup.ts';
import { cpfLookupMutants } from './cpf-lookup.ts';
import { echoMutants } from './echo.ts';
import { mutantsElsewhere } from './elsewhere.ts';
import { empresaRegistrationMutants } from './empresa-registration.ts';
import { encodingMutants } from './encoding.ts';
import { envelopeMutants } from './envelope.ts';
import { errorsMutants } from './errors.ts';
import { issuanceCallbackMutants } from './issuance-callback.ts';
import { kindsOfAnswerMutants } from './kinds-of-answer.ts';
import { kindsOfRequestMutants, oneEndpointMutants } from './kinds-of-request.ts';
import { languageMutants } from './language.ts';
import type { Mutant } from './mutant.ts';
import { nearMissMutants } from './near-misses.ts';
import { nfeCancellationMutants } from './nfe-cancellation.ts';
import { leftIssuanceMutants } from './nfe-issuance.left.ts';
import { nfeIssuanceMutants } from './nfe-issuance.ts';
import { nfeQueryLinkMutants } from './nfe-query.links.ts';
import { nfeQueryMutants } from './nfe-query.ts';
import { nfeVerificationMutants } from './nfe-verification.ts';
import { callbackTokenMutants } from './issuance-callback.tokens.ts';
import { precedenceMutants } from './precedence.ts';
import { raceMutants } from './races.ts';
import { rateLimitMutants } from './rate-limit.ts';
import { requiredHeadersMutants } from './required-headers.ts';
import { lenientSignatureMutants, strayingSignatureMutants } from './signature.ts';
import { retirementMutants } from './retirement.ts';
import { subscriptionMutants } from './subscription.ts';
import { stateBetweenMutants } from './state-between.ts';
import { timestampMutants } from './timestamp.ts';
import { verdictEventMutants } from './verdict-event.ts';
import { webhookDeliveryMutants } from './webhook-delivery.ts';
import { webhookSignatureMutants } from './webhook-signature.ts';
import { webhookUrlMutants } from './webhook-url.ts';
import { tokenMutants } from './token.ts';
import { acknowledgedMutants } from './webhook-delivery.acknowledged.ts';
import { betweenDeliveriesMutants } from './webhook-delivery.between.ts';

/** Every mutant, topic by topic. */
export const mutants: readonly Mutant[] = [
  ...requiredHeadersMutants,
  ...timestampMutants,
  ...tokenMutants,
  ...strayingSignatureMutants,
  ...lenientSignatureMutants,
  ...envelopeMutants,
  ...encodingMutants,
  ...echoMutants,
  ...retirementMutants,
  ...applicationMutants,
  ...subscriptionMutants,
  ...rateLimitMutants,
  ...raceMutants,
  ...precedenceMutants,
  ...languageMutants,
  ...errorsMutants,
  ...empresaRegistrationMutants,
  ...certificadoAssociationMutants,
  ...nfeIssuanceMutants,
  ...leftIssuanceMutants,
  ...nfeQueryMutants,
  ...nfeQueryLinkMutants,
  ...nfeCancellationMutants,
  ...nfeVerificationMutants,
  ...blindToSignaturesMutants,
  ...chaveLookupMutants,
  ...cnpjLookupMutants,
  ...cpfLookupMutants,
  ...issuanceCallbackMutants,
  ...verdictEventMutants,
  ...nearMissMutants,
  ...webhookDeliveryMutants,
  ...webhookSignatureMutants,
  ...webhookUrlMutants,
  ...mutantsElsewhere,
  ...kindsOfRequestMutants,
  ...callbackTokenMutants,
  ...oneEndpointMutants,
  ...stateBetweenMutants,
  ...kindsOfAnswerMutants,
  ...acknowledgedMutants,
  ...betweenDeliveriesMutants,
];
