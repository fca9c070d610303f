import type { ProfileFile } from '../../targets/profile.ts';

/** What a person can do to have a part of a profile that could not be found: these are facts that no trying finds out. */
const remedies: Readonly<Record<ProfileFile, string>> = {
  'empresa.json':
    'ask the provider which fields a registration takes and give such a body by --from; where the company was registered before, NFE_EMPRESA_ID names it',
  'certificado.pfx':
    'give an A1 certificate (PKCS#12) of the CNPJ in empresa.json by --from, with its certificado.json',
  'certificado.json': 'ask the provider how the parts of the upload are named: {"file": …, "fields": {…}}',
  'nf-e.autorizada.json':
    'give a body by --from by which an integration has an invoice authorised in Homologacao; the provider documents its fields',
  'nf-e.negada.json':
    'a denial cannot be guessed: ask the provider what its Homologacao denies, mostly a certain recipient, and give such a body by --from',
  'nf-e.invalida.json': 'give a body by --from that lacks what the provider requires',
  'outra-empresa.json': 'give the body of a second company, of another CNPJ, by --from',
  'outro-certificado.pfx':
    'give a certificate of the second company, under the password in certificado.json, by --from',
  'verificacao.autorizada.xml':
    'give the XML of an invoice, with its protocol, that the tax authority has as authorised by --from',
  'verificacao.rejeitada.xml':
    'give the XML of an invoice that was cancelled, or altered after it was signed, by --from',
  'consultas.json': 'give a consultas.json by --from',
};

/** The same for the parts of `consultas.json`. */
const partRemedies: Readonly<Record<string, string>> = {
  cnpj: 'give a consultas.json by --from with a CNPJ that the registry knows, such as that of your own company',
  cpf: 'a person cannot be guessed: give a consultas.json by --from with a CPF and birth date that the registry knows, of somebody who agrees',
  'unknown.cnpj': 'ask the provider which CNPJ its registry does not know',
  'unknown.cpf': 'ask the provider which CPF its registry does not know',
};

/** What to do to have that file, or that part of it. */
export function remedyFor(file: ProfileFile, part?: string): string {
  return (part === undefined ? undefined : partRemedies[part]) ?? remedies[file];
}
