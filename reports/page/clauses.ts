import { all } from './elements.ts';
import { fits, searchable, type Item } from './filter.ts';
import type { Filter } from './fragment.ts';

/** A clause of the page: its row in the matrix and, where it did not hold, its article. */
export interface ShownClause extends Item {
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

/** A function that shows the clauses that a filter lets through, and hides topics and sections that are left empty. */
export function clauseFilter(clauses: readonly ShownClause[]): (filter: Filter) => void {
  const shownTogether = Map.groupBy(
    clauses.flatMap(({ row, article }) => (article ? [row, article] : [row])),
    (element) => element.closest(element instanceof HTMLTableRowElement ? 'section.topic' : 'section'),
  );
  return (filter) => {
    const isShown = fits(filter);
    for (const clause of clauses) {
      const isHidden = !isShown(clause);
      clause.row.hidden = isHidden;
      if (clause.article) clause.article.hidden = isHidden;
    }
    for (const [section, elements] of shownTogether) {
      if (section instanceof HTMLElement) section.hidden = elements.every((element) => element.hidden);
    }
  };
}
