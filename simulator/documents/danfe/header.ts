import { textAt, type XmlElement } from '../read-xml.ts';
import { brazilianDateTime, grouped, invoiceNumber, postcode, taxNumber } from './format.ts';
import { frame, page, row, type Box, type Paper } from './paper.ts';

const height = 108;

/** What the header of every page shows. */
export interface Heading {
  readonly infNFe: XmlElement;
  readonly infProt: XmlElement;
  /** PNG of the chave as Code 128. */
  readonly barcode: Buffer;
}

/** Where the header ends. */
export const headerBottom = page.top + height + 2 * 21;

/** Draws the header of a page: issuer, number, chave, protocol. */
export function header(paper: Paper, { infNFe, infProt, barcode }: Heading, pageNumber: number, pages: number): void {
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
