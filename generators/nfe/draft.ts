import fc from 'fast-check';
import { blankSignature, sealed } from './signer.ts';
import { group, indented, leaf, prefixed, type XmlElement, layoutText } from './xml-tree.ts';
import { cnpj, cpf, ufCodes, ufs, type Uf } from '../domain.ts';

/** A document before it is put together and signed. */
export interface NfeDraft {
  /** `Id` of `infNFe`. */
  readonly id: string;
  /** What `infNFe` holds. */
  readonly content: readonly XmlElement[];
  /** `undefined` for an invoice alone. */
  readonly protocol: ProtocolDraft | undefined;
  readonly shape: NfeShape;
}

interface ProtocolDraft {
  readonly chave: string;
  readonly numero: string;
  readonly cStat: string;
  readonly xMotivo: string;
  readonly dhRecbto: string;
  readonly tpAmb: string;
}

/** What somebody's software makes of the same content before it signs: it changes the digest. */
export interface NfeShape {
  /** Of the names of an invoice; empty for none. */
  readonly prefix: string;
  /** White space of one level; `undefined` for one long line. */
  readonly indent: string | undefined;
  /** Prefixes that the root declares for nothing. */
  readonly idlePrefixes: readonly string[];
  /** Whether `NFe` declares its namespace again, as most do. */
  readonly isRepeated: boolean;
}

const nfeNamespace = 'http://www.portalfiscal.inf.br/nfe';

/** The signed tree of a draft: `nfeProc`, or `NFe` where it has no protocol. */
export function treeOf(draft: NfeDraft): XmlElement {
  return sealed(laidOut(draft));
}

/** The tree before it is signed. */
function laidOut({ id, content, shape, protocol }: NfeDraft): XmlElement {
  const own = shape.isRepeated ? namespaceOf(shape) : {};
  const invoice = named(group('NFe', [contentOf({ id, content })], own), shape);
  const nfe = { ...invoice, content: [...invoice.content, blankSignature(id)] };
  const whole = protocol
    ? {
        ...named(group('nfeProc', [], { versao: '4.00' }), shape),
        content: [nfe, protocolOf(protocol, shape)],
      }
    : nfe;
  const root = { ...whole, attributes: { ...namespacesOf(shape), ...whole.attributes } };
  return shape.indent === undefined ? root : indented(root, shape.indent);
}

function contentOf({ id, content }: Pick<NfeDraft, 'id' | 'content'>): XmlElement {
  return group('infNFe', content, { versao: '4.00', Id: id });
}

function named(element: XmlElement, { prefix }: NfeShape): XmlElement {
  return prefix === '' ? element : prefixed(element, prefix);
}

function namespacesOf(shape: NfeShape): Readonly<Record<string, string>> {
  const idle: [string, string][] = shape.idlePrefixes.map((one) => [`xmlns:${one}`, `http://${one}.example/`]);
  return { ...namespaceOf(shape), ...Object.fromEntries<string>(idle) };
}

function namespaceOf({ prefix }: NfeShape): Readonly<Record<string, string>> {
  return { [prefix === '' ? 'xmlns' : `xmlns:${prefix}`]: nfeNamespace };
}

function protocolOf(protocol: ProtocolDraft, shape: NfeShape): XmlElement {
  const { tpAmb, chave, dhRecbto, numero, cStat, xMotivo } = protocol;
  const parts = [
    leaf('tpAmb', tpAmb),
    leaf('verAplic', 'EXEMPLO_1.0'),
    leaf('chNFe', chave),
    leaf('dhRecbto', dhRecbto),
    leaf('nProt', numero),
    leaf('digVal', ''),
    leaf('cStat', cStat),
    leaf('xMotivo', xMotivo),
  ];
  return named(group('protNFe', [group('infProt', parts)], { versao: '4.00' }), shape);
}

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
