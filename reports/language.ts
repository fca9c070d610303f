/** The languages of the reports' own words: labels, verdicts and the sentence. */
export const languages = ['en', 'pt-BR'] as const;

export type Language = (typeof languages)[number];

/** The same in both languages. */
export type Phrase = Readonly<Record<Language, string>>;

/** Puts what the suite says in English into a language. */
export type Say = (english: string) => string;

/** In which language a report speaks, and how it puts the reasons of a run into it, which the suite has put together in English. */
export interface Speech {
  readonly language: Language;
  readonly say: Say;
}

/** English, as everything is put together. */
export const inEnglish: Speech = { language: 'en', say: (english) => english };
