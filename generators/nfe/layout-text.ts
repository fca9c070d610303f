import fc from 'fast-check';

const words = ['a', 'CAFÉ', 'Ação', 'índice', 'pão de queijo', 'Nº', '1/2', '100%', "d'água", '"aspas"', 'ÀÿÇ', '-'];
const markup = ['&', '<', '>', '<b>', '&amp;', ']]>', '&#233;', '<!--', '<![CDATA[', '?>', '<!DOCTYPE'];
const plain = 'A';

/** A text that the layout takes, of that many characters: Latin-1, no outer spaces; some are as long as they may be. */
export function layoutText(longest: number, shortest = 1): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { arbitrary: fc.constantFrom(...words), weight: 4 },
    { arbitrary: fc.constantFrom(...markup), weight: 1 },
  );
  const length = fc.oneof({ arbitrary: fc.constant(0), weight: 7 }, { arbitrary: fc.constant(longest), weight: 1 });
  return fc.tuple(fc.array(piece, { minLength: 1, maxLength: 6 }), length).map(([pieces, least]) => {
    const text = pieces.join(' ').slice(0, longest).trim();
    return text.padEnd(Math.max(shortest, least), plain);
  });
}
