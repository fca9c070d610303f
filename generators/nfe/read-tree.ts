import { SaxesParser } from 'saxes';
import type { XmlElement } from './xml-tree.ts';

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
