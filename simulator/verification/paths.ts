import { XmlXPath } from 'libxml2-wasm';
import { signatureNamespace } from './signature-form.ts';

const namespaces = { n: 'http://www.portalfiscal.inf.br/nfe', s: signatureNamespace };

function path(expression: string): XmlXPath {
  return XmlXPath.compile(expression, namespaces);
}

/** Where in a document stands what is judged of it; compiled once, which is half the time of asking. */
export const paths = {
  invoices: path('//n:infNFe'),
  nfes: path('/n:NFe | /n:nfeProc/n:NFe'),
  infNFe: path('n:infNFe'),
  protocols: path('/n:nfeProc/n:protNFe/n:infProt'),
  id: path('@Id'),
  versao: path('@versao'),
  ide: path('n:ide'),
  issuerCnpj: path('n:emit/n:CNPJ'),
  issuerCpf: path('n:emit/n:CPF'),
  signatures: path('s:Signature'),
  signedInfo: path('s:SignedInfo'),
  uri: path('s:SignedInfo/s:Reference/@URI'),
  digestValue: path('s:SignedInfo/s:Reference/s:DigestValue'),
  signatureValue: path('s:SignatureValue'),
  certificate: path('s:KeyInfo/s:X509Data/s:X509Certificate'),
  ids: path('//@Id | //@ID | //@id'),
} as const;
