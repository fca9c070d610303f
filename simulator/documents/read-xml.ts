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

/**
 * Reads XML as xml.ts writes it: without comments, CDATA or self-closing tags, attributes passed over. It is for our own
 * documents, never for what somebody sends.
 */
export function readXml(xml: string): XmlElement {
  const document: OpenElement = { name: '', children: [], text: '' };
  const open = [document];
  for (const [, slash, name, text] of xml.matchAll(/<(\/?)([A-Za-z]\w*)(?:[^\w<>][^<>]*)?>|([^<]+)/g)) {
    const current = open.at(-1) ?? document;
    if (text !== undefined) current.text += unescaped(text);
    else if (slash) open.pop();
    else {
      const element: OpenElement = { name: name ?? '', children: [], text: '' };
      current.children.push(element);
      open.push(element);
    }
  }
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

function unescaped(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|#xD);/g, (whole, name: string) => characters[name] ?? whole);
}

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', '#xD': '\r' };
