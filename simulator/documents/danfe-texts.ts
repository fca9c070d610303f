/** A decimal number of the layout as Brazilians write it: `1234.50` gives `1.234,50`. */
export function brazilianNumber(text: string): string {
  const [whole = '', fraction] = text.split('.');
  return fraction === undefined ? inThousands(whole) : `${inThousands(whole)},${fraction}`;
}

/** Digits in groups of three, counted from their end. */
function inThousands(whole: string): string {
  const [sign = '', digits = ''] = whole.startsWith('-') ? ['-', whole.slice(1)] : ['', whole];
  const first = digits.length % 3;
  const groups = digits.slice(first).match(/\d{3}/g) ?? [];
  return sign + [digits.slice(0, first), ...groups].filter(Boolean).join('.');
}

/** The same without the zeros that say nothing, but for two places. */
export function brazilianPrice(text: string): string {
  return brazilianNumber(text.replace(/(\.\d\d(?:\d*[1-9])?)0+$/, '$1'));
}

/** `2026-10-05T10:00:07-03:00` gives `05/10/2026 10:00:07`. */
export function brazilianDateTime(text: string): string {
  const [date = '', time = ''] = text.split('T');
  return `${date.split('-').toReversed().join('/')} ${time.slice(0, 8)}`.trim();
}

/** A CNPJ or CPF with its punctuation. */
export function taxNumber(digits: string): string {
  return digits.length === 11
    ? digits.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')
    : digits.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');
}

/** A postcode with its hyphen. */
export function postcode(digits: string): string {
  return digits.replace(/^(.{5})(...)$/, '$1-$2');
}

/** A chave in groups of four. */
export function grouped(chave: string): string {
  return chave.replaceAll(/....(?=.)/g, '$& ');
}

/** An invoice number with leading zeros and points: `000.001.001`. */
export function invoiceNumber(text: string): string {
  return brazilianNumber(text.padStart(9, '0'));
}
