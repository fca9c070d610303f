import { textAt, type XmlElement } from '../read-xml.ts';
import { brazilianDateTime, brazilianNumber, postcode, taxNumber } from './format.ts';
import { row, title, type Cell, type Paper } from './paper.ts';

/** Draws the recipient; gives where the block ends. */
export function recipient(paper: Paper, infNFe: XmlElement, y: number): number {
  const dest = (name: string): string => textAt(infNFe, `dest/${name}`);
  const address = (name: string): string => dest(`enderDest/${name}`);
  const [date = ''] = brazilianDateTime(textAt(infNFe, 'ide/dhEmi')).split(' ');
  const street = [address('xLgr'), address('nro'), address('xCpl')].filter(Boolean).join(', ');
  let below = row(paper, title(paper, y, 'Destinatário / remetente'), [
    ['Nome / razão social', dest('xNome'), 330],
    ['CNPJ / CPF', taxNumber(dest('CNPJ') || dest('CPF')), 135],
    ['Data da emissão', date, 90, 'right'],
  ]);
  below = row(paper, below, [
    ['Endereço', street, 300],
    ['Bairro / distrito', address('xBairro'), 165],
    ['CEP', postcode(address('CEP')), 90, 'right'],
  ]);
  return row(paper, below, [
    ['Município', address('xMun'), 230],
    ['UF', address('UF'), 30],
    ['Fone', address('fone'), 135],
    ['Inscrição estadual', dest('IE'), 160],
  ]);
}

/** Draws the taxes and totals; gives where the block ends. */
export function totals(paper: Paper, infNFe: XmlElement, y: number): number {
  const cell = (label: string, name: string): Cell => {
    return [label, brazilianNumber(textAt(infNFe, `total/ICMSTot/${name}`)), 1, 'right'];
  };
  const below = row(paper, title(paper, y, 'Cálculo do imposto'), [
    cell('Base de cálculo do ICMS', 'vBC'),
    cell('Valor do ICMS', 'vICMS'),
    cell('Base de cálc. ICMS ST', 'vBCST'),
    cell('Valor do ICMS ST', 'vST'),
    cell('Valor aprox. dos tributos', 'vTotTrib'),
    cell('Valor total dos produtos', 'vProd'),
  ]);
  return row(paper, below, [
    cell('Valor do frete', 'vFrete'),
    cell('Valor do seguro', 'vSeg'),
    cell('Desconto', 'vDesc'),
    cell('Outras despesas', 'vOutro'),
    cell('Valor do IPI', 'vIPI'),
    cell('Valor total da nota', 'vNF'),
  ]);
}

/** Draws who carries the goods; gives where the block ends. */
export function transport(paper: Paper, infNFe: XmlElement, y: number): number {
  const modality = textAt(infNFe, 'transp/modFrete');
  const words = freightWords[modality] ?? '';
  return row(paper, title(paper, y, 'Transportador / volumes transportados'), [
    ['Frete por conta', `${modality} - ${words}`, 1],
  ]);
}

const freightWords: Readonly<Record<string, string>> = {
  '0': 'Remetente (CIF)',
  '1': 'Destinatário (FOB)',
  '2': 'Terceiros',
  '3': 'Próprio, por conta do remetente',
  '4': 'Próprio, por conta do destinatário',
  '9': 'Sem ocorrência de transporte',
};
