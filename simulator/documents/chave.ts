import { localYearMonth } from './local-time.ts';

/** What an access key is made of. */
export interface ChaveParts {
  /** IBGE code of the issuer's state: two digits. */
  readonly ufCode: string;
  /** Unix milliseconds; the key holds year and month of the local date. */
  readonly issuedAtMs: number;
  /** 14 digits. */
  readonly cnpj: string;
  /** 0 to 999. */
  readonly serie: number;
  /** 1 to 999,999,999. */
  readonly numero: number;
  /** Eight digits, chosen at random. */
  readonly cNF: string;
}

const model = '55';
const normalEmission = '1';

/** The access key of an NF-e of normal emission: 44 digits with the check digit. Section 2.2. */
export function chaveOf({ ufCode, issuedAtMs, cnpj, serie, numero, cNF }: ChaveParts): string {
  const number = String(serie).padStart(3, '0') + String(numero).padStart(9, '0');
  const first43 = ufCode + localYearMonth(issuedAtMs) + cnpj + model + number + normalEmission + cNF;
  if (!/^\d{6}[0-9A-Z]{12}\d{25}$/.test(first43))
    throw new Error(`the parts of a chave are to be 43 digits, or letters in the CNPJ, not "${first43}"`);
  return first43 + chaveCheckDigit(first43);
}

/**
 * The last digit of a key, of the 43 before it: modulo 11 with weights 2 to 9 from the right, where 0 and 1 give 0. A letter
 * counts as its code less 48.
 */
export function chaveCheckDigit(first43: string): string {
  const sum = Array.from(first43)
    .toReversed()
    .reduce((total, digit, place) => total + (digit.charCodeAt(0) - zero) * (2 + (place % 8)), 0);
  const remainder = sum % 11;
  return remainder < 2 ? '0' : String(11 - remainder);
}

/** Whether a text is an access key: 44 digits, the last of which is right. Section 2.2. */
export function isChave(text: string): boolean {
  return /^[0-9]{44}$/.test(text) && text.endsWith(chaveCheckDigit(text.slice(0, -1)));
}

/** The same, or a key of a company whose CNPJ has letters. */
export function isAnyChave(text: string): boolean {
  return /^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$/.test(text) && text.endsWith(chaveCheckDigit(text.slice(0, -1)));
}

const zero = '0'.charCodeAt(0);
