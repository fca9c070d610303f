import { echoRules, type EchoRules } from './endpoints/echo.ts';
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
};
