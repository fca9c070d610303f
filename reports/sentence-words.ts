import { counted, figure } from './figures.ts';
import type { Language } from './language.ts';

/** The pieces of the sentence that says the verdict. */
export interface SentenceWords {
  readonly where: (address: string, seed: number) => string;
  readonly part: (filter: string) => string;
  readonly noMessage: string;
  readonly nothingJudged: string;
  readonly judgedStands: string;
  readonly nothingToJudge: string;
  readonly noMust: string;
  readonly allPassed: (all: number) => string;
  readonly mustPassed: (passed: number, all: number) => string;
  readonly mustFailed: (failed: number, all: number) => string;
  readonly notExercised: (count: number) => string;
  readonly blocked: (count: number) => string;
  readonly withheld: (count: number) => string;
  readonly othersFailed: (failed: number, all: number) => string;
  readonly stale: (count: number) => string;
  readonly known: (count: number) => string;
  readonly warned: (count: number) => string;
}

const english: SentenceWords = {
  where: (address, seed) => `on ${address} (seed ${seed})`,
  part: (filter) => `as far as asked for (${filter})`,
  noMessage: 'the run ended without saying why',
  nothingJudged: 'no clause was judged',
  judgedStands: 'what was judged until then stands',
  nothingToJudge: 'there was no clause to judge',
  noMust: 'no must clause was judged',
  allPassed: (all) => (all === 1 ? 'the one must clause passed' : `all ${counted(all, 'must clause')} passed`),
  mustPassed: (passed, all) => `${figure(passed)} of ${counted(all, 'must clause')} passed`,
  mustFailed: (failed, all) => `${figure(failed)} of ${counted(all, 'must clause')} failed`,
  notExercised: (count) => `${figure(count)} ${count === 1 ? 'was' : 'were'} not exercised`,
  blocked: (count) => `${figure(count)} ${count === 1 ? 'was' : 'were'} blocked`,
  withheld: (count) => `${figure(count)} ${count === 1 ? 'was' : 'were'} withheld`,
  othersFailed: (failed, all) => `${figure(failed)} of ${figure(all)} others failed`,
  stale: (count) => counted(count, 'known deviation is stale', 'known deviations are stale'),
  known: (count) => counted(count, 'known deviation'),
  warned: (count) => counted(count, 'warning'),
};

const number = (count: number): string => figure(count, 'pt-BR');
const some = (count: number, one: string, many: string): string => counted(count, one, many, 'pt-BR');
const ofMust = (all: number): string => some(all, 'cláusula obrigatória', 'cláusulas obrigatórias');

const portuguese: SentenceWords = {
  where: (address, seed) => `em ${address} (semente ${seed})`,
  part: (filter) => `no que foi pedido (${filter})`,
  noMessage: 'a execução terminou sem dizer por quê',
  nothingJudged: 'nenhuma cláusula foi julgada',
  judgedStands: 'o que foi julgado até ali vale',
  nothingToJudge: 'não havia cláusula a julgar',
  noMust: 'nenhuma cláusula obrigatória foi julgada',
  allPassed: (all) => (all === 1 ? 'a única cláusula obrigatória passou' : `todas as ${ofMust(all)} passaram`),
  mustPassed: (passed, all) => `${number(passed)} de ${ofMust(all)} ${passed === 1 ? 'passou' : 'passaram'}`,
  mustFailed: (failed, all) => `${number(failed)} de ${ofMust(all)} ${failed === 1 ? 'falhou' : 'falharam'}`,
  notExercised: (count) => some(count, 'não foi exercitada', 'não foram exercitadas'),
  blocked: (count) => some(count, 'foi bloqueada', 'foram bloqueadas'),
  withheld: (count) => some(count, 'foi retida', 'foram retidas'),
  othersFailed: (failed, all) => `${number(failed)} de ${number(all)} outras ${failed === 1 ? 'falhou' : 'falharam'}`,
  stale: (count) => some(count, 'desvio conhecido está vencido', 'desvios conhecidos estão vencidos'),
  known: (count) => some(count, 'desvio conhecido', 'desvios conhecidos'),
  warned: (count) => some(count, 'aviso', 'avisos'),
};

/** The pieces of the sentence in each language. */
export const sentenceWords: Readonly<Record<Language, SentenceWords>> = { en: english, 'pt-BR': portuguese };
