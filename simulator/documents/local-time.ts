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
