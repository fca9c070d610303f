import { type Language, counted } from './language.ts';
import type { LeftBehind } from '../contract/endpoints.ts';
import type { Results } from '../schemas/results.ts';

/** The words of the terminal's summary and of `summary.md`. What comes from a run or from the catalogue is in none of them. */
const english = {
  labels: {
    expected: 'expected',
    actual: 'actual',
    request: 'request',
    failsOn: 'fails on',
    case: 'case',
    hint: 'hint',
    flaky: 'flaky',
    repeat: 'repeat',
    reason: 'reason',
  },
  columns: { topic: 'topic', checks: 'checks', cases: 'cases' },
  findings: 'Findings',
  moreFindings: (count: string): string => `and ${count} more findings: see the report`,
  andMore: (count: string): string => `and ${count} more`,
  otherReasons: 'for other reasons: see the report',
  fixedSince: (time: string): string => `Fixed since ${time}`,
  /** The rows of totals, by what `totalsOf` calls them, where that is not their name. */
  totals: new Map<string, string>(),
  none: '(none)',
  received: 'received',
  lines: (count: string): string => `… (${count} lines)`,
  leftAtTarget: 'Left at the target',
  reason: 'Reason',
};

export type SummaryWords = typeof english;

/** What a line of a failure tells. */
export type Label = keyof SummaryWords['labels'];

const portuguese: SummaryWords = {
  labels: {
    expected: 'esperado',
    actual: 'obtido',
    request: 'requisição',
    failsOn: 'falha em',
    case: 'caso',
    hint: 'pista',
    flaky: 'instável',
    repeat: 'repetir',
    reason: 'motivo',
  },
  columns: { topic: 'tópico', checks: 'verificações', cases: 'casos' },
  findings: 'Achados',
  moreFindings: (count) => `e mais ${count} achados: veja o relatório`,
  andMore: (count) => `e mais ${count}`,
  otherReasons: 'por outros motivos: veja o relatório',
  fixedSince: (time) => `Corrigidas desde ${time}`,
  totals: new Map([
    ['must clauses', 'cláusulas obrigatórias'],
    ['every level', 'todos os níveis'],
  ]),
  none: '(nenhum)',
  received: 'recebido',
  lines: (count) => `… (${count} linhas)`,
  leftAtTarget: 'Deixado no serviço',
  reason: 'Motivo',
};

/** The words in each language. */
export const summaryWords: Readonly<Record<Language, SummaryWords>> = { en: english, 'pt-BR': portuguese };

/** What is said of one, or of many. */
function ofAny(one: string, many = one): (count: number) => string {
  return (count) => (count === 1 ? one : many);
}

/** The words that only `summary.md` has. */
const markdownEnglish = {
  tested: (what: string): string => `Tested: ${what}`,
  whatChanged: (since: string): string => `What changed since ${since}`,
  nothingChanged: 'No clause that both runs judged came to another verdict, or broke otherwise.',
  comparedWith: (place: string): string => `Compared with a run on ${place}.`,
  otherTarget: (place: string, ownPlace: string): string =>
    `**That run tested another target**: ${place}; this one: ${ownPlace}.`,
  open: { 'not-exercised': ofAny('not exercised'), blocked: ofAny('blocked'), withheld: ofAny('withheld') },
  more: (count: number): string => `And ${counted(count, 'more clause')}: see the report.`,
  sent: (requests: string, time: string, started: string): string => `${requests} in ${time}, started ${started}.`,
};

export type MarkdownWords = typeof markdownEnglish;

const markdownPortuguese: MarkdownWords = {
  tested: (what) => `Testado: ${what}`,
  whatChanged: (since) => `O que mudou desde ${since}`,
  nothingChanged: 'Nenhuma cláusula julgada nas duas execuções mudou de veredito, nem quebrou de outro modo.',
  comparedWith: (place) => `Comparado com uma execução em ${place}.`,
  otherTarget: (place, ownPlace) => `**Aquela execução testou outro serviço**: ${place}; esta: ${ownPlace}.`,
  open: {
    'not-exercised': ofAny('não exercitada', 'não exercitadas'),
    blocked: ofAny('bloqueada', 'bloqueadas'),
    withheld: ofAny('retida', 'retidas'),
  },
  more: (count) => `E mais ${counted(count, 'cláusula', 'cláusulas', 'pt-BR')}: veja o relatório.`,
  sent: (requests, time, started) => `${requests} em ${time}, início em ${started}.`,
};

/** The words in each language. */
export const markdownWords: Readonly<Record<Language, MarkdownWords>> = {
  en: markdownEnglish,
  'pt-BR': markdownPortuguese,
};

/** What stays at a target in the words of each language: companies, invoices and addresses, which are what somebody finds there. */
const words = {
  en: {
    companies: ['company', 'companies'],
    invoices: ['invoice', 'invoices'],
    addresses: ['address', 'addresses'],
    cancelled: ['cancelled', 'cancelled'],
    certificates: ['certificate', 'certificates'],
    nothing: 'nothing',
  },
  'pt-BR': {
    companies: ['empresa', 'empresas'],
    invoices: ['nota', 'notas'],
    addresses: ['endereço', 'endereços'],
    cancelled: ['cancelada', 'canceladas'],
    certificates: ['certificado', 'certificados'],
    nothing: 'nada',
  },
} as const;

/** What was left behind, in one line: "2 companies, 31 invoices (8 cancelled), 1 address"; certificates where told to, or others. */
export function leftText(left: LeftBehind, language: Language = 'en', hasCertificates = false): string {
  const { nothing, ...nouns } = words[language];
  const of = (count: number, [one, many]: readonly [string, string]): string => counted(count, one, many, language);
  const cancelled = left.cancellations === 0 ? '' : ` (${of(left.cancellations, nouns.cancelled)})`;
  const parts = [
    ...(left.companies === 0 ? [] : [of(left.companies, nouns.companies)]),
    // Each company that is registered is given one; only one that was there before makes a difference.
    ...(left.certificates === (hasCertificates ? 0 : left.companies)
      ? []
      : [of(left.certificates, nouns.certificates)]),
    ...(left.invoices + left.cancellations === 0 ? [] : [`${of(left.invoices, nouns.invoices)}${cancelled}`]),
    ...(left.addresses === 0 ? [] : [of(left.addresses, nouns.addresses)]),
  ];
  return parts.length === 0 ? nothing : parts.join(', ');
}

/** The same as a line of a summary; `undefined` where nobody will find anything: a simulator may have ended with its run. */
export function leftLine({ target, sideEffects }: Results, language: Language = 'en'): string | undefined {
  const isFound = target.kind === 'sandbox' && sideEffects && Object.values(sideEffects).some((count) => count > 0);
  return isFound ? `${summaryWords[language].leftAtTarget}: ${leftText(sideEffects, language)}.` : undefined;
}
