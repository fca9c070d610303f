import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';
import { type CodeName, defaultLanguage, languageHeaders, languages, type Language } from '../../contract/values.ts';
import { headerOf } from '../http/request-facts.ts';
import { messages } from './messages.ts';

/** In which language `message` texts are. Section 9. */
export interface LanguageRules {
  readonly choose: (headers: IncomingHttpHeaders) => Language;
  readonly text: (name: CodeName | 'success', language: Language) => string;
  /** The text of a 410, naming what replaces the endpoint. */
  readonly retiredText: (replacement: string, language: Language) => string;
}

export const languageRules: LanguageRules = {
  choose: chooseLanguage,
  text: (name, language) => messages[name][language],
  retiredText: (replacement, language) => messages.retired[language].replace('{replacement}', () => replacement),
};

/** The default language comes first, so that it is what `*` gets. */
const offered: readonly Language[] = [defaultLanguage, ...languages.filter((language) => language !== defaultLanguage)];

/** The best language by the first header that names one we have: `Language`, then `Accept-Language`. */
function chooseLanguage(headers: IncomingHttpHeaders): Language {
  for (const name of languageHeaders) {
    const wished = headerOf(headers, name.toLowerCase());
    const best = wished === undefined ? undefined : negotiate(wished);
    if (best) return best;
  }
  return defaultLanguage;
}

function negotiate(wished: string): Language | undefined {
  const best = new Negotiator({ headers: { 'accept-language': wished } }).language(offered);
  return offered.find((language) => language === best);
}
