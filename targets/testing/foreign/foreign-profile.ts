import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentOf, knownDocuments } from './documents.ts';

/** An issuance that is authorised there; denied with `irregular`, refused without `produtos`. */
const invoice = {
  cabecalho: { natureza: 'Venda', destinatario: { documento: '52998224725', nome: 'Pessoa de Exemplo' } },
  produtos: [{ sku: 'RESMA-A4', quantidade: 2, preco: '15.70' }],
};

/** Every file of a profile that comes out as promised at a strict foreign server. */
const files: Readonly<Record<string, unknown>> = {
  'empresa.json': { razao: 'Papelaria do Exemplo', documento: '11222333000181' },
  'outra-empresa.json': { razao: 'Livraria do Exemplo', documento: '11222333000262' },
  'certificado.json': { file: 'pkcs12', fields: { pin: 'pin-de-exemplo-31415' } },
  // The first bytes of PKCS#12; what follows nobody reads.
  'certificado.pfx': Buffer.from('3082000b0201033006', 'hex'),
  'outro-certificado.pfx': Buffer.from('3082000b0201033007', 'hex'),
  'nf-e.autorizada.json': invoice,
  'nf-e.negada.json': { ...invoice, cabecalho: { ...invoice.cabecalho, irregular: true } },
  'nf-e.invalida.json': { cabecalho: invoice.cabecalho },
  'verificacao.autorizada.xml': documentOf(knownDocuments.sound),
  'verificacao.rejeitada.xml': documentOf(knownDocuments.cancelled),
  'consultas.json': {
    cnpj: '11222333000181',
    cpf: '52998224725',
    nascimento: '29021988',
    unknown: { cnpj: '99999999000191', cpf: '99999999050', nascimento: '01011980' },
  },
};

/** Writes that profile into a folder, which is made if need be. */
export function writeForeignProfile(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const isRaw = typeof content === 'string' || Buffer.isBuffer(content);
    writeFileSync(join(folder, name), isRaw ? content : JSON.stringify(content, null, 2));
  }
}
