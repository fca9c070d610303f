import type { Ambiente } from '../../schemas/messages.ts';
import { chaveOf } from '../documents/chave.ts';
import type { DocumentInput } from '../documents/document-input.ts';
import type { Certificate, Empresa, EmpresaData } from '../model/empresa.ts';
import { contentOf } from './content.ts';
import type { Body } from './invoice-bodies.ts';
import { profileEmpresa } from './profile-empresa.ts';

const issuedAtMs = Date.parse('2031-05-17T09:30:00Z');

/** The invoice number 7 of the default profile's company, with this content, authorised after seven seconds. */
export function documentOf(
  body: Body,
  { ambiente = 'Homologacao', data = {} }: { ambiente?: Ambiente; data?: Partial<EmpresaData> } = {},
): DocumentInput & { readonly empresa: Empresa & { readonly certificate: Certificate } } {
  const empresa = profileEmpresa(data);
  const { cnpj } = empresa.data;
  return {
    empresa,
    content: contentOf(body),
    ambiente,
    chave: chaveOf({ ufCode: '35', issuedAtMs, cnpj, serie: 1, numero: 7, cNF: '00001234' }),
    serie: 1,
    numero: 7,
    issuedAtMs,
    protocol: {
      numero: '135310000000007',
      authorizedAtMs: issuedAtMs + 7000,
      cStat: '100',
      xMotivo: 'Autorizado o uso da NF-e',
    },
  };
}
