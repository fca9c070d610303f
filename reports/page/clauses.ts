import { all, fill } from './elements.ts';
import { fits, searchable, type FilteredItem } from './filter.ts';
import { isFiltering, type Filter } from './fragment.ts';

/** A clause of the page: its row in the matrix and, where it did not hold, its article. */
export interface ShownClause extends FilteredItem {
  readonly row: HTMLElement;
  readonly article: HTMLElement | undefined;
}

/** The clauses of the page, in its order. */
export function shownClauses(): ShownClause[] {
  return all(document, 'table.matrix tr[data-verdict]', HTMLElement).map((row) => {
    const article = document.getElementById(row.id.replace(/^clause-/, 'failure-'))?.closest<HTMLElement>('article');
    const { verdict = '', level = '', topic = '' } = row.dataset;
    return { row, article: article ?? undefined, verdict, level, topic, words: wordsOf(row, article ?? undefined) };
  });
}

/** What a clause is found by: id, statement, reasons and names of checks; not by its evidence. */
function wordsOf(row: HTMLElement, article: HTMLElement | undefined): string {
  const inRow = all(row, ':scope > th > :not(details), .samples > .check > h4', HTMLElement);
  const inArticle = article ? all(article, 'h3, .statement, .reason, .check > h4', HTMLElement) : [];
  return searchable([...inRow, ...inArticle].map((element) => element.textContent).join(' '));
}

/** What of the page can't be seen: hidden by the page itself, or by the filter, which has no effect on paper. */
export const outOfSight = '[hidden], [data-filtered]';

/**
 * A function that shows the clauses that a filter lets through, says how many each section of failures still shows, and
 * hides topics and sections that are left empty.
 */
export function clauseFilter(clauses: readonly ShownClause[]): (filter: Filter) => void {
  const shownTogether = Map.groupBy(
    clauses.flatMap(({ row, article }) => (article ? [row, article] : [row])),
    (element) => element.closest(element instanceof HTMLTableRowElement ? 'section.topic' : 'section'),
  );
  return (filter) => {
    const isShown = fits(filter);
    for (const clause of clauses) {
      const isOut = !isShown(clause);
      setFiltered(clause.row, isOut);
      if (clause.article) setFiltered(clause.article, isOut);
    }
    for (const [section, elements] of shownTogether) {
      if (!(section instanceof HTMLElement)) continue;
      const left = elements.filter((element) => !isFiltered(element)).length;
      setFiltered(section, left === 0);
      fill(section, 'shown-here', String(left));
      for (const element of all(section, '.shown-of', HTMLElement)) element.hidden = !isFiltering(filter);
    }
    unfoldMatches(isFiltering(filter));
  };
}

/** Unfolds what holds a clause that a filter shows; without a filter it is as it was. */
function unfoldMatches(isFiltered: boolean): void {
  for (const fold of all(document, 'details.topic-fold, details.same-cause', HTMLDetailsElement)) {
    fold.dataset['usual'] ??= String(fold.open);
    const hasMatch = fold.querySelector('tr[data-verdict]:not([data-filtered]), article:not([data-filtered])') !== null;
    setFiltered(fold, isFiltered && !hasMatch);
    fold.open = (isFiltered && hasMatch) || fold.dataset['usual'] === 'true';
  }
}

/** Brings the filter to the top where the first of the clauses that it shows is out of sight: what stands above has changed its height. */
export function showMatches(clauses: readonly ShownClause[]): void {
  const first = clauses.find(({ row }) => !isFiltered(row))?.row.getBoundingClientRect();
  if (first && first.top >= 0 && first.bottom <= innerHeight) return;
  document.querySelector('.filters')?.scrollIntoView({ behavior: 'instant', block: 'start' });
}

function setFiltered(element: HTMLElement, isOut: boolean): void {
  element.toggleAttribute('data-filtered', isOut);
}

function isFiltered(element: HTMLElement): boolean {
  return element.hasAttribute('data-filtered');
}
