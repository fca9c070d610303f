/**
 * English texts, each with what it is in Portuguese. What varies in the English stands there as one of `holes`; in the Portuguese
 * `{}` is the next of them, and `{1}` the second one, where the order is another.
 */
export type Texts = Readonly<Record<string, string>>;
