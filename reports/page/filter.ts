import type { Filter } from './fragment.ts';

/** What of a clause is filtered by. */
export interface FilteredItem {
  readonly verdict: string;
  readonly level: string;
  readonly topic: string;
  /** Its texts, as `searchable` makes them. */
  readonly words: string;
}

/** How many clauses are shown, and how many each choice would show, the other choices being what they are. */
export interface FilterCounts {
  readonly shown: number;
  readonly verdict: ReadonlyMap<string, number>;
  readonly level: ReadonlyMap<string, number>;
  /** That of the empty topic is for all topics. */
  readonly topic: ReadonlyMap<string, number>;
}

/** A text as it is searched: without accents and without capitals. */
export function searchable(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** A test for what a filter lets through: everything chosen, and every word of the text somewhere. */
export function fits(filter: Filter): (item: FilteredItem) => boolean {
  const words = wordsOf(filter);
  return (item) =>
    isChosen(filter.verdicts, item.verdict) &&
    isChosen(filter.levels, item.level) &&
    (filter.topic === '' || filter.topic === item.topic) &&
    words.every((word) => item.words.includes(word));
}

/** Counts what a filter shows, and what each of its choices would show. */
export function countsOf(items: readonly FilteredItem[], filter: Filter): FilterCounts {
  const all = items.filter(fits({ ...filter, topic: '' }));
  return {
    shown: items.filter(fits(filter)).length,
    verdict: tally(items.filter(fits({ ...filter, verdicts: [] })), ({ verdict }) => verdict),
    level: tally(items.filter(fits({ ...filter, levels: [] })), ({ level }) => level),
    topic: tally(all, ({ topic }) => topic).set('', all.length),
  };
}

function wordsOf({ text }: Filter): string[] {
  return searchable(text)
    .split(/\s+/)
    .filter((word) => word !== '');
}

function isChosen(chosen: readonly string[], value: string): boolean {
  return chosen.length === 0 || chosen.includes(value);
}

function tally(items: readonly FilteredItem[], key: (item: FilteredItem) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
}
