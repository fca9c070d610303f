import { plainText } from '../issuance/field-faults.ts';

/**
 * A text as a field of the layout can hold it: characters beyond Latin-1 become question marks, and what is too long is
 * cut. `undefined` for a text that is empty or shorter than the field's least length.
 */
export function layoutText(text: string | undefined, most: number, least = 1): string | undefined {
  const fitting = plainText(text ?? '')
    .replaceAll(/[^ -ÿ]/gu, '?')
    .slice(0, most)
    .replace(/ $/, '');
  return fitting.length < least ? undefined : fitting;
}

/** The same for a field that must not be missing. */
export function requiredText(text: string | undefined, most: number, least = 1): string {
  return layoutText(text, most, least) ?? 'NAO INFORMADO'.slice(0, most);
}

/** The digits of a text, such as a telephone number, if there are as many as the field takes. */
export function digitsOf(text: string | undefined, least: number, most: number): string | undefined {
  const digits = (text ?? '').replaceAll(/[^0-9]/g, '');
  return digits.length >= least && digits.length <= most ? digits : undefined;
}

/** Brasília time, in which most of Brazil lives; it has had no daylight saving since 2019. */
const offsetMs = -3 * 60 * 60 * 1000;

/** The local time of an instant with its offset, as the layout writes it: `2026-10-05T10:00:00-03:00`. */
export function localDateTime(atMs: number): string {
  return `${shifted(atMs).toISOString().slice(0, 19)}-03:00`;
}

/** Year and month of an instant in local time, as four digits: `2610`. */
export function localYearMonth(atMs: number): string {
  const [year = '', month = ''] = shifted(atMs).toISOString().split('-');
  return year.slice(-2) + month;
}

function shifted(atMs: number): Date {
  return new Date(atMs + offsetMs);
}
