import type { Trouble } from '../contract/trouble.ts';

/** Thrown where a check can't be made for want of something; the message is the reason that the report gives. */
export class NotExercised extends Error {
  override readonly name = 'NotExercised';
  /** Whose trouble it is: `target` where another answer of the target would have led on. */
  readonly trouble: Trouble;

  constructor(message: string, trouble: Trouble = 'target') {
    super(message);
    this.trouble = trouble;
  }
}
