import { SaxesParser } from 'saxes';
import { plainText } from '../issuance/content.ts';

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

/**
 * A text as a field of the layout can hold it: characters beyond Latin-1 become question marks, and what is too long is
 * cut. `undefined` for a text that is empty or shorter than the field's least length.
 */
export function layoutText(text: string | undefined, most: number, least = 1): string | undefined {
  const fitting = plainText(text ?? '')
    .replaceAll(/[^ -ÿ]/gu, '?')
    .slice(0, most)
    .replace(/ $/, '');
  return fitting.length < least ? undefined : fitting;
}

/** The same for a field that must not be missing. */
export function requiredText(text: string | undefined, most: number, least = 1): string {
  return layoutText(text, most, least) ?? 'NAO INFORMADO'.slice(0, most);
}

/** The digits of a text, such as a telephone number, if there are as many as the field takes. */
export function digitsOf(text: string | undefined, least: number, most: number): string | undefined {
  const digits = (text ?? '').replaceAll(/[^0-9]/g, '');
  return digits.length >= least && digits.length <= most ? digits : undefined;
}

/** Brasília time, in which most of Brazil lives; it has had no daylight saving since 2019. */
const offsetMs = -3 * 60 * 60 * 1000;

/** The local time of an instant with its offset, as the layout writes it: `2026-10-05T10:00:00-03:00`. */
export function localDateTime(atMs: number): string {
  return `${shifted(atMs).toISOString().slice(0, 19)}-03:00`;
}

/** Year and month of an instant in local time, as four digits: `2610`. */
export function localYearMonth(atMs: number): string {
  const [year = '', month = ''] = shifted(atMs).toISOString().split('-');
  return year.slice(-2) + month;
}

function shifted(atMs: number): Date {
  return new Date(atMs + offsetMs);
}
