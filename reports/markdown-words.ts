import { counted } from './figures.ts';
import type { Language } from './language.ts';

/** The words that only `summary.md` has. */
export interface MarkdownWords {
  readonly whatChanged: (since: string) => string;
  /** What came to another verdict, by the name of the list. */
  readonly changes: Readonly<Record<Change, string>>;
  readonly thisRunError: string;
  readonly thatRunError: string;
  readonly nothingChanged: string;
  readonly comparedWith: (place: string) => string;
  readonly otherTarget: (place: string, ownPlace: string) => string;
  readonly notExercised: string;
  readonly blocked: string;
  readonly withheld: string;
  /** Clauses that a list leaves out. */
  readonly more: (count: number) => string;
  readonly sent: (requests: string, time: string, started: string) => string;
}

/** A list of what changed. */
export type Change =
  | 'newlyFailed'
  | 'brokenOtherwise'
  | 'fixed'
  | 'stoppedRunning'
  | 'stoppedChecks'
  | 'startedRunning'
  | 'stale';

const english: MarkdownWords = {
  whatChanged: (since) => `What changed since ${since}`,
  changes: {
    newlyFailed: 'Newly failed',
    brokenOtherwise: 'Broken otherwise than before',
    fixed: 'Fixed',
    stoppedRunning: 'Stopped running',
    stoppedChecks: 'Checks that stopped running',
    startedRunning: 'Started running',
    stale: 'Stale known deviations',
  },
  thisRunError: 'This run ended in an error, so it is not compared.',
  thatRunError: 'That run ended in an error, so nothing is compared with it.',
  nothingChanged: 'No clause that both runs judged came to another verdict, or broke otherwise.',
  comparedWith: (place) => `Compared with a run on ${place}.`,
  otherTarget: (place, ownPlace) => `**That run tested another target**: ${place}; this one: ${ownPlace}.`,
  notExercised: 'not exercised',
  blocked: 'blocked',
  withheld: 'withheld',
  more: (count) => `And ${counted(count, 'more clause')}: see the report.`,
  sent: (requests, time, started) => `${requests} in ${time}, started ${started}.`,
};

const portuguese: MarkdownWords = {
  whatChanged: (since) => `O que mudou desde ${since}`,
  changes: {
    newlyFailed: 'Falhas novas',
    brokenOtherwise: 'Quebram de outro modo',
    fixed: 'Corrigidas',
    stoppedRunning: 'Deixaram de rodar',
    stoppedChecks: 'Verificações que deixaram de rodar',
    startedRunning: 'Passaram a rodar',
    stale: 'Desvios conhecidos vencidos',
  },
  thisRunError: 'Esta execução terminou em erro: não é comparada.',
  thatRunError: 'Aquela execução terminou em erro: nada é comparado com ela.',
  nothingChanged: 'Nenhuma cláusula julgada nas duas execuções mudou de veredito, nem quebrou de outro modo.',
  comparedWith: (place) => `Comparado com uma execução em ${place}.`,
  otherTarget: (place, ownPlace) => `**Aquela execução testou outro serviço**: ${place}; esta: ${ownPlace}.`,
  notExercised: 'não exercitadas',
  blocked: 'bloqueadas',
  withheld: 'retidas',
  more: (count) => `E mais ${counted(count, 'cláusula', 'cláusulas', 'pt-BR')}: veja o relatório.`,
  sent: (requests, time, started) => `${requests} em ${time}, início em ${started}.`,
};

/** The words in each language. */
export const markdownWords: Readonly<Record<Language, MarkdownWords>> = { en: english, 'pt-BR': portuguese };
