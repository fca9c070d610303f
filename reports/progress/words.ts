import { counted, figure } from '../figures.ts';
import type { FailureVerdict } from '../judge.ts';
import type { Language } from '../language.ts';
import type { Progress } from './progress.ts';

/** The words in which a run tells how far it is. */
export interface ProgressWords {
  readonly done: (done: number, all: number, what: Progress['clauseWord']) => string;
  readonly failed: (count: number) => string;
  readonly warned: (count: number) => string;
  readonly requests: (count: number) => string;
  readonly left: (time: string) => string;
  /** What a failed check makes of its clause. */
  readonly verdicts: Readonly<Record<FailureVerdict, string>>;
}

const english: ProgressWords = {
  done: (done, all, what) => `${figure(done)} of ${counted(all, what)}`,
  failed: (count) => `${figure(count)} failed`,
  warned: (count) => `${figure(count)} warned`,
  requests: (count) => counted(count, 'request'),
  left: (time) => `about ${time} left`,
  verdicts: { failed: 'failed', warned: 'warned', known: 'known' },
};

const number = (count: number): string => figure(count, 'pt-BR');
const some = (count: number, one: string, many: string): string => counted(count, one, many, 'pt-BR');

const portuguese: ProgressWords = {
  done(done, all, what) {
    const clauses: readonly [string, string] =
      what === 'clause' ? ['cláusula', 'cláusulas'] : ['cláusula obrigatória', 'cláusulas obrigatórias'];
    return `${number(done)} de ${some(all, ...clauses)}`;
  },
  failed: (count) => some(count, 'falhou', 'falharam'),
  warned: (count) => `${number(count)} com aviso`,
  requests: (count) => some(count, 'requisição', 'requisições'),
  left: (time) => `faltam uns ${time}`,
  verdicts: { failed: 'falhou', warned: 'aviso', known: 'desvio' },
};

/** The words in each language. */
export const progressWords: Readonly<Record<Language, ProgressWords>> = { en: english, 'pt-BR': portuguese };
