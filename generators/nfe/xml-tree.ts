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

/** The canonical form (C14N 1.0) of an element that declares all namespaces itself, those in it none again. */
export function canonical({ name, attributes, content }: XmlElement): string {
  const written = Object.entries(attributes)
    .toSorted(([one], [other]) => (canonicalRank(one) < canonicalRank(other) ? -1 : 1))
    .map(([attribute, value]) => ` ${attribute}="${canonicalValue(value)}"`);
  const inner = content.map((part) => (typeof part === 'string' ? canonicalText(part) : canonical(part)));
  return `<${name}${written.join('')}>${inner.join('')}</${name}>`;
}

/** Namespaces stand before attributes. */
function canonicalRank(attribute: string): string {
  return (attribute === 'xmlns' || attribute.startsWith('xmlns:') ? '0' : '1') + attribute;
}

/** A text as the canonical form escapes it. */
export function canonicalText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#xD;');
}

function canonicalValue(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
