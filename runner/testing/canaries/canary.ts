/** Something that a target knows and that no report of ours may say. */
export interface Canary {
  /** What it is, and how it is written. */
  readonly kind: string;
  /** As the target writes it. */
  readonly text: string;
  readonly sought: Sought;
}

/**
 * How it is looked for: of a secret each stretch of eight characters tells, of a token, which is drawn anew each time, the whole; of
 * a person their name or number, whatever stands between its characters.
 */
export type Sought =
  | { readonly by: 'part'; readonly secret: string }
  | { readonly by: 'whole'; readonly secret: string }
  | { readonly by: 'person'; readonly telling: string };
