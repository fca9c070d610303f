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

/** Writes words large, grey and aslant over a page. */
export function stamp(paper: Paper, lines: readonly string[]): void {
  const x = (page.left + page.right) / 2;
  const y = (page.top + page.bottom) / 2;
  paper
    .save()
    .rotate(-45, { origin: [x, y] })
    .fillColor('black')
    .fillOpacity(0.18)
    .font('Helvetica-Bold')
    .fontSize(62);
  const first = y - (lines.length * 70) / 2;
  lines.forEach((line, at) => {
    paper.text(line, x - 400, first + at * 70, { width: 800, align: 'center', lineBreak: false });
  });
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
