import fc from 'fast-check';
import type { Call } from '../../contract/request.ts';
import {
  multipartCall,
  pathCall,
  accentedCall,
  brokenCall,
  longCall,
  plainCall,
  queriedCall,
  spacedCall,
  variableCall,
  writtenCall,
} from '../calls.ts';
import { chave } from '../domain.ts';
import {
  wrongEncodings,
  wrongExtents,
  wrongLineBreaks,
  wrongMultipart,
  wrongPlaceholders,
  wrongSerialisations,
  wrongStripping,
} from '../wrong-recipes/body.ts';
import { wrongHashes, wrongOrders, wrongSeparators, wrongTimestamps, wrongTokens } from '../wrong-recipes/hash.ts';
import type { WrongRecipe } from '../wrong-recipes/recipe.ts';
import {
  wrongExtras,
  wrongHosts,
  wrongPathForms,
  wrongPrefixes,
  wrongQueries,
  wrongVariables,
} from '../wrong-recipes/path.ts';

/** The catalogue of wrong ways to sign, by what they get wrong, each with calls that show it. */
export const recipePairs: readonly (readonly [string, readonly WrongRecipe[], fc.Arbitrary<Call>])[] = [
  ['orders', wrongOrders, plainCall()],
  ['separators', wrongSeparators, plainCall()],
  ['hashes', wrongHashes, plainCall()],
  ['tokens', wrongTokens, plainCall()],
  ['timestamps', wrongTimestamps, plainCall()],
  ['prefixes', wrongPrefixes, plainCall()],
  ['hosts', wrongHosts, plainCall()],
  ['extras', wrongExtras, plainCall()],
  ['queries', wrongQueries, queriedCall()],
  ['line breaks', wrongLineBreaks, brokenCall()],
  ['stripping', wrongStripping, spacedCall()],
  ['encodings', wrongEncodings, accentedCall()],
  ['serialisations', wrongSerialisations, writtenCall()],
  ['extents', wrongExtents, longCall()],
  ['variables', wrongVariables, variableCall()],
  ['path forms', wrongPathForms, variableCall()],
  ['placeholders', wrongPlaceholders, chave().map((value) => pathCall('chave-lookup', { chave: value }))],
  ['multipart', wrongMultipart, fc.constant(multipartCall('content'))],
];
