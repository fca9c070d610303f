import { precedence as clauses } from '../contract/clauses/precedence.ts';
import { putToTheTest } from './aim.ts';
import type { ExchangePredicate } from './predicate.ts';

/** Which refusal comes first. Sections 4.3, 7.1 and 7.2. */
export const precedence: readonly ExchangePredicate[] = putToTheTest(clauses.map(({ id }) => id));
