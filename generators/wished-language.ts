import { hash } from 'node:crypto';
import { languageHeaders, languages } from '../contract/values.ts';
import type { Call } from '../contract/request.ts';

/** A header that asks for a language; none asks for the default. Section 9. */
export type WishedLanguage = readonly [header: string, language: string] | undefined;

/** Every way to ask for a language. */
export const wishedLanguages: readonly WishedLanguage[] = [
  undefined,
  ...languages.flatMap((language) => languageHeaders.map((header) => [header, language] as const)),
];

/** No language and each of the four, by either header. */
export const eachLanguageOnce: readonly WishedLanguage[] = [
  undefined,
  ...languages.map((language, at) => [languageHeaders[at % languageHeaders.length] ?? 'Language', language] as const),
];

/** Those that tell themselves from Portuguese, which is the default; of Spanish a text may be the same. */
export const tellingLanguages: readonly WishedLanguage[] = [
  ['Language', 'zh'],
  ['Accept-Language', 'zh'],
  ['Language', 'en'],
  ['Accept-Language', 'en'],
];

/** Two that tell themselves from all others, the one that is near to Portuguese, and Portuguese itself, asked for or not. */
export const fewLanguages: readonly WishedLanguage[] = [
  ['Language', 'zh'],
  ['Accept-Language', 'en'],
  undefined,
  ['Accept-Language', 'zh'],
  ['Language', 'pt'],
  ['Language', 'es'],
];

/** The one whose turn it is, for lists that are gone through with all of them. */
export function wishedInTurn(at: number): WishedLanguage {
  return wishedLanguages[at % wishedLanguages.length];
}

/** The call that asks so. */
export function wishing(call: Call, wish: WishedLanguage): Call {
  return wish ? { ...call, headers: [...(call.headers ?? []), wish] } : call;
}

/** The call in a language that hangs on its path and body, or in none: calls that are alike ask alike, and others in others. Section 9. */
export function inSomeLanguage(call: Call): Call {
  const [drawn = 0] = hash('sha256', Buffer.concat([Buffer.from(call.path), call.rawBody ?? Buffer.of()]), 'buffer');
  return wishing(call, wishedInTurn(drawn));
}
