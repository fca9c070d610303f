import fc from 'fast-check';

/** Check digit of the first 43 digits of a chave, as text: modulo 11 with weights 2 to 9 from the right. */
export function chaveCheckDigit(first43: string): string {
  return modulo11(digitsOf(first43, 43), 9);
}

/** The two check digits of the first 12 digits of a CNPJ. */
export function cnpjCheckDigits(first12: string): string {
  const first = modulo11(digitsOf(first12, 12), 9);
  return first + modulo11(digitsOf(first12 + first, 13), 9);
}

/** The two check digits of the first 9 digits of a CPF. */
export function cpfCheckDigits(first9: string): string {
  const first = modulo11(digitsOf(first9, 9), 11);
  return first + modulo11(digitsOf(first9 + first, 10), 11);
}

/** A CNPJ: 14 digits, check digits right, root and branch not zero. */
export function cnpj(): fc.Arbitrary<string> {
  return fc
    .tuple(numberText(8, 1), numberText(4, 1))
    .map(([root, branch]) => root + branch)
    .map((first12) => first12 + cnpjCheckDigits(first12));
}

/** A CPF: 11 digits, check digits right, never one digit eleven times. */
export function cpf(): fc.Arbitrary<string> {
  return numberText(9, 0)
    .filter((first9) => new Set(first9).size > 1)
    .map((first9) => first9 + cpfCheckDigits(first9));
}

/** A birth date that the calendar has, 01011900 to 31122020, as DDMMYYYY. */
export function nascimento(): fc.Arbitrary<string> {
  const msPerDay = 86_400_000;
  const first = Date.UTC(1900, 0, 1) / msPerDay;
  const last = Date.UTC(2020, 11, 31) / msPerDay;
  return fc.integer({ min: first, max: last }).map((day) => {
    const [year = '', month = '', date = ''] = new Date(day * msPerDay).toISOString().slice(0, 10).split('-');
    return date + month + year;
  });
}

/**
 * A chave: 44 digits of a model 55 invoice from 2006 to 2025, of any federative unit, with right check digits in the
 * CNPJ and at the end.
 */
export function chave(): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(...ufs.map((uf) => ufCodes[uf])),
      numberText(2, 6, 25),
      numberText(2, 1, 12),
      cnpj(),
      fc.constant('55'),
      numberText(3, 0, 889),
      numberText(9, 1),
      fc.constantFrom('1', '2', '4', '5', '6', '7', '9'),
      numberText(8, 0),
    )
    .map((parts) => parts.join(''))
    .map((first43) => first43 + chaveCheckDigit(first43));
}

/** Weights run from 2 at the right to the highest, then again from 2; a remainder below 2 gives 0. */
function modulo11(digits: readonly number[], highestWeight: number): string {
  const sum = digits
    .toReversed()
    .reduce((total, digit, place) => total + digit * (2 + (place % (highestWeight - 1))), 0);
  const remainder = sum % 11;
  return String(remainder < 2 ? 0 : 11 - remainder);
}

function digitsOf(text: string, length: number): number[] {
  if (!/^\d*$/.test(text) || text.length !== length) throw new Error(`"${text}" is to be ${length} digits`);
  return Array.from(text, Number);
}

/** A number with leading zeros, so many digits long. Without bias: small ones would collide between checks. */
function numberText(length: number, min: number, max = 10 ** length - 1): fc.Arbitrary<string> {
  return fc.noBias(fc.integer({ min, max })).map((value) => String(value).padStart(length, '0'));
}

/** The IBGE code of every federative unit: the first two digits of a chave. */
export const ufCodes = {
  RO: '11',
  AC: '12',
  AM: '13',
  RR: '14',
  PA: '15',
  AP: '16',
  TO: '17',
  MA: '21',
  PI: '22',
  CE: '23',
  RN: '24',
  PB: '25',
  PE: '26',
  AL: '27',
  SE: '28',
  BA: '29',
  MG: '31',
  ES: '32',
  RJ: '33',
  SP: '35',
  PR: '41',
  SC: '42',
  RS: '43',
  MS: '50',
  MT: '51',
  GO: '52',
  DF: '53',
} as const;

/** A federative unit by its two letters. */
export type Uf = keyof typeof ufCodes;

/** All federative units. */
export const ufs: readonly Uf[] = Object.keys(ufCodes).filter((name): name is Uf => name in ufCodes);
