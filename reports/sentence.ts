import type { ClauseResult, Results } from '../schemas/results.ts';
import { counted, figure } from './figures.ts';
import { runVerdictLooks } from './verdicts.ts';

/** The verdict of a run as one sentence of plain words; it may hold characters from the target, so escape it. */
export function verdictSentence(results: Results): string {
  const { word } = runVerdictLooks[results.verdict];
  const where = `on ${results.target.baseUrl} (seed ${results.seed})`;
  if (results.verdict === 'error') {
    const message = (results.error ?? 'the run ended without saying why').replace(/[.\s]+$/, '');
    return `${word}: no clause was judged ${where}: ${message}.`;
  }
  const part = results.filter === undefined ? '' : `, as far as asked for (${results.filter})`;
  return `${word}${part}: ${findings(results).join(', ')}, ${where}.`;
}

function findings(results: Results): string[] {
  const judged = results.clauses.filter((clause) => clause.verdict !== 'unobservable');
  if (judged.length === 0) return ['there was no clause to judge'];
  const must = judged.filter((clause) => clause.level === 'must');
  const others = judged.filter((clause) => clause.level !== 'must');
  const stale = judged.filter(isStale).length;
  const { known, warned } = results.counts;
  return [
    ...mustFindings(must),
    ...(others.some(isBroken)
      ? [`${figure(others.filter(isBroken).length)} of ${figure(others.length)} others failed`]
      : []),
    ...(stale > 0 ? [`${counted(stale, 'known deviation is', 'known deviations are')} stale`] : []),
    ...(known > 0 ? [counted(known, 'known deviation')] : []),
    ...(warned > 0 ? [counted(warned, 'warning')] : []),
  ];
}

function mustFindings(must: readonly ClauseResult[]): string[] {
  if (must.length === 0) return ['no must clause was judged'];
  const broken = must.filter(isBroken).length;
  const open = must.filter((clause) => clause.verdict === 'not-exercised').length;
  const passed = must.filter((clause) => clause.verdict === 'passed').length;
  const clauses = counted(must.length, 'must clause');
  const head =
    broken > 0
      ? `${figure(broken)} of ${clauses} failed`
      : passed === must.length
        ? `all ${clauses} passed`
        : `${figure(passed)} of ${clauses} passed`;
  return [head, ...(open > 0 ? [`${figure(open)} ${open === 1 ? 'was' : 'were'} not exercised`] : [])];
}

/** A clause of which a check failed, and not one that only stands on a stale list. */
function isBroken(clause: ClauseResult): boolean {
  return clause.verdict === 'failed' && !isStale(clause);
}

function isStale(clause: ClauseResult): boolean {
  return clause.verdict === 'failed' && clause.checks.every((check) => check.state !== 'failed');
}
