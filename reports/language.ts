/** The languages of the reports' own words: labels, verdicts and the sentence. */
export const languages = ['en', 'pt-BR'] as const;

export type Language = (typeof languages)[number];

/** The same in both languages. */
export type Phrase = Readonly<Record<Language, string>>;
