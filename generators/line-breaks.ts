import fc from 'fast-check';

/** The kinds of line break that are not signed. Section 5.2. */
export const lineBreaks = { cr: '\r', lf: '\n', crlf: '\r\n' } as const;

export type LineBreak = keyof typeof lineBreaks;

const kinds: readonly LineBreak[] = ['cr', 'lf', 'crlf'];

/** One line break of any kind. */
export function lineBreak(): fc.Arbitrary<string> {
  return fc.constantFrom(...kinds).map((kind) => lineBreaks[kind]);
}

/** The text with one to ten line breaks more, before, behind or between any of its code points. */
export function withLineBreaks(text: string): fc.Arbitrary<string> {
  const points = Array.from(text);
  const insertion = fc.tuple(fc.nat(points.length), lineBreak());
  return fc.array(insertion, { minLength: 1, maxLength: 10 }).map((insertions) => {
    const before = new Map<number, string>();
    for (const [place, inserted] of insertions) before.set(place, (before.get(place) ?? '') + inserted);
    return [...points, ''].map((point, place) => (before.get(place) ?? '') + point).join('');
  });
}
