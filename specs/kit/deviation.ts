/** Characters of a text: more than is shown, so that a secret in what is shown is masked before it is cut through. */
const longest = 24_000;

/** What is told of a deviation. */
export interface Found {
  readonly expected: string;
  readonly actual: string;
  readonly hint?: string | undefined;
  readonly twin?: boolean;
  readonly restsOnTime?: boolean;
}

/** What a target did against what the clause demands: the only error that fails a check. */
export class Deviation extends Error {
  override readonly name = 'Deviation';
  readonly expected: string;
  readonly actual: string;
  /** The likely cause, where one can be told. */
  readonly hint: string | undefined;
  /** Set where the untouched twin was not accepted, so that the flaw itself proved nothing. */
  readonly twin: boolean;
  /** Set where it is what did not come, or did not in time, rather than what came: then the way may be to blame. */
  readonly restsOnTime: boolean;

  constructor(found: Found) {
    const [expected, actual, hint] = [found.expected, found.actual, found.hint].map((text) => text?.slice(0, longest));
    super(`expected ${expected}, actual ${actual}`);
    this.expected = expected ?? '';
    this.actual = actual ?? '';
    this.hint = hint;
    this.twin = found.twin ?? false;
    this.restsOnTime = found.restsOnTime ?? false;
  }
}
