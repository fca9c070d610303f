import type { ClauseResult } from '../schemas/results.ts';
import { counted } from './figures.ts';
import type { Language } from './language.ts';

/**
 * The must clauses that a run against a target judges, which every report counts against: without what no run can see and
 * what was withheld from this one.
 */
export function mustClauses(clauses: readonly ClauseResult[]): ClauseResult[] {
  return clauses.filter(
    ({ level, verdict }) => level === 'must' && verdict !== 'unobservable' && verdict !== 'withheld',
  );
}

/** How many clauses of every level, the must clauses by themselves: "30 must clauses, 4 other clauses". */
export function clausesText(clauses: readonly ClauseResult[], language: Language = 'en'): string {
  const must = clauses.filter(({ level }) => level === 'must').length;
  const others = clauses.length - must;
  const words = clauseWords[language];
  return [
    ...(must > 0 || others === 0 ? [counted(must, words.must[0], words.must[1], language)] : []),
    ...(others > 0 ? [counted(others, words.other[0], words.other[1], language)] : []),
  ].join(', ');
}

const clauseWords = {
  en: { must: ['must clause', 'must clauses'], other: ['other clause', 'other clauses'] },
  'pt-BR': {
    must: ['cláusula obrigatória', 'cláusulas obrigatórias'],
    other: ['outra cláusula', 'outras cláusulas'],
  },
} as const satisfies Record<Language, object>;
