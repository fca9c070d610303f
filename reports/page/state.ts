import type { Language } from '../language.ts';

/** What the reader has chosen to see; nothing chosen in a list means all of it. */
export interface Filter {
  readonly verdicts: readonly string[];
  readonly levels: readonly string[];
  /** One topic; empty for all. */
  readonly topic: string;
  /** Words that a clause must all have. */
  readonly text: string;
}

/** What the reader has set on the page, kept in the fragment of its address. */
export interface PageState extends Filter {
  /** `undefined`: that of the browser. */
  readonly language: Language | undefined;
  /** Id of the element that the reader went to; empty for none. */
  readonly at: string;
}

/** The values that a page knows, in its order. */
export interface Known {
  readonly verdicts: readonly string[];
  readonly levels: readonly string[];
  readonly topics: readonly string[];
}

/** What of a clause is filtered by. */
export interface FilteredItem {
  readonly verdict: string;
  readonly level: string;
  readonly topic: string;
  /** Its texts, as `searchable` makes them. */
  readonly words: string;
}

/** A filter that lets every clause through. */
export const noFilter: Filter = { verdicts: [], levels: [], topic: '', text: '' };

/** Whether the filter holds anything back. */
export function isFiltering({ verdicts, levels, topic, text }: Filter): boolean {
  return verdicts.length + levels.length > 0 || topic !== '' || text.trim() !== '';
}

/** A text as it is searched: without accents and without capitals. */
export function searchable(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** A test for what a filter lets through: everything chosen, and every word of the text somewhere. */
export function fits({ verdicts, levels, topic, text }: Filter): (item: FilteredItem) => boolean {
  const words = searchable(text).split(/\s+/);
  return (item) =>
    isChosen(verdicts, item.verdict) &&
    isChosen(levels, item.level) &&
    (topic === '' || topic === item.topic) &&
    words.every((word) => item.words.includes(word));
}

function isChosen(chosen: readonly string[], value: string): boolean {
  return chosen.length === 0 || chosen.includes(value);
}

/** Reads a fragment, with or without its `#`: a plain one is an anchor; what the page does not know is left out. */
export function stateOf(fragment: string, known: Known): PageState {
  const text = fragment.replace(/^#/, '');
  const fields = new URLSearchParams(text.includes('=') ? text : `at=${text}`);
  const chosen = (name: string, of: readonly string[]): string[] => {
    const values = (fields.get(name) ?? '').split(',');
    return of.filter((value) => values.includes(value));
  };
  const language = fields.get('lang');
  return {
    verdicts: chosen('verdict', known.verdicts),
    levels: chosen('level', known.levels),
    topic: known.topics.find((topic) => topic !== '' && topic === fields.get('topic')) ?? '',
    text: fields.get('text') ?? '',
    language: language === 'en' || language === 'pt-BR' ? language : undefined,
    at: fields.get('at') ?? '',
  };
}

/** The fragment of a state, with its `#`: a plain anchor where nothing but a place is set; empty where nothing is. */
export function fragmentOf(state: PageState): string {
  const fields = [
    ['verdict', state.verdicts.join(',')],
    ['level', state.levels.join(',')],
    ['topic', state.topic],
    ['text', state.text],
    ['lang', state.language ?? ''],
    ['at', state.at],
  ].filter(([, value]) => value !== '');
  const [first] = fields;
  if (first === undefined) return '';
  if (fields.length === 1 && first[0] === 'at' && !state.at.includes('=')) return `#${encoded(state.at)}`;
  return `#${fields.map(([name, value = '']) => `${name}=${encoded(value)}`).join('&')}`;
}

/** Percent-encoded, but for the commas between values; half a surrogate pair can't be encoded and is replaced. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%2C', ',');
}
