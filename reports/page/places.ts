import { outOfSight } from './clauses.ts';
import { all } from './elements.ts';

/** Unfolds what holds an element, brings it into sight, and puts the focus there. */
export function goTo(element: HTMLElement): void {
  for (let fold = element.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null) {
    fold.open = true;
  }
  if (!element.matches('a[href], button, input, select, [tabindex]')) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  // What lies between is laid out only as it comes into sight: a smooth scroll would end beside the place.
  element.scrollIntoView({ behavior: 'instant' });
}

/** A function that marks the place that the reader went to, and no other. */
export function placeMarker(): (place: HTMLElement | null) => void {
  // A large page is not searched for the mark at every letter that is typed.
  let marked: HTMLElement | null = null;
  return (place) => {
    if (marked) delete marked.dataset['at'];
    if (place) place.dataset['at'] = '';
    marked = place;
  };
}

/** The next or the previous of the articles that are shown, from the one that has the focus; at an end it stays. */
export function neighbour(step: 1 | -1): HTMLElement | undefined {
  const articles = all(document, 'article.clause', HTMLElement).filter((article) => !article.closest(outOfSight));
  const here = articles.findIndex((article) => article.contains(document.activeElement));
  if (here < 0) return articles.at(step === 1 ? 0 : -1);
  return articles[here + step] ?? articles[here];
}

/** Unfolds all exchanges, or folds them where all are unfolded. */
export function unfoldExchanges(): void {
  const exchanges = all(document, 'details.exchange, details.samples', HTMLDetailsElement);
  const isOpen = exchanges.some((exchange) => !exchange.open);
  for (const exchange of exchanges) exchange.open = isOpen;
}
