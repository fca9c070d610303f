import type { Ambiente } from '../../schemas/messages.ts';
import { openPkcs12 } from '../certificates/pkcs12.ts';
import type { DocumentInput } from '../documents/nfe-heading.ts';
import { nfeProc } from '../documents/nfe-xml.ts';
import { chaveOf } from '../documents/tax-numbers.ts';
import { readEmpresa } from '../endpoints/empresa-registration.ts';
import { parseJsonObject } from '../http/json.ts';
import type { Certificate, Empresa, EmpresaData } from '../model/empresa.ts';
import { certificatePassword, profileFile } from './company.ts';
import { contentOf, profileBody, type Body } from './invoice-bodies.ts';

/** The company of the default profile with its certificate, some of its data replaced. */
export function profileEmpresa(data: Partial<EmpresaData> = {}): Empresa & { readonly certificate: Certificate } {
  const profile = readEmpresa(parseJsonObject(profileFile('empresa.json')) ?? {});
  if ('faults' in profile) throw new Error("the default profile's company is faulty");
  return { empresaId: 'E1', integratorId: 'I1', data: { ...profile.data, ...data }, certificate };
}

const certificate = openedCertificate();

function openedCertificate(): Certificate {
  const opened = openPkcs12(profileFile('certificado.pfx'), certificatePassword);
  if ('fault' in opened) throw new Error(`the certificate of the default profile cannot be opened: ${opened.fault}`);
  return opened.certificate;
}

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
