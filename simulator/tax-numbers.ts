/** Whether a text is a CNPJ: 14 digits, not all the same, check digits right. Section 2.2. */
export function isCnpj(text: string): boolean {
  return isTaxNumber(text, 14, 9);
}

/** Whether a text is a CPF: 11 digits, not all the same, check digits right. Section 2.2. */
export function isCpf(text: string): boolean {
  return isTaxNumber(text, 11, 11);
}

function isTaxNumber(text: string, length: number, highestWeight: number): boolean {
  if (text.length !== length || !/^[0-9]+$/.test(text) || new Set(text).size === 1) return false;
  const withoutCheck = text.slice(0, -2);
  const first = checkDigit(withoutCheck, highestWeight);
  return text === withoutCheck + first + checkDigit(withoutCheck + first, highestWeight);
}

/** Modulo 11: weights go from 2 at the right up to the highest, then start again; remainders 0 and 1 give 0. */
function checkDigit(digits: string, highestWeight: number): string {
  let sum = 0;
  let weight = 2;
  for (const digit of Array.from(digits).toReversed()) {
    sum += Number(digit) * weight;
    weight = weight === highestWeight ? 2 : weight + 1;
  }
  const remainder = sum % 11;
  return remainder < 2 ? '0' : String(11 - remainder);
}
