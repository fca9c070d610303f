import { languages } from '../contract/languages.ts';
import { languageRules, type LanguageRules } from '../simulator/rules/language.ts';
import { mutant, stageMutant, type Mutant } from './mutant.ts';

const { choose, text } = languageRules;
const both = ['language.language-header', 'language.accept-language-header'] as const;
const onOthers = ['language.on-403', 'language.on-429'] as const;

/** Wrong languages, on every refusal alike. */
function chosen(what: string, breaks: Mutant['breaks'], change: LanguageRules['choose']): Mutant {
  return mutant(`language.${what}`, breaks, 'language', { choose: change });
}

/** Wrong choices of language. */
export const languageMutants: readonly Mutant[] = [
  chosen('always-english', [...both, ...onOthers], () => 'en'),
  chosen('always-portuguese', [...both, ...onOthers], () => 'pt'),
  chosen('language-ignored', ['language.language-header', 'language.on-403'], (headers) =>
    choose({ 'accept-language': headers['accept-language'] }),
  ),
  chosen('accept-language-ignored', ['language.accept-language-header', 'language.on-403'], (headers) => {
    return languages.find((language) => language === headers['language']) ?? 'pt';
  }),
  chosen('english-by-default', ['language.portuguese-by-default'], (headers) =>
    headers['language'] || headers['accept-language'] ? choose(headers) : 'en',
  ),
  chosen('spanish-as-portuguese', both, (headers) => {
    const language = choose(headers);
    return language === 'es' ? 'pt' : language;
  }),
  mutant('language.403-in-english', ['language.on-403'], 'language', {
    text: (name, language) => text(name, name === 'notSubscribed' ? 'en' : language),
  }),
  stageMutant(
    'language.429-in-portuguese-elsewhere',
    ['language.on-429'],
    'rate-limit',
    (request, context, original) => {
      const { language: _, 'accept-language': __, ...headers } = request.headers;
      return original.answer(request.path.endsWith('/echo') ? request : { ...request, headers }, context);
    },
  ),
  mutant('language.429-in-english', ['language.on-429'], 'language', {
    text: (name, language) => text(name, name === 'rateLimited' ? 'en' : language),
  }),
];
