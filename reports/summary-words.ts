import { type Language, counted } from './language.ts';

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

/** The words that only `summary.md` has. */
const markdownEnglish = {
  tested: (what: string): string => `Tested: ${what}`,
  whatChanged: (since: string): string => `What changed since ${since}`,
  nothingChanged: 'No clause that both runs judged came to another verdict, or broke otherwise.',
  comparedWith: (place: string): string => `Compared with a run on ${place}.`,
  otherTarget: (place: string, ownPlace: string): string =>
    `**That run tested another target**: ${place}; this one: ${ownPlace}.`,
  open: { 'not-exercised': 'not exercised', blocked: 'blocked', withheld: 'withheld' },
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
  open: { 'not-exercised': 'não exercitadas', blocked: 'bloqueadas', withheld: 'retidas' },
  more: (count) => `E mais ${counted(count, 'cláusula', 'cláusulas', 'pt-BR')}: veja o relatório.`,
  sent: (requests, time, started) => `${requests} em ${time}, início em ${started}.`,
};

/** The words in each language. */
export const markdownWords: Readonly<Record<Language, MarkdownWords>> = {
  en: markdownEnglish,
  'pt-BR': markdownPortuguese,
};
