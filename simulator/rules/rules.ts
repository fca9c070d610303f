import { applicationRules, type ApplicationRules } from './application.ts';
import { certificadoAssociationRules, type CertificadoAssociationRules } from './certificado-association.ts';
import { chaveLookupRules, type ChaveLookupRules } from './chave-lookup.ts';
import { cnpjLookupRules, type CnpjLookupRules } from './cnpj-lookup.ts';
import { cpfLookupRules, type CpfLookupRules } from './cpf-lookup.ts';
import { echoRules, type EchoRules } from './echo.ts';
import { empresaRegistrationRules, type EmpresaRegistrationRules } from './empresa-registration.ts';
import { envelopeRules, type EnvelopeRules } from './envelope.ts';
import { issuanceCallbackRules, type IssuanceCallbackRules } from './issuance-callback.ts';
import { languageRules, type LanguageRules } from './language.ts';
import { nfeCancellationRules, type NfeCancellationRules } from './nfe-cancellation.ts';
import { nfeIssuanceRules, type NfeIssuanceRules } from './nfe-issuance.ts';
import { nfeQueryRules, type NfeQueryRules } from './nfe-query.ts';
import { nfeVerificationRules, type NfeVerificationRules } from './nfe-verification.ts';
import { stageNames } from './precedence.ts';
import { rateLimitRules, type RateLimitRules } from './rate-limit.ts';
import { codeMessageRules, type CodeMessageRules, faultsRules, type FaultsRules } from './refusal.ts';
import { requiredHeadersRules, type RequiredHeadersRules } from './required-headers.ts';
import { retirementRules, type RetirementRules } from './retirement.ts';
import { signatureRules, type SignatureRules } from './signature.ts';
import { subscriptionRules, type SubscriptionRules } from './subscription.ts';
import { timestampRules, type TimestampRules } from './timestamp.ts';
import { tokenRules, type TokenRules } from './token.ts';
import { verdictEventRules, type VerdictEventRules } from './verdict-event.ts';
import { verdictRules, type VerdictRules } from './verdict.ts';
import { webhookDeliveryRules, type WebhookDeliveryRules } from './webhook-delivery.ts';
import { webhookSignatureRules, type WebhookSignatureRules } from './webhook-signature.ts';
import {
  webhookRegistrationRules,
  type WebhookRegistrationRules,
  webhookUrlRules,
  type WebhookUrlRules,
} from './webhook-url.ts';

/** Every decision of the contract that the simulator takes, by topic. */
export interface Rules {
  /** Names of the gateway's stages: the first that answers wins. */
  readonly stages: readonly string[];
  readonly requiredHeaders: RequiredHeadersRules;
  readonly timestamp: TimestampRules;
  readonly token: TokenRules;
  readonly signature: SignatureRules;
  readonly retirement: RetirementRules;
  readonly application: ApplicationRules;
  readonly subscription: SubscriptionRules;
  readonly rateLimit: RateLimitRules;
  readonly envelope: EnvelopeRules;
  readonly language: LanguageRules;
  readonly echo: EchoRules;
  readonly empresaRegistration: EmpresaRegistrationRules;
  readonly certificadoAssociation: CertificadoAssociationRules;
  readonly faults: FaultsRules;
  readonly nfeIssuance: NfeIssuanceRules;
  readonly nfeQuery: NfeQueryRules;
  readonly nfeCancellation: NfeCancellationRules;
  readonly codeMessage: CodeMessageRules;
  readonly nfeVerification: NfeVerificationRules;
  readonly chaveLookup: ChaveLookupRules;
  readonly verdict: VerdictRules;
  readonly cnpjLookup: CnpjLookupRules;
  readonly cpfLookup: CpfLookupRules;
  readonly webhookRegistration: WebhookRegistrationRules;
  readonly webhookUrl: WebhookUrlRules;
  readonly webhookDelivery: WebhookDeliveryRules;
  readonly webhookSignature: WebhookSignatureRules;
  readonly issuanceCallback: IssuanceCallbackRules;
  readonly verdictEvent: VerdictEventRules;
}

/** The contract as it is. */
export const referenceRules: Rules = {
  stages: stageNames,
  requiredHeaders: requiredHeadersRules,
  timestamp: timestampRules,
  token: tokenRules,
  signature: signatureRules,
  retirement: retirementRules,
  application: applicationRules,
  subscription: subscriptionRules,
  rateLimit: rateLimitRules,
  envelope: envelopeRules,
  language: languageRules,
  echo: echoRules,
  empresaRegistration: empresaRegistrationRules,
  certificadoAssociation: certificadoAssociationRules,
  faults: faultsRules,
  nfeIssuance: nfeIssuanceRules,
  nfeQuery: nfeQueryRules,
  nfeCancellation: nfeCancellationRules,
  codeMessage: codeMessageRules,
  nfeVerification: nfeVerificationRules,
  chaveLookup: chaveLookupRules,
  verdict: verdictRules,
  cnpjLookup: cnpjLookupRules,
  cpfLookup: cpfLookupRules,
  webhookRegistration: webhookRegistrationRules,
  webhookUrl: webhookUrlRules,
  webhookDelivery: webhookDeliveryRules,
  webhookSignature: webhookSignatureRules,
  issuanceCallback: issuanceCallbackRules,
  verdictEvent: verdictEventRules,
};
