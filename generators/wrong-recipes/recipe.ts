import { createHash } from 'node:crypto';
import type { Call, SignedParts } from '../../contract/request.ts';
import { named } from '../named.ts';

/** A way to compute `sign` that somebody might take for the right one. Section 5.2. */
export interface WrongRecipe {
  /** How it computes, after the words "a sign computed". */
  readonly name: string;
  /** The bytes whose MD5 the sign is; absent where it is made in another way. */
  readonly hashed?: (facts: RecipeFacts) => Buffer;
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
  return hashing(name, (facts) => {
    const { token, path, body, timestamp } = { ...facts.parts, ...other(facts) };
    return [token, path, body, timestamp];
  });
}

/** A recipe that takes the MD5 of other pieces. */
export function hashing(name: string, pieces: (facts: RecipeFacts) => readonly Piece[]): WrongRecipe {
  const hashed = (facts: RecipeFacts): Buffer => joined(...pieces(facts));
  return { ...recipe(name, (facts) => md5(hashed(facts))), hashed };
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
