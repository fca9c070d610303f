import { ufCodes } from '../issuance/uf-codes.ts';
import { isAnyCnpj, isCpf } from '../tax-numbers.ts';

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

const knownUfs: ReadonlySet<string> = new Set(Object.values(ufCodes).map(String));

const checks: readonly (readonly [ChavePart, (text: string) => boolean])[] = [
  ['cUF', (code) => knownUfs.has(code)],
  ['AAMM', (yearMonth) => /^\d\d(0[1-9]|1[0-2])$/.test(yearMonth)],
  // A person who issues stands there with a CPF, filled up with zeros.
  ['CNPJ', (number) => isAnyCnpj(number) || (number.startsWith('000') && isCpf(number.slice(3)))],
  ['mod', (model) => model === '55' || model === '65'],
  ['nNF', (number) => Number(number) > 0],
  ['tpEmis', (kind) => kind !== '0'],
];
