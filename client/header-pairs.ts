/** Headers that came as one list, name and value in turn, as pairs; each character of a value is a byte. */
export function headerPairs(flat: unknown): [string, string][] {
  if (!Array.isArray(flat)) return [];
  const texts = flat.map((part) => (Buffer.isBuffer(part) ? part.toString('latin1') : String(part)));
  return texts.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, texts[at + 1] ?? '']] : []));
}
