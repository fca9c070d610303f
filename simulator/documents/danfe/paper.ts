/** A document of pdfkit. */
export type Paper = PDFKit.PDFDocument;

/** What of an A4 page is written on. All lengths of a DANFE are in points. */
export const page = { left: 20, top: 20, right: 575, bottom: 822 } as const;
export const pageWidth = page.right - page.left;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type Align = 'left' | 'right' | 'center';

const lineWidth = 0.6;
const inset = 2.5;

/** Draws a frame. */
export function frame(paper: Paper, { x, y, width, height }: Box): void {
  paper.lineWidth(lineWidth).strokeColor('black').rect(x, y, width, height).stroke();
}

/** Draws a framed field: a small label above its value, which is cut where it does not fit. */
function field(paper: Paper, box: Box, label: string, value: string, align: Align = 'left'): void {
  frame(paper, box);
  const { x, y, width, height } = box;
  const inner = { width: width - 2 * inset, align, lineBreak: true, ellipsis: true } as const;
  paper.fillColor('black');
  paper
    .font('Helvetica')
    .fontSize(5.5)
    .text(label.toUpperCase(), x + inset, y + 2, { ...inner, align: 'left', height: 6 });
  paper
    .font('Helvetica-Bold')
    .fontSize(8)
    .text(value, x + inset, y + 9.5, { ...inner, height: height - 11 });
}

/** A field of a row: label, value, share of the row's width. */
export type Cell = readonly [label: string, value: string, share: number, align?: Align];

/** Draws a row of fields over the whole width; gives where it ends. */
export function row(paper: Paper, y: number, cells: readonly Cell[], height = 21): number {
  const shares = cells.reduce((total, [, , share]) => total + share, 0);
  let { left: x } = page;
  for (const [label, value, share, align] of cells) {
    const width = (pageWidth * share) / shares;
    field(paper, { x, y, width, height }, label, value, align);
    x += width;
  }
  return y + height;
}

/** Draws the title of a block; gives where it ends. */
export function title(paper: Paper, y: number, text: string): number {
  paper.fillColor('black').font('Helvetica-Bold').fontSize(6.5);
  paper.text(text.toUpperCase(), page.left, y + 4, { width: pageWidth, lineBreak: false });
  return y + 12;
}
