import type { Call } from '../../contract/request.ts';
import {
  wrongEncodings,
  wrongExtents,
  wrongLineBreaks,
  wrongMultipart,
  wrongPlaceholders,
  wrongSerialisations,
  wrongStripping,
} from './body.ts';
import { wrongHashes, wrongOrders, wrongSeparators, wrongTimestamps, wrongTokens } from './hash.ts';
import { wrongExtras, wrongHosts, wrongPathForms, wrongPrefixes, wrongQueries, wrongVariables } from './path.ts';
import { md5, type RecipeFacts, type WrongRecipe } from './recipe.ts';

/** Mistakes about what is signed: the likely ones. */
const ofIngredients = [wrongQueries, wrongPrefixes, wrongVariables, wrongPathForms];
const ofText = [wrongLineBreaks, wrongStripping, wrongSerialisations, wrongEncodings];
/** Mistakes about how it is hashed, and what hardly anybody would sign. */
const ofMaking = [wrongSeparators, wrongOrders, wrongHashes, wrongExtras, wrongHosts, wrongExtents];
const unlikely = [wrongTimestamps, wrongTokens];

/**
 * The wrong recipes whose signs of that call differ from the right one and from each other, the likeliest first. Of those that
 * give the same sign the first stands for all.
 */
export function distinctRecipes(facts: RecipeFacts): readonly WrongRecipe[] {
  const { token, path, body, timestamp } = facts.parts;
  const seen = new Set([md5(token, path, body, timestamp)]);
  return recipesFor(facts.call).filter((recipe) => {
    const sign = signBy(recipe, facts);
    if (sign === undefined || seen.has(sign)) return false;
    seen.add(sign);
    return true;
  });
}

/** Where the signed body is empty there is something to put in its place, else something to rewrite. */
function recipesFor({ contentType = '', rawBody }: Call): readonly WrongRecipe[] {
  const isMultipart = /^multipart\//i.test(contentType);
  const ofBody = isMultipart ? [wrongMultipart] : rawBody === undefined ? [wrongPlaceholders] : ofText;
  return [...ofIngredients, ...ofBody, ...ofMaking, ...unlikely].flat();
}

/** The sign by that recipe; `undefined` where it can't be made, such as of JSON parsed from a body that is none. */
function signBy({ sign }: WrongRecipe, facts: RecipeFacts): string | undefined {
  try {
    return sign(facts);
  } catch {
    return undefined;
  }
}
