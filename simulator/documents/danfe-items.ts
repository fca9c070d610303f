import { type Align, brazilianNumber, brazilianPrice, page, pageWidth, type Paper, title } from './danfe-paper.ts';
import { elementAt, textAt, type XmlElement } from './xml.ts';

interface Column {
  readonly label: string;
  readonly width: number;
  readonly align: Align;
  readonly value: (det: XmlElement) => string;
}

const rowPadding = 2;
const headHeight = 17;

/**
 * Draws the items, on as many pages as they need: `nextPage` makes one and gives where it is free. Gives where the last
 * item ends.
 */
export function items(paper: Paper, infNFe: XmlElement, top: number, nextPage: () => number): number {
  let y = head(paper, title(paper, top, 'Dados dos produtos / serviços'));
  for (const det of infNFe.children.filter(({ name }) => name === 'det')) {
    const height = heightOf(paper, det);
    if (y + height > page.bottom) y = head(paper, title(paper, nextPage(), 'Dados dos produtos / serviços'));
    drawRow(
      paper,
      y,
      height,
      (column) => column.value(det),
      (column) => column.align,
    );
    y += height;
  }
  return y;
}

const columns: readonly Column[] = [
  { label: 'Código', width: 55, align: 'left', value: (det) => textAt(det, 'prod/cProd') },
  { label: 'Descrição do produto / serviço', width: 0, align: 'left', value: description },
  { label: 'NCM', width: 36, align: 'center', value: (det) => textAt(det, 'prod/NCM') },
  { label: 'CST', width: 24, align: 'center', value: taxation },
  { label: 'CFOP', width: 24, align: 'center', value: (det) => textAt(det, 'prod/CFOP') },
  { label: 'Un.', width: 26, align: 'center', value: (det) => textAt(det, 'prod/uCom') },
  { label: 'Quantidade', width: 44, align: 'right', value: (det) => brazilianNumber(textAt(det, 'prod/qCom')) },
  { label: 'Valor unitário', width: 50, align: 'right', value: (det) => brazilianPrice(textAt(det, 'prod/vUnCom')) },
  { label: 'Valor total', width: 52, align: 'right', value: (det) => brazilianNumber(textAt(det, 'prod/vProd')) },
  {
    label: 'Desconto',
    width: 38,
    align: 'right',
    value: (det) => brazilianNumber(textAt(det, 'prod/vDesc') || '0.00'),
  },
  { label: 'Valor ICMS', width: 40, align: 'right', value: (det) => brazilianNumber(icms(det, 'vICMS') || '0.00') },
  { label: 'Alíq. ICMS', width: 30, align: 'right', value: (det) => brazilianPrice(icms(det, 'pICMS') || '0.00') },
];
const fixedWidth = columns.reduce((total, { width }) => total + width, 0);

function widthOf({ width }: Column): number {
  return width === 0 ? pageWidth - fixedWidth : width;
}

function description(det: XmlElement): string {
  return [textAt(det, 'prod/xProd'), textAt(det, 'infAdProd')].filter(Boolean).join('\n');
}

/** Origin and code of the taxation. */
function taxation(det: XmlElement): string {
  return icms(det, 'orig') + (icms(det, 'CST') || icms(det, 'CSOSN'));
}

function icms(det: XmlElement, name: string): string {
  const [taxed] = elementAt(det, 'imposto/ICMS')?.children ?? [];
  return textAt(taxed, name);
}

function head(paper: Paper, y: number): number {
  drawRow(
    paper,
    y,
    headHeight,
    ({ label }) => label,
    () => 'center',
  );
  return y + headHeight;
}

function heightOf(paper: Paper, det: XmlElement): number {
  paper.font('Helvetica').fontSize(6.5);
  const heights = columns.map((column) => paper.heightOfString(column.value(det), { width: widthOf(column) - 4 }));
  return Math.max(...heights) + 2 * rowPadding;
}

function drawRow(
  paper: Paper,
  y: number,
  height: number,
  text: (column: Column) => string,
  align: (column: Column) => Align,
): void {
  paper.font('Helvetica').fontSize(6.5).fillColor('black').lineWidth(0.4);
  let { left: x } = page;
  for (const column of columns) {
    const width = widthOf(column);
    paper.rect(x, y, width, height).stroke();
    paper.text(text(column), x + 2, y + rowPadding, { width: width - 4, align: align(column) });
    x += width;
  }
}
