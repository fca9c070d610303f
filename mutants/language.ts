import { type Language, languageHeaders, languages } from '../contract/values.ts';
import type { RequestFacts } from '../simulator/http/request-facts.ts';
import { languageRules, type LanguageRules } from '../simulator/rules/language.ts';
import { referenceRules } from '../simulator/rules/rules.ts';
import { ruleMutants, type Mutant, stageMutant, behindStages } from './mutant.ts';

const ruled = ruleMutants('language', 'language');

const { choose, text } = languageRules;
const both = ['language.language-header', 'language.accept-language-header'] as const;
const onOthers = ['language.on-403', 'language.on-429'] as const;

/** Wrong languages, on every refusal alike. */
function chosen(what: string, breaks: Mutant['breaks'], change: LanguageRules['choose']): Mutant {
  return ruled(what, breaks, { choose: change });
}

/** Answers an application in the language that it last asked for. */
function rememberedPerApplication(): Mutant {
  const last = new Map<string, Language>();
  const languageFor = ({ headers }: RequestFacts, appKey: string): Language => {
    const isAsked = languageHeaders.some((name) => headers[name.toLowerCase()] !== undefined);
    if (isAsked) last.set(appKey, choose(headers));
    return last.get(appKey) ?? choose(headers);
  };
  return {
    id: 'language.remembered-per-application',
    breaks: ['language.portuguese-by-default'],
    rules: behindStages(referenceRules, (request, context, original) => {
      if (!context.application) return original.answer(request, context);
      const told = languageFor(request, context.application.appKey);
      const rules = { ...context.rules, language: { ...context.rules.language, choose: () => told } };
      return original.answer(request, { ...context, rules });
    }),
  };
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
  rememberedPerApplication(),
  ruled('portuguese-without-a-body', [...both, ...onOthers], {
    choose: (headers) => (headers['content-type'] === undefined ? 'pt' : choose(headers)),
    // Words that tell no reader their language: only what is asked in Chinese shows it.
    text: (name, language) => (language === 'pt' && name !== 'retired' ? 'Pedido recusado' : text(name, language)),
  }),
  chosen('spanish-as-portuguese', both, (headers) => {
    const language = choose(headers);
    return language === 'es' ? 'pt' : language;
  }),
  stageMutant('language.portuguese-of-long-bodies', both, 'required-headers', (request, context, original) => {
    if (request.rawBody.length > 16_384) for (const name of languageHeaders) delete request.headers[name.toLowerCase()];
    return original.answer(request, context);
  }),
  ruled('403-in-english', ['language.on-403'], {
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
  ruled('429-in-english', ['language.on-429'], {
    text: (name, language) => text(name, name === 'rateLimited' ? 'en' : language),
  }),
];
