import { applicationMutants } from './application.ts';
import { echoMutants } from './echo.ts';
import { envelopeMutants } from './envelope.ts';
import { errorsMutants } from './errors.ts';
import { languageMutants } from './language.ts';
import type { Mutant } from './mutant.ts';
import { precedenceMutants } from './precedence.ts';
import { rateLimitMutants } from './rate-limit.ts';
import { requiredHeadersMutants } from './required-headers.ts';
import { lenientSignatureMutants, strayingSignatureMutants } from './signature.ts';
import { retirementMutants } from './retirement.ts';
import { subscriptionMutants } from './subscription.ts';
import { timestampMutants } from './timestamp.ts';
import { tokenMutants } from './token.ts';

/** Every mutant, topic by topic. */
export const mutants: readonly Mutant[] = [
  ...requiredHeadersMutants,
  ...timestampMutants,
  ...tokenMutants,
  ...strayingSignatureMutants,
  ...lenientSignatureMutants,
  ...envelopeMutants,
  ...echoMutants,
  ...retirementMutants,
  ...applicationMutants,
  ...subscriptionMutants,
  ...rateLimitMutants,
  ...precedenceMutants,
  ...languageMutants,
  ...errorsMutants,
];
