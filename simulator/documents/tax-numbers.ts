import { capitals, ufCode, wordsOf } from '../issuance/schema-words.ts';
import { localYearMonth } from './xml.ts';

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

/** What an access key is made of. */
interface ChaveParts {
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

/** The last digit of a key, of the 43 before it: as a CNPJ has its own. */
export function chaveCheckDigit(first43: string): string {
  return checkDigit(first43, 9);
}

/** Whether a text is an access key: 44 digits, the last of which is right. Section 2.2. */
export function isChave(text: string): boolean {
  return /^[0-9]{44}$/.test(text) && text.endsWith(chaveCheckDigit(text.slice(0, -1)));
}

/** The same, or a key of a company whose CNPJ has letters. */
export function isAnyChave(text: string): boolean {
  return /^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$/.test(text) && text.endsWith(chaveCheckDigit(text.slice(0, -1)));
}

/** What stands where in a chave: the first position, counted from 0, and the one after the last. */
const places = {
  cUF: [0, 2],
  AAMM: [2, 6],
  CNPJ: [6, 20],
  mod: [20, 22],
  serie: [22, 25],
  nNF: [25, 34],
  tpEmis: [34, 35],
  cNF: [35, 43],
  cDV: [43, 44],
} as const;

export type ChavePart = keyof typeof places;

/** A part of an access key, as it stands there. */
export function chavePart(chave: string, part: ChavePart): string {
  return chave.slice(...places[part]);
}

/** The first part of an access key that no invoice can have; `undefined` for none. The check digit is judged elsewhere. */
export function impossiblePart(chave: string): ChavePart | undefined {
  return checks.find(([part, isPossible]) => !isPossible(chavePart(chave, part)))?.[0];
}

const knownUfs: ReadonlySet<string> = new Set(wordsOf(capitals).map((uf) => String(ufCode(uf))));

const checks: readonly (readonly [ChavePart, (text: string) => boolean])[] = [
  ['cUF', (code) => knownUfs.has(code)],
  ['AAMM', (yearMonth) => /^\d\d(0[1-9]|1[0-2])$/.test(yearMonth)],
  // A person who issues stands there with a CPF, filled up with zeros.
  ['CNPJ', (number) => isAnyCnpj(number) || (number.startsWith('000') && isCpf(number.slice(3)))],
  ['mod', (model) => model === '55' || model === '65'],
  ['nNF', (number) => Number(number) > 0],
  ['tpEmis', (kind) => kind !== '0'],
];
