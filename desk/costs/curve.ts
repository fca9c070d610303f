import type { Lesson } from './lessons.ts';

/** Checks in an order, each with the requests of one case. */
export type OrderedChecks = readonly (readonly [name: string, requests: number])[];

/** How many wrong servers are found out, as a share of those that some check sees, once so many requests were sent. */
export interface CurvePoint {
  readonly requests: number;
  readonly share: number;
}

/** The curve of an order: a point for each request after which a server is found out. */
export function curveOf(order: OrderedChecks, lessons: readonly Lesson[]): readonly CurvePoint[] {
  const sentUntil = new Map<string, number>();
  let sent = 0;
  for (const [name, requests] of order) {
    sent += requests;
    sentUntil.set(name, sent);
  }
  const firsts = lessons
    .map(({ seenBy }) => Math.min(...seenBy.map((name) => sentUntil.get(name) ?? Infinity)))
    .filter((first) => first < Infinity)
    .toSorted((one, other) => one - other);
  return firsts.map((requests, at) => ({ requests, share: (at + 1) / firsts.length }));
}

/** The share that is found out with so many requests. */
export function shareAt(curve: readonly CurvePoint[], requests: number): number {
  return curve.findLast((point) => point.requests <= requests)?.share ?? 0;
}

/** A curve with its name. */
export interface NamedCurve {
  readonly name: string;
  readonly shareAt: (requests: number) => number;
}

const [width, height, left, bottom, top] = [640, 360, 56, 48, 24];
const colours = ['#0b5cad', '#8a5a00'];

/** Curves as an SVG picture, from no request to the most. */
export function pictureOf(curves: readonly NamedCurve[], most: number): string {
  const x = (requests: number): number => left + ((width - left - 16) * requests) / most;
  const y = (share: number): number => top + (height - top - bottom) * (1 - share);
  const text = (atX: number, atY: number, words: string, rest = ''): string =>
    `<text x="${atX.toFixed(1)}" y="${atY.toFixed(1)}" ${rest}>${words}</text>`;
  const lines = curves.map(({ shareAt: at }, nth) => {
    const points = Array.from({ length: 101 }, (_, step) => (step * most) / 100);
    const path = points.map((requests) => `${x(requests).toFixed(1)},${y(at(requests)).toFixed(1)}`).join(' ');
    return `<polyline points="${path}" fill="none" stroke="${colours[nth % 2]}" stroke-width="2"${nth === 0 ? '' : ' stroke-dasharray="6 4"'}/>`;
  });
  const shares = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<line x1="${left}" x2="${width - 16}" y1="${y(share)}" y2="${y(share)}" stroke="#ccc"/>` +
      text(left - 8, y(share) + 4, `${share * 100} %`, 'text-anchor="end"'),
  );
  const requests = Array.from({ length: 6 }, (_, step) => Math.round((step * most) / 5));
  const marks = requests.map((count) => text(x(count), height - bottom + 18, String(count), 'text-anchor="middle"'));
  const names = curves.map(({ name }, nth) =>
    text(width - 24, y(0.12) + nth * 18, name, `text-anchor="end" fill="${colours[nth % 2]}"`),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13" role="img">`,
    `<title>Wrong servers found out, by requests sent</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...shares,
    ...marks,
    text(width / 2, height - 10, 'requests of checks', 'text-anchor="middle"'),
    ...lines,
    ...names,
    '</svg>',
    '',
  ].join('\n');
}
