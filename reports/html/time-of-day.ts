import { markup, type Markup } from './markup.ts';

/** The time of day of an instant in epoch milliseconds, with its date for who points at it: "23:21:57.123". */
export function timeOfDay(at: number): Markup {
  const iso = new Date(at).toISOString();
  return markup`<time datetime="${iso}" title="${iso}">${iso.slice(11, 23)}</time>`;
}
