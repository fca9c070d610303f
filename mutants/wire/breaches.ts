import { answerBreaches } from './answers.ts';
import type { Breach } from './breach.ts';
import { deliveryBreaches } from './deliveries.ts';

/** Every breach of the wire. */
export const breaches: readonly Breach[] = [...answerBreaches, ...deliveryBreaches];
