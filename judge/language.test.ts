import { expect, test } from 'vitest';
import type { RecordWish } from './testing/records.ts';
import { brokenBy, keptBy } from './testing/verdicts.ts';

const [english, portuguese, spanish] = [
  'The token is not valid',
  'O seu token não é válido',
  'El token no es válido, inténtelo',
] as const;

function refused(
  message: string,
  requestHeaders: Record<string, string> = {},
  status = 401,
  code = 10009002,
): RecordWish {
  return {
    target: '/openapi/demo/echo',
    status,
    body: { success: false, errorType: 1, code, message },
    requestHeaders,
  };
}

test.each<[string, RecordWish]>([
  ['language.portuguese-by-default', refused(portuguese)],
  ['language.language-header', refused(spanish, { language: 'es' })],
  ['language.accept-language-header', refused(english, { 'accept-language': 'en' })],
  ['language.on-403', refused(spanish, { language: 'es' }, 403, 10009005)],
  ['language.on-429', refused(portuguese, {}, 429, 10009006)],
])('a message in the language that was asked for keeps %s', (clause, wish) => {
  expect(brokenBy(wish)).not.toContain(clause);
  expect(keptBy(wish)).toContain(clause);
});

test.each<[string, RecordWish]>([
  ['language.portuguese-by-default', refused(spanish)],
  ['language.language-header', refused(spanish, { language: 'pt' })],
  ['language.accept-language-header', refused(portuguese, { 'accept-language': 'zh' })],
  ['language.on-403', refused(english, { language: 'es' }, 403, 10009005)],
  ['language.on-429', refused(english, {}, 429, 10009006)],
])('a message in another language breaks %s', (clause, wish) => {
  expect(brokenBy(wish)).toContain(clause);
});

test.each<RecordWish>([
  refused(english, { language: 'pt', 'accept-language': 'en' }),
  refused(english, { language: 'en-GB' }),
  refused('Token inválido', { language: 'es' }),
  refused(portuguese, { language: 'es' }),
  refused(english, { language: 'es' }, 401, 99),
])('nothing is said where readers may differ: %j', (wish) => {
  expect(brokenBy(wish).filter((clause) => clause.startsWith('language.'))).toEqual([]);
});
