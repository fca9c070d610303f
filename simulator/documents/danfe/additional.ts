import { textAt, type XmlElement } from '../read-xml.ts';
import { frame, page, pageWidth, title, type Paper } from './paper.ts';

const titleHeight = 12;

/** Draws the additional information below the items, on a page of its own where there is too little room. */
export function additional(paper: Paper, infNFe: XmlElement, below: number, nextPage: () => number): void {
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
