import { createHash } from 'node:crypto';
import type { Call, SignedParts } from '../../contract/request.ts';
import { named } from '../named.ts';

/** A way to compute `sign` that somebody might take for the right one. Section 5.2. */
export interface WrongRecipe {
  /** How it computes, after the words "a sign computed". */
  readonly name: string;
  readonly sign: (facts: RecipeFacts) => string;
}

/** What a recipe may put into its hash. */
export interface RecipeFacts {
  /** The right ingredients. */
  readonly parts: SignedParts;
  readonly call: Call;
  /** The target's base address. */
  readonly baseUrl: string;
}

/** Text that stands for bytes, in UTF-8, or the bytes themselves. */
type Piece = string | Buffer;

/** The four ingredients, of which a recipe replaces some. */
interface Pieces {
  readonly token: Piece;
  readonly path: Piece;
  readonly body: Piece;
  readonly timestamp: Piece;
}

/** A recipe that hashes other ingredients in the right way. */
export function withOther(name: string, other: (facts: RecipeFacts) => Partial<Pieces>): WrongRecipe {
  return recipe(name, (facts) => {
    const { token, path, body, timestamp } = { ...facts.parts, ...other(facts) };
    return md5(token, path, body, timestamp);
  });
}

/** A recipe that makes something else of the right ingredients. */
export function recipe(name: string, sign: WrongRecipe['sign']): WrongRecipe {
  return named(`computed ${name}`, { name, sign });
}

/** Lower-case hex MD5 over the pieces, one after the other. */
export function md5(...pieces: Piece[]): string {
  return createHash('md5')
    .update(joined(...pieces))
    .digest('hex');
}

/** The bytes of the pieces, one after the other. */
export function joined(...pieces: Piece[]): Buffer {
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece)));
}

/** The body that was sent, as text; empty where there is none. */
export function bodyTextOf(facts: RecipeFacts): string {
  return facts.call.rawBody?.toString('utf8') ?? '';
}
