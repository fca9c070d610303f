/** A text that says something: not empty, not only white space. */
export const visibleText = { type: 'string', pattern: '\\S' } as const;

/** A text of at least one character. */
export const filledText = { type: 'string', minLength: 1 } as const;

/** A text without a character: how a field without a value is written. Section 2.3. */
export const emptyText = { const: '' } as const;

/** An absolute http or https URL: with a host, without white space. */
export const httpUrl = { type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]+(?:[/?#]\\S*)?$' } as const;

/** An access key: 44 digits. Section 2.2. */
export const chave = { type: 'string', pattern: '^\\d{44}$' } as const;

/** The same, or an empty text where there is none. */
export const chaveOrEmpty = { type: 'string', pattern: '^(?:\\d{44})?$' } as const;
