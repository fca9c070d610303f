import { all } from './elements.ts';

/** What is unfolded on paper: the style can do that in some browsers only. */
const unfoldedOnPaper = '.reach, .failures details.exchange, .changes details, details.topics';

/** Unfolds what belongs on paper before the page is printed, and folds it again after that. */
export function unfoldForPaper(): void {
  let unfolded: readonly HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    // A second one before the end of the first must not forget what the first has unfolded.
    const folded = all(document, unfoldedOnPaper, HTMLDetailsElement).filter((details) => !details.open);
    for (const details of folded) details.open = true;
    unfolded = [...unfolded, ...folded];
  });
  addEventListener('afterprint', () => {
    for (const details of unfolded) details.open = false;
    unfolded = [];
  });
}
