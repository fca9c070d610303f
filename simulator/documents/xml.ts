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
