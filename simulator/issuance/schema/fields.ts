/**
 * Kinds of fields. Where a field has a pattern, its `description` completes the Portuguese sentence "deve ter …".
 * `decimals` is a keyword of ours: the most decimal places that a number may have.
 */

/** A text that the layout can hold: Latin-1 without control characters, so many characters long. */
export function text<const Min extends number, const Max extends number>(minLength: Min, maxLength: Max) {
  return {
    type: 'string',
    minLength,
    maxLength,
    pattern: '^[ -ÿ]*$',
    description: 'só caracteres de U+0020 a U+00FF',
  } as const;
}

/** A text of a given form. */
export function form<const Pattern extends string, const Description extends string>(
  pattern: Pattern,
  description: Description,
) {
  return { type: 'string', pattern, description } as const;
}

/** One of some texts. */
export function oneOf<const Word extends string>(words: readonly Word[]) {
  return { type: 'string', enum: words } as const;
}

/** An amount within an item: so small that the sum over all items of an invoice still fits into the layout. */
export const itemAmount = { type: 'number', minimum: 0, maximum: 999_999_999.99, decimals: 2 } as const;

/** An amount of the whole invoice. */
export const amount = { type: 'number', minimum: 0, maximum: 9_999_999_999_999.99, decimals: 2 } as const;

export const percentage = { type: 'number', minimum: 0, maximum: 100, decimals: 4 } as const;
