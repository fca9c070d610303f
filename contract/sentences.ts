import sentences from './sentences.json' with { type: 'json' };

/** A sentence of the contract's text, in its own words, and the section that says it. */
interface Quote {
  readonly section: string;
  /** Of a table's row its cells, parted by bars; what stands in a row after its first sentence begins with the row's name and `…`. */
  readonly sentence: string;
}

/** A sentence of the contract with what judges it. */
export interface Sentence extends Quote {
  /** SHA-256 of the sentence in UTF-8, lowercase hex. */
  readonly sha256: string;
  /** The clauses that judge it. */
  readonly clauses: readonly string[];
  /** Why no clause does. */
  readonly waiver?: string | undefined;
}

/** Every sentence of the contract, in its order: `sentences.json`. */
export const contractSentences: readonly Sentence[] = sentences;

const bySection = (section: string) => (one: Sentence) => one.section === section;

/** What the contract says of a clause in its own words: the sentences of the clause's section first; none of a clause of another edition. */
export function sentencesOf({ id, section }: { readonly id: string; readonly section: string }): Sentence[] {
  const all = contractSentences.filter(({ clauses }) => clauses.includes(id));
  return [...all.filter(bySection(section)), ...all.filter((one) => !bySection(section)(one))];
}
