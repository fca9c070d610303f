import type { InvoiceContent } from '../../issuance/schema/invoice.ts';
import { indicadoresContribuinte } from '../../issuance/schema/words.ts';
import { ufCodes } from '../../issuance/uf-codes.ts';
import type { EmpresaData, EmpresaEndereco } from '../../model/empresa.ts';
import type { DocumentInput } from '../document-input.ts';
import { digitsOf, layoutText, requiredText } from '../layout-text.ts';
import { group, leaf } from '../xml.ts';
import { capitals } from './capitals.ts';

/** The only name that a recipient may have in Homologacao: without it the authority rejects (598). */
const homologationName = 'NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL';

type Recipient = InvoiceContent['cliente'];

/** `emit`: the company. */
export function issuer(data: EmpresaData): string {
  const { endereco, inscricaoEstadual } = data;
  const address = addressOf({ ...endereco, cep: endereco.cep || '00000000' }, endereco.codigoIbgeCidade);
  return group('emit', [
    leaf('CNPJ', data.cnpj),
    leaf('xNome', requiredText(data.razaoSocial, 60, 2)),
    leaf('xFant', layoutText(data.nomeFantasia, 60)),
    group('enderEmit', [...address, leaf('fone', digitsOf(data.telefoneComercial, 6, 14))]),
    leaf('IE', digitsOf(inscricaoEstadual, 2, 14) ?? 'ISENTO'),
    leaf('IM', layoutText(data.inscricaoMunicipal, 15)),
    leaf('CRT', data.optanteSimplesNacional ? '1' : '3'),
  ]);
}

/** `dest`: the recipient. */
export function recipient({ content: { cliente }, ambiente, empresa }: DocumentInput): string {
  const indicator = indicadoresContribuinte[cliente.indicadorContribuinteICMS ?? 'NaoContribuinte'];
  const address = addressOf(cliente.endereco, cityCode(cliente.endereco, empresa.data.endereco));
  return group('dest', [
    leaf(cliente.tipoPessoa === 'F' ? 'CPF' : 'CNPJ', cliente.cpfCnpj),
    leaf('xNome', ambiente === 'Producao' ? requiredText(cliente.nome, 60, 2) : homologationName),
    group('enderDest', [...address, leaf('fone', digitsOf(cliente.telefone, 6, 14))]),
    leaf('indIEDest', indicator),
    leaf('IE', indicator === '2' ? undefined : digitsOf(cliente.inscricaoEstadual, 2, 14)),
    leaf('IM', layoutText(cliente.inscricaoMunicipal, 15)),
    leaf('email', layoutText(cliente.email, 60)),
  ]);
}

type Address = Pick<EmpresaEndereco, 'logradouro' | 'numero' | 'bairro' | 'cidade' | 'uf'> & {
  readonly complemento?: string;
  readonly cep?: string;
};

function addressOf(endereco: Address, codigoIbgeCidade: number): string[] {
  return [
    leaf('xLgr', requiredText(endereco.logradouro, 60, 2)),
    leaf('nro', requiredText(endereco.numero, 60)),
    leaf('xCpl', layoutText(endereco.complemento, 60)),
    leaf('xBairro', requiredText(endereco.bairro, 60, 2)),
    leaf('cMun', String(codigoIbgeCidade)),
    leaf('xMun', requiredText(endereco.cidade, 60, 2)),
    leaf('UF', endereco.uf),
    leaf('CEP', digitsOf(endereco.cep, 8, 8)),
    leaf('cPais', '1058'),
    leaf('xPais', 'BRASIL'),
  ];
}

const alike = new Intl.Collator('pt', { sensitivity: 'base' });

/** The code that is given; else the company's in the same city, or the capital's; else the state's with zeros: no city has it. */
function cityCode({ codigoIbgeCidade, cidade, uf }: Recipient['endereco'], near: EmpresaEndereco): number {
  if (codigoIbgeCidade !== undefined) return codigoIbgeCidade;
  const isIt = (name: string): boolean => alike.compare(cidade, name) === 0;
  if (uf === near.uf && isIt(near.cidade)) return near.codigoIbgeCidade;
  const [capital, code] = capitals[uf];
  return isIt(capital) ? code : ufCodes[uf] * 100_000;
}
