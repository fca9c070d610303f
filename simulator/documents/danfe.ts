import { toBuffer } from 'bwip-js/node';
import PdfDocument from 'pdfkit';
import { additional } from './danfe/additional.ts';
import { recipient, totals, transport } from './danfe/blocks.ts';
import { header, headerBottom, type Heading } from './danfe/header.ts';
import { items } from './danfe/items.ts';
import type { Paper } from './danfe/paper.ts';
import { stamp } from './danfe/stamp.ts';
import { elementAt, readXml, textAt, type XmlElement } from './read-xml.ts';

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
