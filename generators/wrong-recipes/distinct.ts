import type { Call } from '../../contract/request.ts';
import {
  wrongEncodings,
  wrongExtents,
  wrongLineBreaks,
  wrongMultipart,
  wrongOfSomeBodies,
  wrongPlaceholders,
  wrongSerialisations,
  wrongStripping,
} from './body.ts';
import { wrongHashes, wrongOrders, wrongSeparators, wrongTimestamps, wrongTokens } from './hash.ts';
import { md5, type RecipeFacts, type WrongRecipe } from './recipe.ts';
import { wrongExtras, wrongHosts, wrongPathForms, wrongPrefixes, wrongQueries, wrongVariables } from './path.ts';

/* In the order in which they are tried: mistakes about what is signed are likelier than those about how it is hashed. */
const ofPath = [wrongPrefixes, wrongVariables, wrongPathForms];
const ofText = [wrongOfSomeBodies, wrongLineBreaks, wrongStripping, wrongSerialisations, wrongEncodings, wrongExtents];
const ofMaking = [wrongExtras, wrongHosts, wrongSeparators, wrongOrders, wrongHashes];
const unlikely = [wrongTimestamps, wrongTokens];

/** Wrong recipes that give the same sign of a call, and so can't be told apart by it; the likeliest first. */
export type AlikeRecipes = readonly [WrongRecipe, ...WrongRecipe[]];

/** The wrong recipes whose signs of that call differ from the right one, in groups of the same sign: first these, then the likeliest. */
export function distinctRecipes(facts: RecipeFacts, first: readonly WrongRecipe[] = []): readonly AlikeRecipes[] {
  const { token, path, body, timestamp } = facts.parts;
  const right = md5(token, path, body, timestamp);
  const bySign = Map.groupBy([...first, ...recipesFor(facts.call)], (recipe) => signBy(recipe, facts) ?? right);
  bySign.delete(right);
  return [...bySign.values()].flatMap(([one, ...others]): AlikeRecipes[] => (one ? [[one, ...others]] : []));
}

/** Only a query that is there can be signed; an empty signed body can be replaced, another rewritten. */
function recipesFor({ query, contentType = '', rawBody }: Call): readonly WrongRecipe[] {
  const ofQuery = query === undefined ? [] : [wrongQueries];
  const isMultipart = /^multipart\//i.test(contentType);
  const ofBody = isMultipart ? [wrongMultipart] : rawBody === undefined ? [wrongPlaceholders] : ofText;
  return [...ofQuery, ...ofPath, ...ofBody, ...ofMaking, ...unlikely].flat();
}

/** The sign by that recipe; `undefined` where it can't be made, such as of JSON parsed from a body that is none. */
function signBy({ sign }: WrongRecipe, facts: RecipeFacts): string | undefined {
  try {
    return sign(facts);
  } catch {
    return undefined;
  }
}
