import { SaxesParser } from 'saxes';
import type { XmlElement } from './xml-tree.ts';
import fc from 'fast-check';
import { chaveCheckDigit, cnpj, cpf, ufCodes, ufs, type Uf } from '../domain.ts';

interface OpenElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: (XmlElement | string)[];
}

/** The tree of a document, comments and processing instructions left out; `undefined` for what is not well-formed. */
export function readTree(document: string): XmlElement | undefined {
  const root: OpenElement = { name: '', attributes: {}, content: [] };
  const open = [root];
  const add = (part: XmlElement | string): void => void open.at(-1)?.content.push(part);
  const parser = new SaxesParser({ xmlns: true, position: false });
  parser.on('opentag', ({ name, attributes }) => {
    const values = Object.entries(attributes).map(([key, { value }]) => [key, value] as const);
    const element: OpenElement = { name, attributes: Object.fromEntries(values), content: [] };
    add(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('error', (error) => {
    throw error;
  });
  try {
    parser.write(document).close();
  } catch {
    return undefined;
  }
  return root.content.find((part) => typeof part !== 'string');
}

const words = ['a', 'CAFÉ', 'Ação', 'índice', 'pão de queijo', 'Nº', '1/2', '100%', "d'água", '"aspas"', 'ÀÿÇ', '-'];
const markup = ['&', '<', '>', '<b>', '&amp;', ']]>', '&#233;', '<!--', '<![CDATA[', '?>', '<!DOCTYPE'];
const plain = 'A';

/** A text that the layout takes, of that many characters: Latin-1, no outer spaces; some are as long as they may be. */
export function layoutText(longest: number, shortest = 1): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { arbitrary: fc.constantFrom(...words), weight: 4 },
    { arbitrary: fc.constantFrom(...markup), weight: 1 },
  );
  const length = fc.oneof({ arbitrary: fc.constant(0), weight: 7 }, { arbitrary: fc.constant(longest), weight: 1 });
  return fc.tuple(fc.array(piece, { minLength: 1, maxLength: 6 }), length).map(([pieces, least]) => {
    const text = pieces.join(' ').slice(0, longest).trim();
    return text.padEnd(Math.max(shortest, least), plain);
  });
}

/** What an invoice and its chave say alike. */
export interface NfeFacts {
  readonly uf: Uf;
  /** A CNPJ of 14 digits, or the CPF of a person who issues: 11. */
  readonly issuer: string;
  readonly serie: number;
  readonly nNF: number;
  readonly tpEmis: string;
  /** Eight digits. */
  readonly cNF: string;
  /** Local time with its zone. */
  readonly dhEmi: string;
  readonly tpAmb: string;
}

/** The 44 digits of an invoice's chave. */
export function chaveOfFacts({ uf, issuer, serie, nNF, tpEmis, cNF, dhEmi }: NfeFacts): string {
  const numbers = String(serie).padStart(3, '0') + String(nNF).padStart(9, '0');
  const yearMonth = dhEmi.slice(2, 4) + dhEmi.slice(5, 7);
  const first43 = `${ufCodes[uf]}${yearMonth}${issuer.padStart(14, '0')}55${numbers}${tpEmis}${cNF}`;
  return first43 + chaveCheckDigit(first43);
}

const secondsPerDay = 86_400;
const firstDay = Date.UTC(2019, 0, 1) / 1000;

/** Facts that are consistent, of invoices from 2019 to 2030, often in the hours where the months of two zones differ. */
export function nfeFacts(): fc.Arbitrary<NfeFacts> {
  const anyTime = fc.integer({ min: firstDay, max: firstDay + 12 * 365 * secondsPerDay });
  const endOfMonth = fc.integer({ min: 0, max: 143 }).map((month) => Date.UTC(2019, month + 1, 1) / 1000 - 1);
  return fc
    .record({
      uf: fc.constantFrom(...ufs),
      issuer: fc.oneof({ arbitrary: cnpj(), weight: 5 }, { arbitrary: cpf(), weight: 1 }),
      serie: fc.constantFrom(1, 0, 9, 10, 99, 100, 889),
      nNF: fc.oneof(fc.integer({ min: 1, max: 999_999_999 }), fc.constantFrom(1, 999_999_999)),
      tpEmis: fc.constantFrom('1', '2', '4', '5', '6', '7', '9'),
      cNF: fc.noBias(fc.nat({ max: 99_999_999 })).map((number) => String(number).padStart(8, '0')),
      localSeconds: fc.oneof(anyTime, endOfMonth),
      zone: fc.constantFrom('-03:00', '-02:00', '-04:00', '-05:00', '+00:00'),
      tpAmb: fc.constantFrom('2', '1'),
    })
    .map(({ localSeconds, zone, ...facts }) => ({ ...facts, dhEmi: localTime(localSeconds) + zone }));
}

/** Of seconds since 1970 by the local clock. */
function localTime(localSeconds: number): string {
  return new Date(localSeconds * 1000).toISOString().slice(0, 19);
}
