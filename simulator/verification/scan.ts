import { SaxesParser } from 'saxes';

/** What keeps a text from being read as XML. */
export type ScanFault = 'dtd' | 'malformed' | 'tooComplex';

/** What an invoice stays far below: beyond it somebody wants the reader to work, not to read. */
export const scanLimits = {
  depth: 40,
  attributesOfElement: 32,
  elements: 200_000,
  /** Different names of elements and attributes. */
  names: 2000,
  /** Namespace declarations that hold at one place, each as often as it was made. */
  namespacesInScope: 16,
  /** Those that hold at an element, over all elements: canonical XML goes through them all. */
  namespaceVisits: 500_000,
} as const;

/** What keeps a text from being read as XML, found before anything in it is expanded; `undefined` for nothing. */
export function scanXml(text: string): ScanFault | undefined {
  let fault: ScanFault | undefined;
  const stop = (found: ScanFault): never => {
    fault = found;
    throw new Error(found);
  };
  const parser = new SaxesParser({ xmlns: true, position: false });
  parser.on('error', () => stop('malformed'));
  parser.on('doctype', () => stop('dtd'));
  watchSize(parser, () => stop('tooComplex'));
  try {
    parser.write(text).close();
  } catch (error) {
    if (!fault) throw error;
  }
  return fault;
}

/** Calls `refuse` at the first thing that passes a limit. */
function watchSize(parser: SaxesParser<{ xmlns: true }>, refuse: () => never): void {
  const names = new Set<string>();
  const namespaces: number[] = [];
  let elements = 0;
  let attributes = 0;
  let namespacesInScope = 0;
  let namespaceVisits = 0;
  const count = (name: string): void => {
    if (names.add(name).size > scanLimits.names) refuse();
  };
  parser.on('opentagstart', ({ name }) => {
    count(name);
    attributes = 0;
    elements += 1;
    namespaces.push(0);
    if (namespaces.length > scanLimits.depth || elements > scanLimits.elements) refuse();
  });
  parser.on('attribute', ({ name }) => {
    count(name);
    attributes += 1;
    if (attributes > scanLimits.attributesOfElement) refuse();
    if (!isNamespace(name)) return;
    namespaces.push((namespaces.pop() ?? 0) + 1);
    namespacesInScope += 1;
    if (namespacesInScope > scanLimits.namespacesInScope) refuse();
  });
  parser.on('opentag', () => {
    namespaceVisits += namespacesInScope;
    if (namespaceVisits > scanLimits.namespaceVisits) refuse();
  });
  parser.on('closetag', () => {
    namespacesInScope -= namespaces.pop() ?? 0;
  });
}

function isNamespace(name: string): boolean {
  return name === 'xmlns' || name.startsWith('xmlns:');
}
