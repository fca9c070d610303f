import type { ClauseResult, Results } from '../schemas/results.ts';
import type { Language, Speech } from './language.ts';
import { levelSentence } from './level-sentence.ts';
import { mustClauses } from './must.ts';
import { isBroken, isStale } from './stale.ts';
import { sentenceWords, type SentenceWords } from './sentence-words.ts';
import { judgedNothing, runVerdictLooks } from './verdicts.ts';

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
  const { word, portuguese } = runVerdictLooks[results.verdict];
  const verdict = language === 'en' ? word : portuguese;
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

/** The same results with the message of an error put into words otherwise. */
export function saidResults(results: Results, say: Speech['say']): Results {
  return results.error === undefined ? results : { ...results, error: say(results.error) };
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
