import type { ClauseResult, Results } from '../schemas/results.ts';
import { type Language, counted, figure } from './language.ts';
import { levelSentence } from './levels.ts';
import { mustClauses, isBroken, isStale, judgedNothing, runVerdictLooks } from './verdicts.ts';

/**
 * The verdict of a run in plain words: one sentence, and of a run of the whole suite a second one of how far it reached. It may
 * hold characters from the target, so escape it.
 */
export function verdictSentence(results: Results, language: Language = 'en'): string {
  const { level } = results;
  const reach = level === undefined ? '' : ` ${levelSentence(level, language)}`;
  return bareVerdictSentence(results, language) + reach;
}

/** The first of these sentences alone. */
export function bareVerdictSentence(results: Results, language: Language): string {
  const words = sentenceWords[language];
  const verdict = runVerdictLooks[results.verdict].words[language];
  const where = words.where(results.target.baseUrl, results.seed);
  if (results.verdict === 'error') {
    const message = (results.error ?? words.noMessage).replace(/(?<![.\s])[.\s]+$/, '');
    return judgedNothing(results)
      ? `${verdict}: ${words.nothingJudged} ${where}: ${message}.`
      : `${verdict}: ${message}; ${words.judgedStands}: ${findings(results, words).join(', ')}, ${where}.`;
  }
  const part = results.filter === undefined ? '' : `, ${words.part(results.filter)}`;
  return `${verdict}${part}: ${findings(results, words).join(', ')}, ${where}.`;
}

function findings(results: Results, words: SentenceWords): string[] {
  const judged = results.clauses.filter(({ verdict }) => verdict !== 'unobservable');
  if (judged.length === 0) return [words.nothingToJudge];
  const others = judged.filter(({ level, verdict }) => level !== 'must' && verdict !== 'withheld');
  const stale = judged.filter(isStale).length;
  const { known, warned } = results.counts;
  const brokenOthers = others.filter(isBroken).length;
  return [
    ...mustFindings(judged, words),
    ...(brokenOthers > 0 ? [words.othersFailed(brokenOthers, others.length)] : []),
    ...(stale > 0 ? [words.stale(stale)] : []),
    ...(known > 0 ? [words.known(known)] : []),
    ...(warned > 0 ? [words.warned(warned)] : []),
  ];
}

function mustFindings(clauses: readonly ClauseResult[], words: SentenceWords): string[] {
  const must = mustClauses(clauses);
  const withheld = clauses.filter(({ level, verdict }) => level === 'must' && verdict === 'withheld').length;
  const apart = withheld > 0 ? [words.withheld(withheld)] : [];
  if (must.length === 0) return [words.noMust, ...apart];
  const broken = must.filter(isBroken).length;
  const open = must.filter((clause) => clause.verdict === 'not-exercised').length;
  const blocked = must.filter((clause) => clause.verdict === 'blocked').length;
  const passed = must.filter((clause) => clause.verdict === 'passed').length;
  return [
    broken > 0
      ? words.mustFailed(broken, must.length)
      : passed === must.length
        ? words.allPassed(must.length)
        : words.mustPassed(passed, must.length),
    ...(open > 0 ? [words.notExercised(open)] : []),
    ...(blocked > 0 ? [words.blocked(blocked)] : []),
    ...apart,
  ];
}

/** The pieces of the sentence that says the verdict. */
const english = {
  where: (address: string, seed: number): string => `on ${address} (seed ${seed})`,
  part: (filter: string): string => `as far as asked for (${filter})`,
  noMessage: 'the run ended without saying why',
  nothingJudged: 'no clause was judged',
  judgedStands: 'what was judged until then stands',
  nothingToJudge: 'there was no clause to judge',
  noMust: 'no must clause was judged',
  allPassed: (all: number): string =>
    all === 1 ? 'the one must clause passed' : `all ${counted(all, 'must clause')} passed`,
  mustPassed: (passed: number, all: number): string => `${figure(passed)} of ${counted(all, 'must clause')} passed`,
  mustFailed: (failed: number, all: number): string => `${figure(failed)} of ${counted(all, 'must clause')} failed`,
  notExercised: (count: number): string => `${figure(count)} ${count === 1 ? 'was' : 'were'} not exercised`,
  blocked: (count: number): string => `${figure(count)} ${count === 1 ? 'was' : 'were'} blocked`,
  withheld: (count: number): string => `${figure(count)} ${count === 1 ? 'was' : 'were'} withheld`,
  othersFailed: (failed: number, all: number): string => `${figure(failed)} of ${figure(all)} others failed`,
  stale: (count: number): string => counted(count, 'known deviation is stale', 'known deviations are stale'),
  known: (count: number): string => counted(count, 'known deviation'),
  warned: (count: number): string => counted(count, 'warning'),
};

type SentenceWords = typeof english;

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
const sentenceWords: Readonly<Record<Language, SentenceWords>> = { en: english, 'pt-BR': portuguese };
