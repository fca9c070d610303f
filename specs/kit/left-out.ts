import { NotExercised } from '../../targets/not-exercised.ts';

/**
 * Thrown where a case may not be sent to this target. The other cases of its property go on; where none of them is made, the
 * check is not exercised.
 */
export class LeftOut extends NotExercised {}
