import { toBuffer } from 'bwip-js/node';
import PdfDocument from 'pdfkit';
import { items } from './danfe-items.ts';
import {
  type Box,
  brazilianDateTime,
  brazilianNumber,
  type Cell,
  frame,
  grouped,
  invoiceNumber,
  page,
  pageWidth,
  type Paper,
  postcode,
  row,
  stamp,
  taxNumber,
  title,
} from './danfe-paper.ts';
import { elementAt, readXml, textAt, type XmlElement } from './xml.ts';

/** What a DANFE is drawn from. */
export interface DanfeInput {
  /** An authorised invoice, as `nfeProc` makes it. */
  readonly xml: Buffer;
  readonly isCancelled: boolean;
}

/** The auxiliary document of an invoice as a PDF of A4 pages. The same invoice gives the same bytes. */
export async function danfePdf({ xml, isCancelled }: DanfeInput): Promise<Buffer> {
  const document = readXml(xml.toString('utf8'));
  const infNFe = elementAt(document, 'nfeProc/NFe/infNFe');
  const infProt = elementAt(document, 'nfeProc/protNFe/infProt');
  if (!infNFe || !infProt) throw new Error('a DANFE is made of an nfeProc, which this document is not');
  const barcode = await toBuffer({
    bcid: 'code128',
    text: textAt(infProt, 'chNFe'),
    scale: 3,
    height: 12,
    paddingwidth: 10,
    backgroundcolor: 'FFFFFF',
  });
  const paper = new PdfDocument({ size: 'A4', margin: 0, bufferPages: true, info: infoOf(infNFe) });
  const bytes = collected(paper);
  draw(paper, { infNFe, infProt, barcode }, isCancelled);
  paper.end();
  return bytes;
}

function draw(paper: Paper, heading: Heading, isCancelled: boolean): void {
  const { infNFe } = heading;
  const nextPage = (): number => {
    paper.addPage();
    return headerBottom;
  };
  const below = transport(paper, infNFe, totals(paper, infNFe, recipient(paper, infNFe, headerBottom)));
  additional(paper, infNFe, items(paper, infNFe, below, nextPage), nextPage);
  const { start, count } = paper.bufferedPageRange();
  for (let at = 0; at < count; at += 1) {
    paper.switchToPage(start + at);
    header(paper, heading, at + 1, count);
    stamp(paper, stampsOf(infNFe, isCancelled));
  }
}

function stampsOf(infNFe: XmlElement, isCancelled: boolean): string[] {
  const isHomologation = textAt(infNFe, 'ide/tpAmb') === '2';
  return [...(isHomologation ? ['SEM VALOR FISCAL'] : []), ...(isCancelled ? ['CANCELADA'] : [])];
}

function infoOf(infNFe: XmlElement): PDFKit.DocumentInfo {
  return {
    Title: `DANFE NF-e ${textAt(infNFe, 'ide/nNF')}, série ${textAt(infNFe, 'ide/serie')}`,
    Creator: 'Simulador de NF-e',
    CreationDate: new Date(textAt(infNFe, 'ide/dhEmi')),
  };
}

function collected(paper: Paper): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    paper.on('data', (chunk: Buffer) => chunks.push(chunk));
    paper.on('end', () => resolve(Buffer.concat(chunks)));
    paper.on('error', reject);
  });
}

const height = 108;

/** What the header of every page shows. */
interface Heading {
  readonly infNFe: XmlElement;
  readonly infProt: XmlElement;
  /** PNG of the chave as Code 128. */
  readonly barcode: Buffer;
}

/** Where the header ends. */
const headerBottom = page.top + height + 2 * 21;

/** Draws the header of a page: issuer, number, chave, protocol. */
function header(paper: Paper, { infNFe, infProt, barcode }: Heading, pageNumber: number, pages: number): void {
  const ide = (name: string): string => textAt(infNFe, `ide/${name}`);
  issuer(paper, infNFe, { x: page.left, y: page.top, width: 215, height });
  numbers(paper, ide, `${pageNumber}/${pages}`, { x: page.left + 215, y: page.top, width: 90, height });
  chave(paper, textAt(infProt, 'chNFe'), barcode, { x: page.left + 305, y: page.top, width: 250, height });
  const protocol = `${textAt(infProt, 'nProt')} - ${brazilianDateTime(textAt(infProt, 'dhRecbto'))}`;
  const below = row(paper, page.top + height, [
    ['Natureza da operação', ide('natOp'), 305],
    ['Protocolo de autorização de uso', protocol, 250],
  ]);
  row(paper, below, [
    ['Inscrição estadual', textAt(infNFe, 'emit/IE'), 305],
    ['CNPJ', taxNumber(textAt(infNFe, 'emit/CNPJ')), 250],
  ]);
}

function issuer(paper: Paper, infNFe: XmlElement, box: Box): void {
  frame(paper, box);
  const emit = (name: string): string => textAt(infNFe, `emit/${name}`);
  const address = (name: string): string => emit(`enderEmit/${name}`);
  const lines = [
    [address('xLgr'), address('nro'), address('xCpl')].filter(Boolean).join(', '),
    `${address('xBairro')} - CEP ${postcode(address('CEP'))}`,
    `${address('xMun')} - ${address('UF')}`,
    address('fone') && `Fone: ${address('fone')}`,
  ].filter(Boolean);
  const inner = { width: box.width - 12, align: 'center', ellipsis: true } as const;
  paper
    .fillColor('black')
    .font('Helvetica')
    .fontSize(5.5)
    .text('IDENTIFICAÇÃO DO EMITENTE', box.x + 6, box.y + 3, inner);
  paper
    .font('Helvetica-Bold')
    .fontSize(11)
    .text(emit('xNome'), box.x + 6, box.y + 18, { ...inner, height: 28 });
  paper
    .font('Helvetica')
    .fontSize(8)
    .text(lines.join('\n'), box.x + 6, box.y + 50, { ...inner, height: 54 });
}

function numbers(paper: Paper, ide: (name: string) => string, sheet: string, box: Box): void {
  frame(paper, box);
  const inner = { width: box.width - 8, align: 'center' } as const;
  const x = box.x + 4;
  paper
    .fillColor('black')
    .font('Helvetica-Bold')
    .fontSize(13)
    .text('DANFE', x, box.y + 5, inner);
  paper
    .font('Helvetica')
    .fontSize(7)
    .text('Documento Auxiliar da\nNota Fiscal Eletrônica', x, box.y + 21, inner);
  paper.fontSize(8).text(`0 - ENTRADA\n1 - SAÍDA          ${ide('tpNF')}`, x, box.y + 43, { ...inner, align: 'left' });
  paper.font('Helvetica-Bold').fontSize(9);
  paper.text(`Nº ${invoiceNumber(ide('nNF'))}\nSÉRIE ${ide('serie')}\nFOLHA ${sheet}`, x, box.y + 69, inner);
}

function chave(paper: Paper, digits: string, barcode: Buffer, box: Box): void {
  frame(paper, box);
  const inner = { width: box.width - 8, align: 'center' } as const;
  const x = box.x + 4;
  paper.image(barcode, x, box.y + 4, { width: box.width - 8, height: 40 });
  paper
    .fillColor('black')
    .font('Helvetica')
    .fontSize(5.5)
    .text('CHAVE DE ACESSO', x, box.y + 50, inner);
  paper
    .font('Helvetica-Bold')
    .fontSize(8)
    .text(grouped(digits), x, box.y + 58, inner);
  const where = 'Consulta de autenticidade no portal nacional da NF-e ou no site da SEFAZ autorizadora';
  paper
    .font('Helvetica')
    .fontSize(7.5)
    .text(where, x, box.y + 78, inner);
}

/** Draws the recipient; gives where the block ends. */
function recipient(paper: Paper, infNFe: XmlElement, y: number): number {
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
function totals(paper: Paper, infNFe: XmlElement, y: number): number {
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
function transport(paper: Paper, infNFe: XmlElement, y: number): number {
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

const titleHeight = 12;

/** Draws the additional information below the items, on a page of its own where there is too little room. */
function additional(paper: Paper, infNFe: XmlElement, below: number, nextPage: () => number): void {
  const text = textAt(infNFe, 'infAdic/infCpl');
  if (text === '') return;
  const width = pageWidth - 8;
  paper.font('Helvetica').fontSize(7);
  const height = paper.heightOfString(text, { width }) + 10;
  const top = below + titleHeight + height > page.bottom ? nextPage() : below;
  const y = title(paper, top, 'Dados adicionais');
  frame(paper, { x: page.left, y, width: pageWidth, height });
  paper
    .font('Helvetica')
    .fontSize(7)
    .text(text, page.left + 4, y + 4, { width });
}
