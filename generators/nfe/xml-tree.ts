import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { chaveCheckDigit, cnpj, cpf, ufCodes, ufs, type Uf } from '../domain.ts';
/** An element before anybody has decided how it is written; names and values are as they are meant, without escapes. */
export interface XmlElement {
  readonly name: string;
  /** In any order; namespace declarations among them. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Elements and texts; a text between elements is white space. */
  readonly content: readonly (XmlElement | string)[];
}

/** An element that holds a text. */
export function leaf(name: string, text: string): XmlElement {
  return { name, attributes: {}, content: [text] };
}

/** An element that holds elements. */
export function group(
  name: string,
  content: readonly XmlElement[],
  attributes: Readonly<Record<string, string>> = {},
): XmlElement {
  return { name, attributes, content };
}

/** The element and all in it with a prefix before their names. */
export function prefixed(element: XmlElement, prefix: string): XmlElement {
  const content = element.content.map((part) => (typeof part === 'string' ? part : prefixed(part, prefix)));
  return { ...element, name: `${prefix}:${element.name}`, content };
}

/** The element with every element in it on a line of its own. */
export function indented(element: XmlElement, indent: string, depth = 0): XmlElement {
  if (!element.content.some((part) => typeof part !== 'string')) return element;
  const line = (level: number): string => `\n${indent.repeat(level)}`;
  const parts = element.content.flatMap((part) =>
    typeof part === 'string' ? [part] : [line(depth + 1), indented(part, indent, depth + 1)],
  );
  return { ...element, content: [...parts, line(depth)] };
}

/** The name of an element without its prefix. */
export function localName({ name }: XmlElement): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The tree with something else in the place of each element of that name, whatever its prefix; not within what is new. */
export function replaced(
  element: XmlElement,
  name: string,
  change: (found: XmlElement) => readonly (XmlElement | string)[],
): XmlElement {
  const content = element.content.flatMap((part) => {
    if (typeof part === 'string') return [part];
    return localName(part) === name ? change(part) : [replaced(part, name, change)];
  });
  return { ...element, content };
}

/** The tree with another text in each element of that name. */
export function withText(element: XmlElement, name: string, text: string): XmlElement {
  return replaced(element, name, (found) => [{ ...found, content: [text] }]);
}

/** The first element with that name, whatever its prefix, from the root downwards. */
export function found(element: XmlElement, name: string): XmlElement | undefined {
  if (localName(element) === name) return element;
  for (const part of element.content) {
    const inner = typeof part === 'string' ? undefined : found(part, name);
    if (inner) return inner;
  }
  return undefined;
}

/** The text of an element, of all in it; empty without one. */
export function textOf(element: XmlElement | undefined): string {
  return (element?.content ?? []).map((part) => (typeof part === 'string' ? part : textOf(part))).join('');
}

/** Namespaces by their prefixes as they are declared: `xmlns`, `xmlns:a`. */
type Namespaces = Readonly<Record<string, string>>;

/** The canonical form (C14N 1.0, without comments) of the first element of that name, where it stands in its document. */
export function canonicalOf(root: XmlElement, name: string): string | undefined {
  const place = placed(root, name, {});
  return place && canonical(place.element, place.around);
}

function placed(
  element: XmlElement,
  name: string,
  around: Namespaces,
): { readonly element: XmlElement; readonly around: Namespaces } | undefined {
  if (localName(element) === name) return { element, around };
  const here = { ...around, ...declared(element) };
  for (const part of element.content) {
    const inner = typeof part === 'string' ? undefined : placed(part, name, here);
    if (inner) return inner;
  }
  return undefined;
}

/** What is declared around the first element is written there; what is written already is not written again. */
function canonical(element: XmlElement, around: Namespaces, written: Namespaces = {}): string {
  const { name, attributes, content } = element;
  const here = { ...around, ...declared(element) };
  const namespaces = Object.entries(here).filter(([prefix, address]) => (written[prefix] ?? '') !== address);
  const others = Object.entries(attributes).filter(([attribute]) => !isDeclaration(attribute));
  const start = [
    ...namespaces.toSorted(([one], [other]) => compared(one, other)),
    ...others.toSorted(([one], [other]) => compared(rank(one, here), rank(other, here))),
  ];
  const inner = content.map((part) => (typeof part === 'string' ? canonicalText(part) : canonical(part, here, here)));
  return `<${name}${start.map(([key, value]) => ` ${key}="${canonicalValue(value)}"`).join('')}>${inner.join('')}</${name}>`;
}

function declared({ attributes }: XmlElement): Namespaces {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => isDeclaration(name)));
}

function isDeclaration(attribute: string): boolean {
  return attribute === 'xmlns' || attribute.startsWith('xmlns:');
}

/** Attributes go by the address of their namespace, then by name; those without a prefix have none. */
function rank(attribute: string, namespaces: Namespaces): string {
  const [prefix, name] = attribute.includes(':') ? attribute.split(':') : ['', attribute];
  const address = prefix === 'xml' ? 'http://www.w3.org/XML/1998/namespace' : namespaces[`xmlns:${prefix}`];
  return `${prefix === '' ? '' : address}\0${name}`;
}

function compared(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** A text as the canonical form escapes it. */
export function canonicalText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#xD;');
}

function canonicalValue(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\t', '&#x9;')
    .replaceAll('\n', '&#xA;')
    .replaceAll('\r', '&#xD;');
}

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
