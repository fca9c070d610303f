import { echoMutants } from './echo.ts';
import { envelopeMutants } from './envelope.ts';
import type { Mutant } from './mutant.ts';
import { requiredHeadersMutants } from './required-headers.ts';
import { lenientSignatureMutants, strayingSignatureMutants } from './signature.ts';
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
];
