import { certificadoAssociationRules, type CertificadoAssociationRules } from './endpoints/certificado-association.ts';
import { chaveLookupRules, type ChaveLookupRules } from './endpoints/chave-lookup.ts';
import { cnpjLookupRules, type CnpjLookupRules } from './endpoints/cnpj-lookup.ts';
import { codeMessageRules, type CodeMessageRules } from './endpoints/code-message.ts';
import { cpfLookupRules, type CpfLookupRules } from './endpoints/cpf-lookup.ts';
import { echoRules, type EchoRules } from './endpoints/echo.ts';
import { empresaRegistrationRules, type EmpresaRegistrationRules } from './endpoints/empresa-registration.ts';
import { faultsRules, type FaultsRules } from './endpoints/faults.ts';
import { nfeCancellationRules, type NfeCancellationRules } from './endpoints/nfe-cancellation.ts';
import { nfeIssuanceRules, type NfeIssuanceRules } from './endpoints/nfe-issuance.ts';
import { nfeQueryRules, type NfeQueryRules } from './endpoints/nfe-query.ts';
import { nfeVerificationRules, type NfeVerificationRules } from './endpoints/nfe-verification.ts';
import { webhookRegistrationRules, type WebhookRegistrationRules } from './endpoints/webhook-registration.ts';
import { applicationRules, type ApplicationRules } from './gateway/application.ts';
import { envelopeRules, type EnvelopeRules } from './gateway/envelope.ts';
import { languageRules, type LanguageRules } from './gateway/language.ts';
import { rateLimitRules, type RateLimitRules } from './gateway/rate-limit.ts';
import { requiredHeadersRules, type RequiredHeadersRules } from './gateway/required-headers.ts';
import { retirementRules, type RetirementRules } from './gateway/retirement.ts';
import { signatureRules, type SignatureRules } from './gateway/signature.ts';
import type { Stage } from './gateway/stage.ts';
import { stages } from './gateway/stages.ts';
import { subscriptionRules, type SubscriptionRules } from './gateway/subscription.ts';
import { timestampRules, type TimestampRules } from './gateway/timestamp.ts';
import { tokenRules, type TokenRules } from './gateway/token.ts';
import { issuanceCallbackRules, type IssuanceCallbackRules } from './webhooks/issuance-callback.ts';
import { verdictRules, type VerdictRules } from './verification/verdict.ts';
import { verdictEventRules, type VerdictEventRules } from './webhooks/verdict-event.ts';
import { webhookDeliveryRules, type WebhookDeliveryRules } from './webhooks/webhook-delivery.ts';
import { webhookSignatureRules, type WebhookSignatureRules } from './webhooks/webhook-signature.ts';
import { webhookUrlRules, type WebhookUrlRules } from './webhooks/webhook-url.ts';

/** Every decision of the contract that the simulator takes, by topic. */
export interface Rules {
  /** The first that answers wins. */
  readonly stages: readonly Stage[];
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
  stages,
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
