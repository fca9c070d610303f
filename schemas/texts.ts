/** An object of the members that are named, and no others. */
export const closed = { type: 'object', additionalProperties: false } as const;

export const text = { type: 'string' } as const;
export const count = { type: 'integer', minimum: 0 } as const;

/** A text that says something: not empty, not only white space. */
export const visibleText = { type: 'string', pattern: '\\S', title: 'a text that is not blank' } as const;

/** A text that says nothing. */
export const blankText = { type: 'string', pattern: '^\\s*$' } as const;

/** A text of at least one character. */
export const filledText = { type: 'string', minLength: 1, title: 'a text that is not empty' } as const;

/** A text without a character: how a field without a value is written. Section 2.3. */
export const emptyText = { const: '' } as const;

/** An absolute http or https URL: with a host, without white space. */
export const httpUrl = {
  type: 'string',
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]+(?:[/?#]\\S*)?$',
  title: 'an absolute http or https URL',
} as const;

/** An access key: 44 digits. Section 2.2. */
export const chave = { type: 'string', pattern: '^\\d{44}$', title: '44 digits' } as const;

/** The same, or an empty text where there is none. */
export const chaveOrEmpty = { type: 'string', pattern: '^(?:\\d{44})?$', title: '44 digits, or empty' } as const;

/** A day of the calendar and a time of it, with these between their parts: ISO 8601 has both, none or all. */
function dayAndTime(dash: string, colon: string): string {
  const longMonth = `(?:0[13578]|1[02])${dash}(?:0[1-9]|[12]\\d|3[01])`;
  const shortMonth = `(?:0[469]|11)${dash}(?:0[1-9]|[12]\\d|30)`;
  const february = `02${dash}(?:0[1-9]|[12]\\d)`;
  const date = `\\d{4}${dash}(?:${longMonth}|${shortMonth}|${february})`;
  return `${date}T(?:[01]\\d|2[0-3])${colon}[0-5]\\d(?:${colon}[0-5]\\d(?:[.,]\\d+)?)?`;
}

const extended = dayAndTime('-', ':');
const instant = `(?:${extended}(?:Z|\\+00:00)|${dayAndTime('', '')}Z)`;

/** What a time in UTC is called where one is wrong. */
const utc = 'a UTC time such as 2026-09-04T12:00:00.000Z';

/**
 * An ISO-8601 time in UTC, in `Z` or `+00:00`, with any number of fraction digits or none; its seconds may be left out, as some
 * libraries do where they are zero. A comma before the fraction is ISO's as well, and its basic format, `20260904T120000Z`. On a day that the calendar has, but for 29 February, which passes in every year. Section 2.4.
 */
export const utcTime = { type: 'string', pattern: `^${instant}$`, title: utc } as const;

/** The same, or null where there is none. */
export const utcTimeOrNull = { type: ['string', 'null'], pattern: `^${instant}$`, title: `${utc}, or null` } as const;

/** The same, or an empty text where there is none. */
export const utcTimeOrEmpty = { type: 'string', pattern: `^(?:${instant})?$`, title: `${utc}, or empty` } as const;

/** A time with its zone, whatever that is; its seconds may be left out. ISO 8601, on a day that the calendar has, as above. */
export const zonedTime = {
  type: 'string',
  pattern: `^${extended}(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$`,
  title: 'a time with its zone such as 2026-09-04T09:00:00-03:00',
} as const;

/** The seconds since 1970 that a time of these stands for; NaN for any other text. */
export function secondsOfTime(time: string): number {
  const basic = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)?(?=[.,Z])/;
  const spelled = time.replace(
    basic,
    (_, year, month, day, hour, minute, second = '00') => `${year}-${month}-${day}T${hour}:${minute}:${second}`,
  );
  return Date.parse(spelled.replace(',', '.')) / 1000;
}
