import type { Trouble } from '../contract/values.ts';

/** Characters of a reason: more than is shown, so that a secret in what is shown is masked before it is cut through. */
const longest = 24_000;

/** Thrown where a check can't be made for want of something; the message is the reason that the report gives. */
export class NotExercised extends Error {
  override readonly name = 'NotExercised';
  /** Whose trouble it is: `target` where another answer of the target would have led on. */
  readonly trouble: Trouble;

  constructor(message: string, trouble: Trouble = 'target') {
    super(message.slice(0, longest));
    this.trouble = trouble;
  }
}

/**
 * Thrown where a case proves nothing: it may not be sent to this target, or what came bears on no rule. The other cases of its
 * property go on; where none of them proves anything, the check is not exercised.
 */
export class LeftOut extends NotExercised {}
