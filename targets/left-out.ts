import { NotExercised } from './not-exercised.ts';

/**
 * Thrown where a case proves nothing: it may not be sent to this target, or what came bears on no rule. The other cases of its
 * property go on; where none of them proves anything, the check is not exercised.
 */
export class LeftOut extends NotExercised {}
