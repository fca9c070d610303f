import { describe, expect, test } from 'vitest';
import { recordOf, type RecordWish } from './testing/records.ts';
import { brokenByHistory, brokenBy, keptBy } from './testing/story.ts';
import { isForeign, languageOf } from './language.ts';
import type { Language } from '../contract/values.ts';

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
  ['language.accept-language-header', refused('Carimbo de tempo inválido', { 'accept-language': 'zh' })],
  ['language.on-403', refused('Forbidden', { language: 'zh' }, 403, 10009005)],
])('a message in another language breaks %s', (clause, wish) => {
  expect(brokenBy(wish)).toContain(clause);
});

test.each<RecordWish>([
  refused(english, { language: 'pt', 'accept-language': 'en' }),
  refused(english, { language: 'en-GB' }),
  refused('Token inválido', { language: 'es' }),
  refused(portuguese, { language: 'es' }),
  refused(english, { language: 'es' }, 401, 99),
  refused('OK', { language: 'zh' }),
  refused('E 17: 4f', { language: 'zh' }),
  refused('token 错', { language: 'zh' }),
])('nothing is said where readers may differ: %j', (wish) => {
  expect(brokenBy(wish).filter((clause) => clause.startsWith('language.'))).toEqual([]);
});

describe('texts of which nobody knows the language are told by who else got them', () => {
  const texts = { en: 'Signature mismatch', pt: 'Assinaturas divergem', es: 'Firmas divergen', zh: '签名不匹配' };
  /** Each language, asked for twice by one header, and then what is judged. */
  const story = (message: string, requestHeaders: Record<string, string>, said = texts): string[] => {
    const asked = Object.entries(said).flatMap(([name, text]) => [
      refused(text, { language: name }),
      refused(text, { language: name }),
    ]);
    return brokenByHistory([refused(message, requestHeaders), ...asked].map(recordOf));
  };

  test.each<[string, string, Record<string, string>]>([
    ['language.portuguese-by-default', texts.en, {}],
    ['language.accept-language-header', texts.es, { 'accept-language': 'en' }],
    ['language.language-header', texts.pt, { language: 'es' }],
  ])('%s is broken by what others get in another language', (clause, message, headers) => {
    expect(story(message, headers)).toEqual([clause]);
  });

  test('nothing is said of their own text, of one that nobody else got, and of one that both languages have', () => {
    expect(story(texts.pt, {})).toEqual([]);
    expect(story('Assinatura recusada em /x', {})).toEqual([]);
    expect(story(texts.en, { language: 'es' }, { ...texts, es: texts.en })).toEqual([]);
    expect(story(`${texts.pt} 4f-a1`, {})).toEqual([]);
  });

  test('nothing is said of what a mask leaves of a text that it hides', () => {
    const [one, other] = ['… 51 characters ~cd34', '… 40 characters ~ab12'];
    expect(story(one, {}, { ...texts, zh: other })).toEqual([]);
    expect(story(one, { language: 'zh' })).toEqual([]);
  });

  test('nothing is said where another reason has other words, or where words change from answer to answer', () => {
    const other = { ...refused(texts.en), signing: { missing: ['sign'] } } satisfies RecordWish;
    const asked = Object.entries(texts).flatMap(([name, text], at) =>
      ['brave', 'calm'].map((word) => refused(`${text} ${word}${'x'.repeat(at)}`, { language: name })),
    );
    expect(brokenByHistory([other, ...asked].map(recordOf))).toEqual([]);
    expect(brokenByHistory([refused(`${texts.en} brave`), ...asked].map(recordOf))).toEqual([]);
  });
});

test.each([
  'The invoice was cancelled.',
  'Duplicate (SEFAZ: Duplicidade de NF-e)',
  'Signature mismatch',
  'REJECTED',
  'Rejected: 302 Uso Denegado: Irregularidade fiscal do destinatário',
  'Invalid naïve digest',
  'E17',
  'NF-e signature mismatch',
  'The authority said: Rejeição: NF-e não consta na base de dados da SEFAZ',
])('%s may be English', (text) => {
  expect(isForeign(text)).toBe(false);
});

test.each([
  'A nota foi cancelada.',
  'Assinatura inválida',
  'Rejeição',
  'Rejeição: NF-e não consta na base de dados da SEFAZ',
  'Serviço fora do ar',
  'La firma del documento no coincide',
  '签名不匹配',
])('%s is no English', (text) => {
  expect(isForeign(text)).toBe(true);
});

test.each<[Language, string]>([
  ['en', 'This API has been retired, please use GET /openapi/v3/consultas/cnpj/{cnpj} instead'],
  ['en', 'Invalid token'],
  ['en', 'Success'],
  ['pt', 'A aplicação não possui assinatura para este endpoint'],
  ['pt', 'Sucesso'],
  ['pt', 'Muitas requisições; tente novamente mais tarde (trace 7f3a-00b1)'],
  ['pt', 'A aplicac\u0327a\u0303o está desativada'],
  ['pt', 'Aplicativo "The best of this" desativado'],
  ['pt', 'Aplicativo “测试应用” desativado'],
  ['es', 'La aplicación no está suscrita a este endpoint'],
  ['es', 'Éxito'],
  ['es', 'LA FIRMA NO ES VÁLIDA'],
  ['es', 'La firma no es válida'],
  ['zh', '该接口已下线，请改用 POST /openapi/v3/consultas/nf-e/xml'],
  ['zh', 'token 无效'],
  ['zh', '缺少请求头 token、sign 或 timestamp'],
  ['zh', '【错误】令牌无效'],
  ['pt', 'Sucesso【日洪玄黄】'],
])('it is surely %s: %s', (language, message) => {
  expect(languageOf(message)).toBe(language);
});

test.each([
  'Token inválido',
  'OK',
  '',
  'token',
  'Parâmetro application ausente',
  'GET /the/is/of/pt/es',
  'not found / não encontrado, the token / o seu token',
  'La firma no coincide【洪月盈黄宿张】',
  'Carimbo de tempo inválido 宿张黄荒列天',
  'Sucesso日洪玄黄',
  'Signature mismatch (月日宿辰)',
  'id 5f0e-the-is 2026-09-04T10:00:00Z',
  'No SU. No SU. No SU',
  'OS error',
  'Demasiados pedidos',
  'Limite excedido (Too Many Requests)',
  'Request ha timed out; ha gave up',
])('nobody is sure of what two languages share, or of names: %s', (message) => {
  expect(languageOf(message)).toBeUndefined();
});
