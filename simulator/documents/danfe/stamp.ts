import { page, type Paper } from './paper.ts';

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
