import type { Ambiente } from '../../schemas/messages.ts';
import {
  capitals,
  finalidades,
  indicadoresContribuinte,
  presencas,
  tiposOperacao,
  ufCode,
} from '../issuance/schema-words.ts';
import type { InvoiceContent } from '../issuance/schema.ts';
import type { Empresa, EmpresaData, EmpresaEndereco } from '../model.ts';
import { digitsOf, group, layoutText, leaf, localDateTime, requiredText } from './xml.ts';

/** What the tax authority answered to an invoice that it authorised. */
interface Protocol {
  /** 15 digits. */
  readonly numero: string;
  /** Unix milliseconds. */
  readonly authorizedAtMs: number;
  readonly cStat: string;
  readonly xMotivo: string;
}

/** All that a document says of an invoice. */
export interface DocumentInput {
  /** With its certificate. */
  readonly empresa: Empresa;
  readonly content: InvoiceContent;
  readonly ambiente: Ambiente;
  /** 44 digits. */
  readonly chave: string;
  readonly serie: number;
  readonly numero: number;
  /** Unix milliseconds. */
  readonly issuedAtMs: number;
  readonly protocol: Protocol;
}

/** Presences with which the layout asks whether a marketplace was between the parties. */
const distant: ReadonlySet<string> = new Set(['2', '3', '9']);

/** `ide`: which invoice it is, and of what kind. */
export function identification({
  empresa,
  content,
  ambiente,
  chave,
  serie,
  numero,
  issuedAtMs,
}: DocumentInput): string {
  const { uf, codigoIbgeCidade } = empresa.data.endereco;
  const presence = presenceOf(content);
  return group('ide', [
    leaf('cUF', chave.slice(0, 2)),
    leaf('cNF', chave.slice(35, 43)),
    leaf('natOp', requiredText(content.naturezaOperacao, 60)),
    leaf('mod', '55'),
    leaf('serie', String(serie)),
    leaf('nNF', String(numero)),
    leaf('dhEmi', localDateTime(issuedAtMs)),
    leaf('tpNF', tiposOperacao[content.tipoOperacao ?? 'Saida']),
    leaf('idDest', uf === content.cliente.endereco.uf ? '1' : '2'),
    leaf('cMunFG', String(codigoIbgeCidade)),
    leaf('tpImp', '1'),
    leaf('tpEmis', '1'),
    leaf('cDV', chave.slice(-1)),
    leaf('tpAmb', ambiente === 'Producao' ? '1' : '2'),
    leaf('finNFe', finalidades[content.finalidade ?? 'Normal']),
    leaf('indFinal', content.consumidorFinal === false ? '0' : '1'),
    leaf('indPres', presence),
    leaf('indIntermed', distant.has(presence) ? '0' : undefined),
    leaf('procEmi', '0'),
    leaf('verProc', 'SIMULADOR 1.0'),
    ...(content.nfeReferenciada ?? []).map(({ chaveAcesso }) => group('NFref', [leaf('refNFe', chaveAcesso)])),
  ]);
}

function presenceOf({ indicadorPresencaConsumidor, pedido }: InvoiceContent): string {
  return presencas[indicadorPresencaConsumidor ?? pedido.presencaConsumidor ?? 'NaoSeAplica'];
}

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
  return isIt(capital) ? code : ufCode(uf) * 100_000;
}
