import fc from 'fast-check';
import { cnpj, cpf, ufCodes, ufs, type Uf } from '../domain.ts';
import { layoutText } from './read-tree.ts';
import { group, leaf, type XmlElement } from './xml-tree.ts';

/** A leaf with a text of the layout. */
export function textLeaf(name: string, longest: number, shortest = 1): fc.Arbitrary<XmlElement> {
  return layoutText(longest, shortest).map((text) => leaf(name, text));
}

/** That, or nothing. */
export function maybe<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> {
  return fc.option(arbitrary, { nil: undefined }).map((value) => (value === undefined ? [] : [value]));
}

/** All of them, one after the other. */
export function joined(...parts: readonly fc.Arbitrary<readonly XmlElement[]>[]): fc.Arbitrary<readonly XmlElement[]> {
  return fc.tuple(...parts).map((lists) => lists.flat());
}

/** An element as a list of it alone. */
export function one(arbitrary: fc.Arbitrary<XmlElement>): fc.Arbitrary<readonly XmlElement[]> {
  return arbitrary.map((element) => [element]);
}

/** Elements that are always the same. */
export function fixed(...elements: readonly XmlElement[]): fc.Arbitrary<readonly XmlElement[]> {
  return fc.constant(elements);
}

/** Who issues: with the CNPJ, or the CPF, that the chave has. */
export function issuer(number: string, uf: Uf): fc.Arbitrary<XmlElement> {
  return joined(
    fixed(taxNumber(number)),
    one(textLeaf('xNome', 60, 2)),
    maybe(textLeaf('xFant', 60)),
    one(address('enderEmit', uf)),
    fixed(leaf('IE', '123456789'), leaf('CRT', '1')),
  ).map((parts) => group('emit', parts));
}

/** Who receives: a company, or a person. */
export function recipient(): fc.Arbitrary<XmlElement> {
  return joined(
    anyTaxNumber(),
    one(textLeaf('xNome', 60, 2)),
    maybe(anyUf().chain((uf) => address('enderDest', uf))),
    fixed(leaf('indIEDest', '9')),
    maybe(fc.constant(leaf('email', 'compras@exemplo.example'))),
  ).map((parts) => group('dest', parts));
}

/** Where goods are fetched from or brought to. */
export function place(name: 'retirada' | 'entrega'): fc.Arbitrary<XmlElement> {
  return joined(
    anyTaxNumber(),
    maybe(textLeaf('xNome', 60, 2)),
    anyUf().chain((uf) => address(name, uf).map(({ content }) => content.filter((part) => typeof part !== 'string'))),
  ).map((parts) => group(name, parts));
}

/** Who else may fetch the document. */
export function reader(): fc.Arbitrary<XmlElement> {
  return anyTaxNumber().map((parts) => group('autXML', parts));
}

/** A company or a person by its number. */
export function anyTaxNumber(): fc.Arbitrary<readonly XmlElement[]> {
  return fc.oneof(cnpj(), cpf()).map((number) => [taxNumber(number)]);
}

function taxNumber(number: string): XmlElement {
  return leaf(number.length === 11 ? 'CPF' : 'CNPJ', number);
}

function anyUf(): fc.Arbitrary<Uf> {
  return fc.constantFrom(...ufs);
}

function address(name: string, uf: Uf): fc.Arbitrary<XmlElement> {
  return joined(
    one(textLeaf('xLgr', 60, 2)),
    one(textLeaf('nro', 60)),
    maybe(textLeaf('xCpl', 60)),
    one(textLeaf('xBairro', 60, 2)),
    fixed(leaf('cMun', `${ufCodes[uf]}00108`)),
    one(textLeaf('xMun', 60, 2)),
    fixed(leaf('UF', uf), leaf('CEP', '01000000')),
  ).map((parts) => group(name, parts));
}
