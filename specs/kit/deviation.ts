import { premiseHint } from '../../schemas/finding.ts';

/** Characters of a text: more than is shown, so that a secret in what is shown is masked before it is cut through. */
const longest = 24_000;

/** What is told of a deviation. */
export interface DeviationFacts {
  readonly expected: string;
  readonly actual: string;
  readonly hint?: string | undefined;
  readonly isPremise?: boolean;
  readonly restsOnTime?: boolean;
}

/** What a target did against what the clause demands: the only error that fails a check. */
export class Deviation extends Error {
  override readonly name = 'Deviation';
  readonly expected: string;
  readonly actual: string;
  /** The likely cause, where one can be told. */
  readonly hint: string | undefined;
  /** Set where what the check builds on does not hold, so that its own rule was not put to the test. */
  readonly isPremise: boolean;
  /** Set where it is what did not come, or did not in time, rather than what came: then the way may be to blame. */
  readonly restsOnTime: boolean;

  constructor(found: DeviationFacts) {
    const [expected, actual, hint] = [found.expected, found.actual, found.hint].map((text) => text?.slice(0, longest));
    super(`expected ${expected}, actual ${actual}`);
    this.expected = expected ?? '';
    this.actual = actual ?? '';
    this.hint = hint;
    this.isPremise = found.isPremise ?? false;
    this.restsOnTime = found.restsOnTime ?? false;
  }

  /** Whether what the check builds on did not come: then a smaller case, or another one, tells no more, and costs as much again. */
  get isAbsentPremise(): boolean {
    return this.isPremise && this.restsOnTime;
  }

  /** The same of a step that the check builds on. */
  asPremise(): Deviation {
    const { expected, actual, hint = premiseHint, restsOnTime } = this;
    return new Deviation({ expected, actual, hint, restsOnTime, isPremise: true });
  }
}

/** Takes a step that a check builds on: where it fails, the check has not come to its own rule. */
export async function premise<T>(step: () => Promise<T> | T): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof Deviation ? error.asPremise() : error;
  }
}
