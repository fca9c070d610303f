import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Draft, Call } from '../../../contract/request.ts';
import { partsOf, signedRequest } from '../../../client/sign.ts';
import type { RecipeFacts, WrongRecipe } from '../../../generators/wrong-recipes/recipe.ts';
import type { Signing } from '../../../schemas/evidence.ts';
import { evidenceOf } from '../../../trace/evidence.ts';
import { maskFor } from '../../../trace/mask.ts';
import { digested, formed, pieceOf } from './requests.ts';
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
} from '../../../generators/calls.ts';
import { chave } from '../../../generators/domain.ts';
import {
  wrongEncodings,
  wrongExtents,
  wrongLineBreaks,
  wrongMultipart,
  wrongPlaceholders,
  wrongSerialisations,
  wrongStripping,
} from '../../../generators/wrong-recipes/body.ts';
import {
  wrongHashes,
  wrongOrders,
  wrongSeparators,
  wrongTimestamps,
  wrongTokens,
} from '../../../generators/wrong-recipes/hash.ts';
import {
  wrongExtras,
  wrongHosts,
  wrongPathForms,
  wrongPrefixes,
  wrongQueries,
  wrongVariables,
} from '../../../generators/wrong-recipes/path.ts';

const origin = { appSecret: 'Run-Secret-0123456789', nowSeconds: 1_700_000_000 };
const [otherSecret, otherNow] = ['Other-Secret-9876543210', 1_800_000_000];
const mask = maskFor(new Map([[origin.appSecret, '$NFE_APP_SECRET']]));

function signingOf(change: Partial<Draft>): Signing {
  const call = { method: 'POST', path: '/openapi/demo/echo', rawBody: Buffer.from('{}') };
  const draft = { call, token: origin.appSecret, timestamp: String(origin.nowSeconds), origin, ...change };
  const { signing } = evidenceOf({ request: signedRequest(draft), durationMs: 1 }, { mask });
  if (!signing) throw new Error('the evidence does not say how the request was signed');
  return signing;
}

/** What a script makes of it with another secret, at another time. */
function madeAnew(signing: Signing, path = '/openapi/demo/echo', body: Buffer = Buffer.from('{}')) {
  const token = formed(signing.token, otherSecret, (text) => text);
  const unsigned = { token, path, body, timestamp: '' };
  const timestamp = signing.timestamp.map((piece) => String(pieceOf(piece, unsigned, otherNow))).join('');
  const digest = signing.digest && digested(signing.digest, { ...unsigned, timestamp }, otherNow);
  return { token, timestamp, sign: formed(signing.sign, digest ?? '', (text) => text) };
}

/** The catalogue of wrong ways to sign, each kind with calls that show it. */
const recipePairs: readonly (readonly [readonly WrongRecipe[], fc.Arbitrary<Call>])[] = [
  [wrongOrders, plainCall()],
  [wrongSeparators, plainCall()],
  [wrongHashes, plainCall()],
  [wrongTokens, plainCall()],
  [wrongTimestamps, plainCall()],
  [wrongPrefixes, plainCall()],
  [wrongHosts, plainCall()],
  [wrongExtras, plainCall()],
  [wrongQueries, queriedCall()],
  [wrongLineBreaks, brokenCall()],
  [wrongStripping, spacedCall()],
  [wrongEncodings, accentedCall()],
  [wrongSerialisations, writtenCall()],
  [wrongExtents, longCall()],
  [wrongVariables, variableCall()],
  [wrongPathForms, variableCall()],
  [wrongPlaceholders, chave().map((value) => pathCall('chave-lookup', { chave: value }))],
  [wrongMultipart, fc.constant(multipartCall('content'))],
];

const recipes = recipePairs.flatMap(([own, calls]) => own.map((recipe) => ({ recipe, calls })));

test('every wrong way to sign is computed anew', () => {
  const wrong = recipes.filter(({ recipe, calls }) => {
    const [call = { method: 'GET', path: '/' }] = fc.sample(calls, { numRuns: 1, seed: 1729 });
    const right: Draft = { call, token: origin.appSecret, timestamp: String(origin.nowSeconds), origin };
    const facts: RecipeFacts = { parts: partsOf(right), call, baseUrl: 'https://host.example/prefix' };
    const flaw = recipe.hashed ? { hashed: recipe.hashed(facts) } : { sign: () => recipe.sign(facts) };
    const { body } = facts.parts;
    const { token, timestamp, sign } = madeAnew(signingOf({ call, ...flaw }), call.path, body);
    return sign !== recipe.sign({ ...facts, parts: { ...facts.parts, token, timestamp } });
  });
  expect(wrong.map(({ recipe }) => recipe.name)).toEqual([]);
  expect(recipes.length).toBeGreaterThan(100);
});

test.each<[string, (right: string) => string]>([
  ['in upper case', (right) => right.toUpperCase()],
  ['with its first letter in upper case', (right) => right.replace(/[a-f]/, (letter) => letter.toUpperCase())],
  ['cut', (right) => right.slice(0, 16)],
  ['with a character changed', (right) => `${right.slice(0, 9)}${right[9] === '0' ? '1' : '0'}${right.slice(10)}`],
  ['twice', (right) => right + right],
  ['in quotes', (right) => `"${right}"`],
  ['all zeros', () => '0'.repeat(32)],
])('a sign %s is made so of the sign of now', (_, make) => {
  expect(madeAnew(signingOf({ sign: make })).sign).toBe(make(madeAnew(signingOf({})).sign));
});

test.each([
  ['an hour behind', String(origin.nowSeconds - 3600), String(otherNow - 3600)],
  ['in milliseconds', `${origin.nowSeconds}123`, `${otherNow}123`],
  ['in hexadecimal', `0x${origin.nowSeconds.toString(16)}`, `0x${otherNow.toString(16)}`],
  ['in ISO 8601', new Date(origin.nowSeconds * 1000).toISOString(), new Date(otherNow * 1000).toISOString()],
  ['as a date of HTTP', new Date(origin.nowSeconds * 1000).toUTCString(), new Date(otherNow * 1000).toUTCString()],
  ['that is a word', 'NaN', 'NaN'],
])('a timestamp %s is so of now', (_, timestamp, now) => {
  expect(madeAnew(signingOf({ timestamp })).timestamp).toBe(now);
});

test.each([
  ['in upper case', origin.appSecret.toUpperCase(), otherSecret.toUpperCase()],
  ['without its last character', origin.appSecret.slice(0, -1), otherSecret.slice(0, -1)],
  ['behind the word Bearer', `Bearer ${origin.appSecret}`, `Bearer ${otherSecret}`],
  ['of nobody', 'token-that-nobody-was-given', 'x'.repeat(27)],
])('a token %s is made so of the secret of now', (_, token, now) => {
  expect(madeAnew(signingOf({ token })).token).toBe(now);
});
