import { fits, isFiltering, noFilter, searchable, type Filter, type FilteredItem, type Known } from './state.ts';

/** A clause of the page: its row in the matrix and, where it did not hold, its article. */
interface ShownClause extends FilteredItem {
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
const outOfSight = '[hidden], [data-filtered]';

/** Shows the clauses that a filter lets through, and hides topics and sections that are left empty. */
export function showFiltered(clauses: readonly ShownClause[], filter: Filter): void {
  const isShown = fits(filter);
  for (const clause of clauses) {
    const isOut = !isShown(clause);
    setFiltered(clause.row, isOut);
    if (clause.article) setFiltered(clause.article, isOut);
  }
  for (const section of all(document, 'section.topic, section.failures', HTMLElement)) {
    setFiltered(section, section.querySelector(shownInFold) === null);
  }
  unfoldMatches(isFiltering(filter));
}

const shownInFold = 'tr[data-verdict]:not([data-filtered]), article:not([data-filtered])';

/** Unfolds what holds a clause that a filter shows; without a filter it is as it was. */
function unfoldMatches(isFiltered: boolean): void {
  for (const fold of all(document, 'details.topic-fold, details.same-cause', HTMLDetailsElement)) {
    fold.dataset['usual'] ??= String(fold.open);
    const hasMatch = fold.querySelector(shownInFold) !== null;
    setFiltered(fold, isFiltered && !hasMatch);
    fold.open = (isFiltered && hasMatch) || fold.dataset['usual'] === 'true';
  }
}

/** Brings the filter to the top where the first of the clauses that it shows is out of sight: what stands above has changed its height. */
export function showMatches(clauses: readonly ShownClause[]): void {
  const first = clauses.find(({ row }) => !row.hasAttribute('data-filtered'))?.row.getBoundingClientRect();
  if (first && first.top >= 0 && first.bottom <= innerHeight) return;
  document.querySelector('.filters')?.scrollIntoView({ behavior: 'instant', block: 'start' });
}

function setFiltered(element: HTMLElement, isOut: boolean): void {
  element.toggleAttribute('data-filtered', isOut);
}

/** Whether an element can't be seen. */
export function isOutOfSight(element: HTMLElement): boolean {
  return element.closest(outOfSight) !== null;
}

/** The form of the filter. A page without clauses has none. */
export interface FilterForm {
  readonly known: Known;
  /** Shows a filter and what it comes to. */
  readonly show: (filter: Filter, clauses: readonly ShownClause[]) => void;
  /** Says that the filter was reset to show a place, or stops saying so. */
  readonly sayReset: (isReset: boolean) => void;
}

/** The form of the filter, which tells of every change; `undefined` where the page has none. */
export function filterForm(onChange: (filter: Filter) => void): FilterForm | undefined {
  const form = document.querySelector('form.filter');
  if (!(form instanceof HTMLFormElement)) return undefined;
  const verdicts = all(form, 'input[name="verdict"]', HTMLInputElement);
  const levels = all(form, 'input[name="level"]', HTMLInputElement);
  const topic = one(form, 'select[name="topic"]', HTMLSelectElement);
  const text = one(form, 'input[name="text"]', HTMLInputElement);

  const changed = (): void =>
    onChange({ verdicts: checked(verdicts), levels: checked(levels), topic: topic.value, text: text.value });
  form.addEventListener('input', changed);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', (event) => {
    event.preventDefault();
    onChange(noFilter);
  });

  return {
    known: { verdicts: valuesOf(verdicts), levels: valuesOf(levels), topics: valuesOf([...topic.options]) },
    show: (filter, clauses) => {
      for (const input of verdicts) input.checked = filter.verdicts.includes(input.value);
      for (const input of levels) input.checked = filter.levels.includes(input.value);
      topic.value = filter.topic;
      if (text.value !== filter.text) text.value = filter.text;
      sayShown(clauses.filter(fits(filter)).length, clauses.length);
    },
    sayReset: (isReset) => (one(document, '.filter-gone', HTMLElement).hidden = !isReset),
  };
}

function sayShown(shown: number, total: number): void {
  const says = one(document, '.filter-says', HTMLElement);
  fill(says, 'shown', String(shown));
  fill(says, 'total', String(total));
  one(says, '.nothing-fits', HTMLElement).hidden = shown > 0;
}

function checked(inputs: readonly HTMLInputElement[]): string[] {
  return valuesOf(inputs.filter((input) => input.checked));
}

function valuesOf(inputs: readonly { readonly value: string }[]): string[] {
  return inputs.map((input) => input.value);
}

/** A kind of element, such as `HTMLInputElement`. */
type Kind<E extends Element> = new () => E;

/** The element that a selector names; throws where the page has none of that kind. */
function one<E extends Element>(root: ParentNode, selector: string, kind: Kind<E>): E {
  const found = root.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} that fits ${selector}`);
}

/** The elements of a kind that a selector names. */
export function all<E extends Element>(root: ParentNode, selector: string, kind: Kind<E>): E[] {
  return [...root.querySelectorAll(selector)].filter((found): found is E => found instanceof kind);
}

/** The nearest element around what an event came to, itself included; `undefined` where there is none of that kind. */
export function around<E extends Element>(target: EventTarget | null, selector: string, kind: Kind<E>): E | undefined {
  const found = target instanceof Element ? target.closest(selector) : null;
  return found instanceof kind ? found : undefined;
}

/** Writes a text into the slots of a name. */
function fill(root: ParentNode, slot: string, text: string): void {
  for (const element of all(root, `[data-slot="${slot}"]`, HTMLElement)) element.textContent = text;
}
