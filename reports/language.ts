import type { Results } from '../schemas/results.ts';
import { visible, shortened } from './visible.ts';

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

/** How each language writes numbers. Made once: a page has thousands of figures. */
const formats: Readonly<Record<Language, Intl.NumberFormat>> = {
  en: new Intl.NumberFormat('en-GB'),
  'pt-BR': new Intl.NumberFormat('pt-BR'),
};

/** A span of time as people say it: "12 ms", "3.4 s" (in Portuguese "3,4 s"), "2 min 5 s". */
export function duration(milliseconds: number, language: Language = 'en'): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${tenths(milliseconds / 1000, language)} s`;
  const seconds = Math.round(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`;
}

function tenths(seconds: number, language: Language): string {
  const digits = seconds.toFixed(1);
  return language === 'en' ? digits : digits.replace('.', ',');
}

/** A count with its digits in groups: "12,345", in Portuguese "12.345". */
export function figure(count: number, language: Language = 'en'): string {
  return formats[language].format(count);
}

/** A count with its noun, which is in that language: "1 clause", "2 clauses". */
export function counted(count: number, noun: string, nouns = `${noun}s`, language: Language = 'en'): string {
  return `${figure(count, language)} ${count === 1 ? noun : nouns}`;
}

/** A point in time to the second, in UTC; a text that is no time stays as it is. */
export function utc(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? iso : `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** How many requests a run sent, and how many of them were meant for production. */
export function requestsText(
  { requests, productionIssuances = 0 }: Pick<Results, 'requests' | 'productionIssuances'>,
  language: Language = 'en',
): string {
  if (language === 'en')
    return `${counted(productionIssuances, 'production issuance')} in ${counted(requests, 'request')}`;
  const issued = counted(productionIssuances, 'emissão em produção', 'emissões em produção', language);
  return `${issued} em ${counted(requests, 'requisição', 'requisições', language)}`;
}

/** Characters of an address and of the name of a build that are told in a line. */
const longestPlace = 150;
const longestBuild = 100;

/** What was tested by what, in a line: the target, its build as far as it is known, and the suite's version. */
export function testedText({ target, suite }: Pick<Results, 'target' | 'suite'>, language: Language = 'en'): string {
  const place = shortened(`${target.kind} ${target.baseUrl}`, longestPlace);
  return visible(`${place}, ${buildText(target, language)}; ${suiteText(suite, language)}`);
}

function buildText({ implementation, server }: Results['target'], language: Language): string {
  const words = buildWords[language];
  if (implementation !== undefined) return `${words.build} ${shortened(implementation, longestBuild)}`;
  return server === undefined ? words.untold : `${words.byHeaders}: ${shortened(server, longestBuild)}`;
}

const buildWords = {
  en: { build: 'build', byHeaders: 'build by its headers', untold: 'build not told', suite: 'suite' },
  'pt-BR': { build: 'versão', byHeaders: 'versão pelos cabeçalhos', untold: 'versão não informada', suite: 'suíte' },
} as const satisfies Readonly<Record<Language, unknown>>;

function suiteText(suite: Results['suite'], language: Language): string {
  const { version, commit } = suite ?? {};
  const known = commit === undefined ? version : `${version} (${commit})`;
  return `${buildWords[language].suite} ${known ?? '?'}`;
}
