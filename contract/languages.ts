/** The languages of `message` texts, as the `Language` and `Accept-Language` headers name them. Section 9. */
export const languages = ['zh', 'en', 'pt', 'es'] as const;

export type Language = (typeof languages)[number];

/** The language of a request that names none. Section 9. */
export const defaultLanguage: Language = 'pt';

/** The headers that choose the language. Section 9. */
export const languageHeaders = ['Language', 'Accept-Language'] as const;
