/** Whether a text is a CNPJ: 14 digits, not all the same, check digits right. Section 2.2. */
export function isCnpj(text: string): boolean {
  return /^[0-9]+$/.test(text) && isTaxNumber(text, 14, 9);
}

/** The same, or such a number with capital letters among its first twelve places, as given out since July 2026. */
export function isAnyCnpj(text: string): boolean {
  return /^[0-9A-Z]{12}[0-9]{2}$/.test(text) && isTaxNumber(text, 14, 9);
}

/** Whether a text is a CPF: 11 digits, not all the same, check digits right. Section 2.2. */
export function isCpf(text: string): boolean {
  return /^[0-9]+$/.test(text) && isTaxNumber(text, 11, 11);
}

function isTaxNumber(text: string, length: number, highestWeight: number): boolean {
  if (text.length !== length || new Set(text).size === 1) return false;
  const withoutCheck = text.slice(0, -2);
  const first = checkDigit(withoutCheck, highestWeight);
  return text === withoutCheck + first + checkDigit(withoutCheck + first, highestWeight);
}

/** Modulo 11: weights go from 2 at the right up to the highest, then start again; remainders 0 and 1 give 0. A letter counts as its code less 48. */
function checkDigit(digits: string, highestWeight: number): string {
  let sum = 0;
  let weight = 2;
  for (const digit of Array.from(digits).toReversed()) {
    sum += (digit.charCodeAt(0) - zero) * weight;
    weight = weight === highestWeight ? 2 : weight + 1;
  }
  const remainder = sum % 11;
  return remainder < 2 ? '0' : String(11 - remainder);
}

const zero = '0'.charCodeAt(0);
