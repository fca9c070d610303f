import { toBuffer } from 'bwip-js/node';
import PdfDocument from 'pdfkit';
import { buffer } from 'node:stream/consumers';
import { elementAt, readXml, textAt, type XmlElement } from './xml.ts';

/** What a DANFE is drawn from. */
export interface DanfeInput {
  /** An authorised invoice, as `nfeProc` makes it. */
  readonly xml: Buffer;
  readonly isCancelled: boolean;
}

type Paper = PDFKit.PDFDocument;

/** What of an A4 page is written on, in points; the heading of each page stands above `margins.top`. */
const edge = 20;
const margins = { top: 166, bottom: edge, left: edge, right: edge };
const width = 555;

/** The auxiliary document of an invoice as a PDF of A4 pages. The same invoice gives the same bytes. */
export async function danfePdf({ xml, isCancelled }: DanfeInput): Promise<Buffer> {
  const document = readXml(xml.toString('utf8'));
  const infNFe = elementAt(document, 'nfeProc/NFe/infNFe');
  const infProt = elementAt(document, 'nfeProc/protNFe/infProt');
  if (!infNFe || !infProt) throw new Error('a DANFE is made of an nfeProc, which this document is not');
  const barcode = await toBuffer({ bcid: 'code128', text: textAt(infProt, 'chNFe'), scale: 3, height: 12 });
  const paper = new PdfDocument({ size: 'A4', margins, bufferPages: true, info: infoOf(infNFe) });
  const bytes = buffer(paper);
  body(paper, infNFe);
  const { start, count } = paper.bufferedPageRange();
  for (let at = 0; at < count; at += 1) {
    paper.switchToPage(start + at);
    heading(paper, { infNFe, infProt, barcode }, `${at + 1}/${count}`);
    stamp(paper, stampsOf(infNFe, isCancelled));
  }
  paper.end();
  return bytes;
}

function infoOf(infNFe: XmlElement): PDFKit.DocumentInfo {
  return {
    Title: `DANFE NF-e ${textAt(infNFe, 'ide/nNF')}, série ${textAt(infNFe, 'ide/serie')}`,
    Creator: 'Simulador de NF-e',
    CreationDate: new Date(textAt(infNFe, 'ide/dhEmi')),
  };
}

/** Whose invoice it is, what its items are, and what they cost: goes over as many pages as it needs. */
function body(paper: Paper, infNFe: XmlElement): void {
  const text = (path: string): string => textAt(infNFe, path);
  const total = (name: string): string => brazilianNumber(text(`total/ICMSTot/${name}`));
  const freight = text('transp/modFrete');
  fields(paper, [
    ['Destinatário', text('dest/xNome')],
    ['CNPJ / CPF', taxNumber(text('dest/CNPJ') || text('dest/CPF'))],
    ['Inscrição estadual', text('dest/IE')],
    ['Data da emissão', brazilianDateTime(text('ide/dhEmi')).slice(0, 10)],
  ]);
  fields(paper, [['Endereço', addressAt(infNFe, 'dest/enderDest').join(' - ')]]);
  fields(paper, [
    ['Base de cálculo do ICMS', total('vBC')],
    ['Valor do ICMS', total('vICMS')],
    ['Valor aprox. dos tributos', total('vTotTrib')],
    ['Valor do IPI', total('vIPI')],
    ['Valor total dos produtos', total('vProd')],
  ]);
  fields(paper, [
    ['Valor do frete', total('vFrete')],
    ['Valor do seguro', total('vSeg')],
    ['Desconto', total('vDesc')],
    ['Outras despesas', total('vOutro')],
    ['Valor total da nota', total('vNF')],
  ]);
  fields(paper, [['Frete por conta', `${freight} - ${freightWords[freight] ?? ''}`]]);
  items(paper, infNFe);
  if (text('infAdic/infCpl') !== '') fields(paper, [['Dados adicionais', text('infAdic/infCpl')]]);
}

const freightWords: Readonly<Record<string, string>> = {
  '0': 'Remetente (CIF)',
  '1': 'Destinatário (FOB)',
  '2': 'Terceiros',
  '3': 'Próprio, por conta do remetente',
  '4': 'Próprio, por conta do destinatário',
  '9': 'Sem ocorrência de transporte',
};

/** A row of framed fields, each with its label above its value. */
function fields(paper: Paper, row: readonly (readonly [label: string, value: string])[]): void {
  const data = [row.map(([label, value]) => `${label}\n${value}`)];
  paper.font('Helvetica').fontSize(7).table({ maxWidth: width, defaultStyle, data });
}

const defaultStyle = { border: 0.5, padding: 2.5 };

interface Column {
  readonly label: string;
  readonly width: number;
  readonly value: (det: XmlElement) => string;
}

const columns: readonly Column[] = [
  { label: 'Código', width: 55, value: (det) => textAt(det, 'prod/cProd') },
  {
    label: 'Descrição do produto / serviço',
    width: 136,
    value: (det) => [textAt(det, 'prod/xProd'), textAt(det, 'infAdProd')].filter(Boolean).join('\n'),
  },
  { label: 'NCM', width: 36, value: (det) => textAt(det, 'prod/NCM') },
  { label: 'CST', width: 24, value: (det) => icms(det, 'orig') + (icms(det, 'CST') || icms(det, 'CSOSN')) },
  { label: 'CFOP', width: 24, value: (det) => textAt(det, 'prod/CFOP') },
  { label: 'Un.', width: 26, value: (det) => textAt(det, 'prod/uCom') },
  { label: 'Quantidade', width: 44, value: (det) => brazilianNumber(textAt(det, 'prod/qCom')) },
  { label: 'Valor unitário', width: 50, value: (det) => brazilianPrice(textAt(det, 'prod/vUnCom')) },
  { label: 'Valor total', width: 52, value: (det) => brazilianNumber(textAt(det, 'prod/vProd')) },
  { label: 'Desconto', width: 38, value: (det) => brazilianNumber(textAt(det, 'prod/vDesc') || '0.00') },
  { label: 'Valor ICMS', width: 40, value: (det) => brazilianNumber(icms(det, 'vICMS') || '0.00') },
  { label: 'Alíq. ICMS', width: 30, value: (det) => brazilianPrice(icms(det, 'pICMS') || '0.00') },
];

function icms(det: XmlElement, name: string): string {
  const [taxed] = elementAt(det, 'imposto/ICMS')?.children ?? [];
  return textAt(taxed, name);
}

function items(paper: Paper, infNFe: XmlElement): void {
  const dets = infNFe.children.filter(({ name }) => name === 'det');
  const heads = columns.map(({ label }) => label);
  const data = [heads, ...dets.map((det) => columns.map(({ value }) => value(det)))];
  const columnStyles = columns.map((column) => column.width);
  paper.font('Helvetica').fontSize(6.5).table({ maxWidth: width, defaultStyle, columnStyles, data });
}

/** What the heading of every page shows. */
interface Heading {
  readonly infNFe: XmlElement;
  readonly infProt: XmlElement;
  /** PNG of the chave as Code 128. */
  readonly barcode: Buffer;
}

/** Issuer, number, chave and protocol. */
function heading(paper: Paper, { infNFe, infProt, barcode }: Heading, sheet: string): void {
  const ide = (name: string): string => textAt(infNFe, `ide/${name}`);
  const issuer = [textAt(infNFe, 'emit/xNome'), '', ...addressAt(infNFe, 'emit/enderEmit')];
  const kind = ['DANFE', 'Documento Auxiliar da', 'Nota Fiscal Eletrônica', '0 - ENTRADA, 1 - SAÍDA', ide('tpNF')];
  const number = [`Nº ${invoiceNumber(ide('nNF'))}`, `SÉRIE ${ide('serie')}`, `FOLHA ${sheet}`];
  const where = 'Consulta de autenticidade no portal nacional da NF-e ou no site da SEFAZ autorizadora';
  const chave = ['CHAVE DE ACESSO', grouped(textAt(infProt, 'chNFe')), '', where];
  paper
    .font('Helvetica-Bold')
    .fontSize(8)
    .table({
      position: { x: edge, y: edge },
      maxWidth: width,
      columnStyles: [195, 110, 250],
      rowStyles: { height: 100 },
      defaultStyle: { ...defaultStyle, align: { x: 'center', y: 'bottom' } },
      data: [[issuer.join('\n'), [...kind, '', ...number].join('\n'), chave.join('\n')]],
    })
    .image(barcode, edge + 315, edge + 4, { width: 230, height: 40 });
  paper.x = edge;
  paper.y = edge + 100;
  fields(paper, [
    ['Natureza da operação', ide('natOp')],
    ['Protocolo de autorização', `${textAt(infProt, 'nProt')} - ${brazilianDateTime(textAt(infProt, 'dhRecbto'))}`],
  ]);
  fields(paper, [
    ['Inscrição estadual', textAt(infNFe, 'emit/IE')],
    ['CNPJ', taxNumber(textAt(infNFe, 'emit/CNPJ'))],
  ]);
}

/** The lines of an address. */
function addressAt(infNFe: XmlElement, path: string): string[] {
  const part = (name: string): string => textAt(infNFe, `${path}/${name}`);
  return [
    [part('xLgr'), part('nro'), part('xCpl')].filter(Boolean).join(', '),
    `${part('xBairro')} - CEP ${postcode(part('CEP'))}`,
    `${part('xMun')} - ${part('UF')}`,
    part('fone') && `Fone: ${part('fone')}`,
  ].filter(Boolean);
}

function stampsOf(infNFe: XmlElement, isCancelled: boolean): string[] {
  const isHomologation = textAt(infNFe, 'ide/tpAmb') === '2';
  return [...(isHomologation ? ['SEM VALOR FISCAL'] : []), ...(isCancelled ? ['CANCELADA'] : [])];
}

/** Writes words large, grey and aslant over a page. */
function stamp(paper: Paper, lines: readonly string[]): void {
  const middle = { x: edge + width / 2, y: 421 };
  paper
    .save()
    .rotate(-45, { origin: [middle.x, middle.y] })
    .fillOpacity(0.18)
    .font('Helvetica-Bold')
    .fontSize(62);
  for (const [at, line] of lines.entries())
    paper.text(line, middle.x - 400, middle.y - 35 + at * 70, { width: 800, align: 'center', lineBreak: false });
  paper.restore();
}

/** A decimal number of the layout as Brazilians write it: `1234.50` gives `1.234,50`. */
export function brazilianNumber(text: string): string {
  const [whole = '', fraction] = text.split('.');
  return fraction === undefined ? inThousands(whole) : `${inThousands(whole)},${fraction}`;
}

/** Digits in groups of three, counted from their end. */
function inThousands(whole: string): string {
  const [sign = '', digits = ''] = whole.startsWith('-') ? ['-', whole.slice(1)] : ['', whole];
  const first = digits.length % 3;
  const groups = digits.slice(first).match(/\d{3}/g) ?? [];
  return sign + [digits.slice(0, first), ...groups].filter(Boolean).join('.');
}

/** The same without the zeros that say nothing, but for two places. */
export function brazilianPrice(text: string): string {
  return brazilianNumber(text.replace(/(\.\d\d(?:\d*[1-9])?)0+$/, '$1'));
}

/** `2026-10-05T10:00:07-03:00` gives `05/10/2026 10:00:07`. */
export function brazilianDateTime(text: string): string {
  const [date = '', time = ''] = text.split('T');
  return `${date.split('-').toReversed().join('/')} ${time.slice(0, 8)}`.trim();
}

/** A CNPJ or CPF with its punctuation. */
export function taxNumber(digits: string): string {
  return digits.length === 11
    ? digits.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')
    : digits.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');
}

/** A postcode with its hyphen. */
export function postcode(digits: string): string {
  return digits.replace(/^(.{5})(...)$/, '$1-$2');
}

/** A chave in groups of four. */
export function grouped(chave: string): string {
  return chave.replaceAll(/....(?=.)/g, '$& ');
}

/** An invoice number with leading zeros and points: `000.001.001`. */
export function invoiceNumber(text: string): string {
  return brazilianNumber(text.padStart(9, '0'));
}
