import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Call } from '../contract/request.ts';
import { echoCall, multipartCall, queryCall, xmlCall, brokenCall } from './calls.ts';
import { distinctRecipes } from './wrong-recipes/distinct.ts';
import { md5, type RecipeFacts } from './wrong-recipes/recipe.ts';

const parts = { token: 'Token-1', path: '/openapi/demo/echo', timestamp: '1790000000' };

function factsOf(call: Call, signedText: string): RecipeFacts {
  return {
    parts: { ...parts, path: call.path, body: Buffer.from(signedText) },
    call,
    baseUrl: 'https://host.example/a',
  };
}

function namesOf(call: Call, signedText = ''): string[] {
  return distinctRecipes(factsOf(call, signedText)).map(([{ name }]) => name);
}

test('the signs of the recipes for a call differ from the right one and from each other', () => {
  fc.assert(
    fc.property(brokenCall(), (call) => {
      const facts = factsOf(call, String(call.rawBody).replaceAll(/[\r\n]/g, ''));
      const { token, path, body, timestamp } = facts.parts;
      const signs = [md5(token, path, body, timestamp), ...distinctRecipes(facts).map(([{ sign }]) => sign(facts))];
      expect(new Set(signs).size).toBe(signs.length);
    }),
  );
});

test('recipes that a call does not tell apart stand together', () => {
  const call = { ...echoCall('a'), rawBody: Buffer.from(' {}') };
  const names = distinctRecipes(factsOf(call, ' {}')).map((alike) => alike.map(({ name }) => name));
  expect(names).toContainEqual([
    'over the body without any white space',
    'over the body without its spaces',
    'over the trimmed body',
    'over the body parsed and written compactly',
    'over the body parsed and written with sorted keys',
    'over the body parsed and indented',
    'over the body parsed and written with non-ASCII escaped',
    'over the body parsed and written with escaped slashes',
  ]);
});

test.each<[string, string, string[]]>([
  ['{"message":"a"}', '', ['over the path without /openapi']],
  [
    '{"message":"a"}',
    'b=1',
    ['over the path with its query string', 'over the path and the query string without the question mark'],
  ],
])('the likeliest recipe comes first: %s with the query string "%s"', (bodyText, query, first) => {
  const call = { ...echoCall('a'), ...(query === '' ? {} : { query }) };
  expect(namesOf(call, bodyText).slice(0, first.length)).toEqual(first);
});

test('a recipe that cannot be made of the body is left out', () => {
  expect(namesOf({ ...echoCall('a'), rawBody: Buffer.from('{') }, '{').join('; ')).not.toMatch('parsed');
});

test('line breaks come before orders, and orders before hashes', () => {
  const names = namesOf({ ...echoCall('a'), rawBody: Buffer.from('{\r\n}') }, '{}');
  const places = ['over the body with its line breaks', 'in the order token, path, timestamp, body', 'with SHA-1'].map(
    (name) => names.indexOf(name),
  );
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test.each<[string, Call, string, string]>([
  ['without a body', queryCall('e', 'n'), 'over null for a body', 'over the body in UTF-16'],
  ['of multipart', multipartCall('a\nb'), 'over the multipart body', 'over the body with its line breaks'],
  ['of XML', xmlCall('<a>\n</a>', 'application/xml'), 'over the body with its line breaks', 'over null for a body'],
])('a call %s is signed in the ways that fit its body', (_, call, fitting, unfitting) => {
  const names = namesOf(call, call.contentType === 'application/xml' ? '<a></a>' : '');
  expect(names).toContain(fitting);
  expect(names).not.toContain(unfitting);
  expect(names).not.toContain('over the path with its query string');
});
