import { chaveOf } from '../documents/chave.ts';
import { nfeProc } from '../documents/nfe-xml.ts';
import { documentOf } from './document-input.ts';
import { profileBody } from './invoice-bodies.ts';

/** A sound document that was authorised elsewhere; every number gives another one. */
export function foreignDocument(numero: number): { readonly chave: string; readonly xml: string } {
  const input = documentOf(profileBody('autorizada'));
  const { cnpj } = input.empresa.data;
  const chave = chaveOf({
    ufCode: '35',
    issuedAtMs: input.issuedAtMs,
    cnpj,
    serie: 1,
    numero,
    cNF: '00001234',
  });
  return { chave, xml: nfeProc({ ...input, chave, numero }).xml.toString('utf8') };
}

/** The invoice of a document without what the authority said of it. */
export function withoutProtocol(xml: string): string {
  const [start, end] = [xml.indexOf('<NFe'), xml.lastIndexOf('</NFe>')];
  return start < 0 || end < start ? '' : xml.slice(start, end + '</NFe>'.length);
}
