import { createHash, createHmac } from 'node:crypto';
import { hashing, joined, md5, recipe, withOther, type RecipeFacts, type WrongRecipe } from './recipe.ts';

const whole = ({ parts }: RecipeFacts): Buffer => joined(parts.token, parts.path, parts.body, parts.timestamp);
const rest = ({ parts }: RecipeFacts): Buffer => joined(parts.path, parts.body, parts.timestamp);

const ingredients = ['token', 'path', 'body', 'timestamp'] as const;
type Ingredient = (typeof ingredients)[number];

function orders(of: readonly Ingredient[]): Ingredient[][] {
  if (of.length === 0) return [[]];
  return of.flatMap((first) => orders(of.filter((other) => other !== first)).map((others) => [first, ...others]));
}

/** How many ingredients of an order stand where they are to stand. */
function inPlace(order: readonly Ingredient[]): number {
  return order.filter((one, at) => one === ingredients[at]).length;
}

/** The 23 other orders of the ingredients, first those that are nearest to the right one. */
export const wrongOrders: readonly WrongRecipe[] = orders(ingredients)
  .filter((order) => order.join(' ') !== ingredients.join(' '))
  .toSorted((one, other) => inPlace(other) - inPlace(one))
  .map((order) => hashing(`in the order ${order.join(', ')}`, ({ parts }) => order.map((one) => parts[one])));

const separators = [
  ['a line feed', '\n'],
  ['an ampersand', '&'],
  ['a dot', '.'],
  ['a vertical bar', '|'],
  ['a colon', ':'],
  ['a comma', ','],
  ['a space', ' '],
  ['a zero byte', '\0'],
] as const;

/** Ingredients with something between, around or before them. */
export const wrongSeparators: readonly WrongRecipe[] = [
  ...separators.map(([name, separator]) =>
    hashing(`with ${name} between the ingredients`, ({ parts }) => [
      parts.token,
      separator,
      parts.path,
      separator,
      parts.body,
      separator,
      parts.timestamp,
    ]),
  ),
  hashing('with named ingredients, as in a query string', ({ parts }) => [
    'token=',
    parts.token,
    '&path=',
    parts.path,
    '&body=',
    parts.body,
    '&timestamp=',
    parts.timestamp,
  ]),
  hashing('with a line feed at the end', (facts) => [whole(facts), '\n']),
];

const digest = (name: string, facts: RecipeFacts): string => createHash(name).update(whole(facts)).digest('hex');
const hmac = (name: string, facts: RecipeFacts): string =>
  createHmac(name, facts.parts.token).update(rest(facts)).digest('hex');

/** Other hashes, HMACs and notations. */
export const wrongHashes: readonly WrongRecipe[] = [
  recipe('with SHA-1', (facts) => digest('sha1', facts)),
  recipe('with SHA-256', (facts) => digest('sha256', facts)),
  recipe('with SHA-256, cut to 32 characters', (facts) => digest('sha256', facts).slice(0, 32)),
  recipe('with SHA-1, cut to 32 characters', (facts) => digest('sha1', facts).slice(0, 32)),
  recipe('as HMAC-MD5 under the token', (facts) => hmac('md5', facts)),
  recipe('as HMAC-SHA-256 under the token', (facts) => hmac('sha256', facts)),
  recipe('with MD5 twice', (facts) => md5(md5(whole(facts)))),
  recipe('as MD5 in base64', (facts) => createHash('md5').update(whole(facts)).digest('base64')),
  recipe('as the middle 16 characters of MD5', (facts) => md5(whole(facts)).slice(8, 24)),
  recipe('as MD5 with hyphens, like a UUID', (facts) =>
    md5(whole(facts)).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  ),
  recipe('as MD5 with its bytes in reverse', (facts) =>
    Buffer.from(Buffer.from(md5(whole(facts)), 'hex').toReversed()).toString('hex'),
  ),
];

/** The right hash, written as a number or byte by byte: of some requests the sign is right. */
export const wrongZeros: readonly WrongRecipe[] = [
  recipe('as MD5 without its leading zeros', (facts) => md5(whole(facts)).replace(/^0+/, '')),
  recipe('as MD5 without the leading zero of each byte', (facts) => md5(whole(facts)).replaceAll(/0(.)|(..)/g, '$1$2')),
];

/** Other things in the place of the token. */
export const wrongTokens: readonly WrongRecipe[] = [
  withOther('without the token', () => ({ token: '' })),
  withOther('with the MD5 of the token', ({ parts }) => ({ token: md5(parts.token) })),
  withOther('with the token twice', ({ parts }) => ({ token: parts.token + parts.token })),
  withOther('with the token in upper case', ({ parts }) => ({ token: parts.token.toUpperCase() })),
  withOther('with the token in lower case', ({ parts }) => ({ token: parts.token.toLowerCase() })),
  withOther('with the word Bearer before the token', ({ parts }) => ({ token: `Bearer ${parts.token}` })),
  withOther('with another token', () => ({ token: 'another-token' })),
];

/** Other writings of the timestamp. */
export const wrongTimestamps: readonly WrongRecipe[] = [
  withOther('without the timestamp', () => ({ timestamp: '' })),
  withOther('over the timestamp in milliseconds', ({ parts }) => ({ timestamp: `${parts.timestamp}000` })),
  withOther('over the next second', ({ parts }) => ({ timestamp: String(Number(parts.timestamp) + 1) })),
  withOther('over the timestamp in hex', ({ parts }) => ({ timestamp: Number(parts.timestamp).toString(16) })),
  withOther('over the time in ISO-8601', ({ parts }) => ({
    timestamp: new Date(Number(parts.timestamp) * 1000).toISOString(),
  })),
  withOther('over the timestamp with a leading zero', ({ parts }) => ({ timestamp: `0${parts.timestamp}` })),
  withOther('over the timestamp with a fraction', ({ parts }) => ({ timestamp: `${parts.timestamp}.0` })),
];
