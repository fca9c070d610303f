/** Thrown where a check can't be made for want of something; the message is the reason that the report gives. */
export class NotExercised extends Error {
  override readonly name = 'NotExercised';
}
