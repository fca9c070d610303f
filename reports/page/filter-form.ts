import { all, fill, one } from './elements.ts';
import { countsOf, type FilteredItem } from './filter.ts';
import { isFiltering, noFilter, type Filter, type Known } from './fragment.ts';

/** The form of the filter. A page without clauses has none. */
export interface FilterForm {
  readonly known: Known;
  /** Shows a filter and what it comes to. */
  readonly show: (filter: Filter, items: readonly FilteredItem[]) => void;
  /** Says that the filter was reset to show a place, or stops saying so. */
  readonly sayReset: (isReset: boolean) => void;
  readonly focusText: () => void;
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
    show: (filter, items) => {
      check(verdicts, filter.verdicts);
      check(levels, filter.levels);
      topic.value = filter.topic;
      if (text.value !== filter.text) text.value = filter.text;
      const { shown, ...counts } = countsOf(items, filter);
      for (const input of verdicts) count(input, counts.verdict);
      for (const input of levels) count(input, counts.level);
      for (const option of topic.options) option.dataset['count'] = String(counts.topic.get(option.value) ?? 0);
      sayShown(shown, items.length, isFiltering(filter));
    },
    sayReset: (isReset) => (one(document, '.filter-gone', HTMLElement).hidden = !isReset),
    focusText: () => {
      // In some browsers a selection alone leaves the focus where it was.
      text.focus();
      text.select();
    },
  };
}

function sayShown(shown: number, total: number, isFiltered: boolean): void {
  const says = one(document, '.filter-says', HTMLElement);
  fill(says, 'shown', String(shown));
  fill(says, 'total', String(total));
  one(says, '.nothing-fits', HTMLElement).hidden = shown > 0 || !isFiltered;
}

function count(input: HTMLInputElement, counts: ReadonlyMap<string, number>): void {
  const shown = input.closest('label')?.querySelector('.count');
  if (shown) shown.textContent = `(${counts.get(input.value) ?? 0})`;
}

function check(inputs: readonly HTMLInputElement[], values: readonly string[]): void {
  for (const input of inputs) input.checked = values.includes(input.value);
}

function checked(inputs: readonly HTMLInputElement[]): string[] {
  return valuesOf(inputs.filter((input) => input.checked));
}

function valuesOf(inputs: readonly { readonly value: string }[]): string[] {
  return inputs.map((input) => input.value);
}
