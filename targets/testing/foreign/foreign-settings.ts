import type { ForeignServer } from './foreign-server.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentOf, knownDocuments } from './documents.ts';

/** The settings of whoever knows a foreign server by its address and one secret, at full speed. */
export function secretSettings({ baseUrl, secrets }: ForeignServer): Record<string, string> {
  return { NFE_BASE_URL: baseUrl, NFE_APP_SECRET: secrets.active, NFE_MAX_RPS: '0' };
}

/** The settings of whoever has every credential, and a profile in that folder. */
export function credentialSettings(server: ForeignServer, profileFolder: string): Record<string, string> {
  const { appKey, appName, secrets } = server;
  return {
    ...secretSettings(server),
    NFE_APP_KEY: appKey,
    NFE_APP_NAME: appName,
    NFE_APP_SECRET_DISABLED: secrets.disabled,
    NFE_APP_SECRET_PENDING: secrets.pending,
    NFE_APP_SECRET_REJECTED: secrets.rejected,
    NFE_APP_SECRET_INTEGRATOR_DISABLED: secrets.integratorDisabled,
    NFE_APP_SECRET_UNSUBSCRIBED: secrets.unsubscribed,
    NFE_APP_SECRET_RATE_LIMITED: secrets.rateLimited,
    NFE_APP_SECRET_ROTATED: secrets.rotated,
    NFE_PROFILE: profileFolder,
  };
}

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
