/** Replaces secrets in a text. */
export type Mask = (text: string) => string;

/**
 * A mask for the given secrets, each with the text that takes its place. It knows a secret raw, in base64 and base64url,
 * in hex of either case, URL-encoded, as a JSON string and as a JSON pointer has it. Base64 is recognised at any alignment
 * of the secret.
 */
export function maskFor(secrets: ReadonlyMap<string, string>): Mask {
  const stands = new Map(
    [...secrets]
      .filter(([secret]) => secret.length > 0)
      .flatMap(([secret, stand]) => [...spellings(secret)].map((spelling) => [spelling, stand] as const)),
  );
  if (stands.size === 0) return (text) => text;
  const longestFirst = [...stands.keys()].sort((a, b) => b.length - a.length);
  // All at once: a search for each spelling takes ten times as long, and would find a secret in what stands for another.
  const anySpelling = new RegExp(longestFirst.map((spelling) => RegExp.escape(spelling)).join('|'), 'g');
  return (text) => text.replace(anySpelling, (spelling) => stands.get(spelling) ?? spelling);
}

const leastBase64Length = 4;

/** Every way to write a secret that a mask replaces, itself included. */
export function spellings(secret: string): Set<string> {
  const bytes = Buffer.from(secret, 'utf8');
  const hex = bytes.toString('hex');
  const pointer = secret.replaceAll('~', '~0').replaceAll('/', '~1');
  const json = JSON.stringify(secret).slice(1, -1);
  const plain = [secret, json, pointer, encodeURIComponent(secret), hex, hex.toUpperCase()];
  const base64 = [0, 1, 2].map((offset) => base64At(bytes, offset));
  const inBase64 = base64.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
  // What a secret of a few characters leaves of itself in base64 would be found everywhere.
  return new Set([...plain, ...inBase64.filter((text) => text.length >= leastBase64Length)]);
}

/** The characters of base64 that depend on the secret alone when `offset` bytes (modulo 3) stand before it. */
function base64At(secret: Buffer, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), secret])
    .toString('base64')
    .replaceAll('=', '');
  const first = Math.ceil((offset * 8) / 6);
  const last = Math.floor(((offset + secret.length) * 8) / 6);
  return encoded.slice(first, last);
}
