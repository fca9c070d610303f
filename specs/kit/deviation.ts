/** What a target did against what the clause demands: the only error that fails a check. */
export class Deviation extends Error {
  override readonly name = 'Deviation';
  readonly expected: string;
  readonly actual: string;
  /** The likely cause, where one can be told. */
  readonly hint: string | undefined;
  /** Set where the untouched twin was not accepted, so that the flaw itself proved nothing. */
  readonly twin: boolean;

  constructor(found: { expected: string; actual: string; hint?: string | undefined; twin?: boolean }) {
    super(`expected ${found.expected}, actual ${found.actual}`);
    this.expected = found.expected;
    this.actual = found.actual;
    this.hint = found.hint;
    this.twin = found.twin ?? false;
  }
}
