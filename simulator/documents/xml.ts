import { SaxesParser } from 'saxes';

/**
 * XML that is canonical as it is written (C14N 2001): elements are never self-closing, the namespace stands before the
 * other attributes and those are in alphabetical order. What is signed is then the text itself.
 */

/** An element that holds a text; nothing at all where there is no text. */
export function leaf(name: string, text: string | undefined): string {
  return text === undefined ? '' : `<${name}>${escapedText(text)}</${name}>`;
}

/** An element that holds elements. */
export function group(
  name: string,
  children: readonly string[],
  attributes: Readonly<Record<string, string>> = {},
): string {
  const shown = Object.entries(attributes)
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .map(([key, value]) => ` ${key}="${escapedAttribute(value)}"`);
  return `<${name}${shown.join('')}>${children.join('')}</${name}>`;
}

/** A text as canonical XML writes it; quotes stay as they are. */
function escapedText(text: string): string {
  return escaped(text, /[&<>\r]/g);
}

function escapedAttribute(text: string): string {
  return escaped(text, /[&<"\t\n\r]/g);
}

function escaped(text: string, characters: RegExp): string {
  return text.replaceAll(characters, (character) => escapes[character] ?? character);
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

function rank(attribute: string): number {
  return attribute === 'xmlns' ? 0 : 1;
}

/** An element of a document. */
export interface XmlElement {
  readonly name: string;
  readonly children: readonly XmlElement[];
  /** The text directly within it. */
  readonly text: string;
}

interface OpenElement {
  readonly name: string;
  readonly children: XmlElement[];
  text: string;
}

/** Reads a document, attributes passed over. It is for our own ones, never for what somebody sends. */
export function readXml(xml: string): XmlElement {
  const document: OpenElement = { name: '', children: [], text: '' };
  const open = [document];
  const current = (): OpenElement => open.at(-1) ?? document;
  const parser = new SaxesParser({ position: false });
  parser.on('opentag', ({ name }) => {
    const element: OpenElement = { name, children: [], text: '' };
    current().children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => (current().text += text));
  parser.on('closetag', () => open.pop());
  parser.write(xml).close();
  return document;
}

/** The first element at a path of names: `infNFe/ide/nNF`. */
export function elementAt(element: XmlElement | undefined, path: string): XmlElement | undefined {
  return path.split('/').reduce((inner, name) => inner?.children.find((child) => child.name === name), element);
}

/** The text at a path of names; empty where there is none. */
export function textAt(element: XmlElement | undefined, path: string): string {
  return elementAt(element, path)?.text ?? '';
}
