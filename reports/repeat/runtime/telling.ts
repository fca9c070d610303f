import { hasMask } from './kit.ts';

/** Longest text of now that is told in its own words. */
const mostOfWords = 100;

/**
 * What came now in the place of what a report shows, in words for the terminal. A report shows no texts of people, and nobody masks
 * what comes now: a text is told as it is where the report shows the one in its place, and as its length elsewhere; a number where it
 * has few digits, or is a code of the platform; of anything else, what it is made of.
 */
export function told(was: unknown, is: unknown): string {
  if (typeof is === 'number') return /^-?\d{1,6}$|^100\d{5}$/.test(String(is)) ? String(is) : 'another number';
  if (typeof is === 'string') {
    const isTold = typeof was === 'string' && !hasMask(was) && is.length <= mostOfWords && !/\d{6}/.test(is);
    if (isTold || is === '') return JSON.stringify(is);
    return /^\d+$/.test(is) ? `a text of ${is.length} digits` : `a text of ${Array.from(is).length} characters`;
  }
  if (Array.isArray(is)) return `an array of ${is.length} items`;
  if (is === undefined || is === null || typeof is !== 'object') return brief(is);
  const names = Object.keys(is).filter(isToldName);
  return `an object with ${names.slice(0, 10).join(', ') || 'other names'}`;
}

/** Whether the name of a member that came now is told: it may be somebody's number, too. */
export function isToldName(name: string): boolean {
  return /^[a-z_]{1,40}$/i.test(name);
}

/** What a report shows of a value, in short. */
export function brief(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 100);
}
