import { NotExercised } from '../../targets/not-exercised.ts';

/**
 * Thrown where a case proves nothing, since what it builds on is broken and another clause says so. The other cases of its
 * property go on; where none of them proves anything, the check is not exercised.
 */
export class Unproven extends NotExercised {}
