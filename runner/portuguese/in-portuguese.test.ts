import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, test } from 'vitest';
import { authenticationFaults, authorisationFaults, limitFault, retirementFault } from '../../generators/faults.ts';
import { plainFlaws } from '../../generators/flaws.ts';
import { inPortuguese } from './in-portuguese.ts';
import portuguese from './pt-BR.json' with { type: 'json' };

/** The texts in a program: of a template, with a number in each place of something else; where names are given, those of such members, the hints that are handed over, and why something is not exercised. */
function textsIn(file: string, names?: readonly string[]): string[] {
  const texts: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    const { type, value, quasis, ...rest } = { type: '', ...node } as Record<string, unknown>;
    if (typeof type === 'string' && /^(?:Import|Export(?!Named)|TS(?!As|Satisfies))/.test(type)) return;
    if (names && type === 'Property' && names.includes(nameIn(rest['key'])))
      return void texts.push(...literalsIn(value));
    if (names && type === 'VariableDeclarator' && /^hint$|Hint$/.test(nameIn(rest['id'])))
      return void texts.push(...literalsIn(rest['init']));
    if (
      names &&
      /^(?:Call|New)Expression$/.test(String(type)) &&
      /^\.refuses|^isRefused|^isTaken$|^refusesLarge$|^NotExercised$|^LeftOut$/.test(calledIn(rest['callee']))
    )
      texts.push(...[rest['arguments']].flat().flatMap(literalsIn));
    if (!names && type === 'Literal' && typeof value === 'string') texts.push(value);
    if (!names && type === 'TemplateLiteral') texts.push(joined(quasis));
    for (const part of [...Object.values(rest), value, quasis]) visit(part);
  };
  visit(parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }).body);
  return texts.filter((text) => / /.test(text.trim()) && /[a-z]{2}/.test(text));
}

/** The name of the function that is called; of a method, behind a dot. */
function calledIn(callee: unknown): string {
  const isMethod = typeof callee === 'object' && callee !== null && 'property' in callee;
  return isMethod ? `.${nameIn(callee.property)}` : nameIn(callee);
}

function nameIn(key: unknown): string {
  return typeof key === 'object' && key !== null && 'name' in key ? String(key.name) : '';
}

/** What a member may be: a text, a template, or one of several. */
function literalsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, value, quasis, ...rest } = { type: '', ...node } as Record<string, unknown>;
  if (type === 'Literal' && typeof value === 'string') return [value];
  if (type === 'TemplateLiteral') return [joined(quasis)];
  return ['consequent', 'alternate', 'left', 'right'].flatMap((part) => literalsIn(rest[part]));
}

function joined(quasis: unknown): string {
  const pieces = Array.isArray(quasis) ? quasis.map((quasi: { value: { cooked: string } }) => quasi.value.cooked) : [];
  return pieces.reduce((whole, piece, at) => `${whole}${numberAt(at)}${piece}`);
}

/** A number that stands nowhere else. */
const numberAt = (at: number): string => String(7000 + at);

const preflight = globSync('runner/preflight/*.ts').filter((file) => !file.endsWith('.test.ts'));
const files = [
  ...preflight,
  'desk/doctor-lines.ts',
  'runner/results/publish.ts',
  'contract/clause.ts',
  'contract/values.ts',
];

/** Pieces that only make sense within others, which the examples below hold, and texts that nobody is shown, or in English. */
const pieces: ReadonlySet<string> = new Set([
  '| setting | what it adds |',
  '| what is needed | what supplies it | must clauses |',
  'error: 7001',
  "error: the reports can't be written to 7001 (7002)",
  'each after the one before',
  'all after the first',
  '(not shown: the path holds a secret)',
  'must clause',
  ', or ',
  "the profile's ",
  ' with 7001',
  ' and 7001 more',
  ' (and 7001 more)',
  '7001 in 7002',
  '7001, through 7002',
  'through 7001',
  '7001; 7002 through 7003',
  'a 7001 at 7002',
  'is not known',
  'is known',
  'NFE_REQUIRE_COMPLETE is true, and 7001 7002 not exercised',
  '7001: 7002: 70037004; npm run doctor tells all that was found',
  'no sense',
  'unknown reason',
]);

describe('every text of the preflight and of the doctor', () => {
  test.each(files)('is there in Portuguese, with all that varies in it: %s', (file) => {
    const missing = textsIn(file).filter((text) => {
      const portuguese = inPortuguese(text);
      const numbers = text.match(/70\d\d/g) ?? [];
      return !pieces.has(text) && (portuguese === text || numbers.some((number) => !portuguese.includes(number)));
    });
    expect(missing).toEqual([]);
  });
});

/** What a judge or a check shows of its own, too short or too much the target's to be put into words. */
const shownAsItIs: readonly RegExp[] = [
  /^(?:7\d{3} )?(?:once more|more|bytes|lost|for two|returns 7\d{3}|and 7\d{3})$/,
  /^(?:one|at|status|Content-Encoding:) 7\d{3}$/,
  /^7\d{3} (?:once more|more|and 7\d{3}|returns 7\d{3}|lost|for two)$|^7\d{3}, validationStatus 7\d{3}$/,
  /^zero bytes$|^This API has been retired|^validation\.validationStatus|^status Cancelada$|^200, validationStatus REJECTED$/,
];

test('what a finding expects, shows and hints at, and why something is not exercised, is there in Portuguese', () => {
  const judges = globSync(['judge/*.ts', 'specs/**/*.ts', 'targets/**/*.ts']).filter(
    (file) => !/\.test\.ts$|testing/.test(file),
  );
  const texts = judges.flatMap((file) => textsIn(file, ['expected', 'actual', 'hint', 'reason']));
  const missing = texts.filter(
    (text) => inPortuguese(text) === text && !shownAsItIs.some((pattern) => pattern.test(text)),
  );
  expect([...new Set(missing)]).toEqual([]);
});

test('every wrong way to sign is there in Portuguese', () => {
  const texts = globSync('generators/wrong-recipes/{body,hash,path}.ts').flatMap((file) => textsIn(file));
  const ways = texts.filter((text) => /^(?:over|with|without|as|in the order) /.test(text));
  expect(ways.length).toBeGreaterThan(70);
  const said = (text: string): string => inPortuguese(`the target takes a sign computed ${text}`);
  expect(
    ways.filter((text) => !/^o serviço aceita uma assinatura calculada (?:sobre|com|sem|como|na) /.test(said(text))),
  ).toEqual([]);
});

test('every flaw whose order is observed is there in Portuguese, and no other', () => {
  const faults = [...authenticationFaults, retirementFault, ...authorisationFaults, limitFault, ...plainFlaws];
  const names = new Set(faults.map(({ name }) => name.replace(/\d+/, '{n}')));
  expect(Object.keys(portuguese.flaws).toSorted()).toEqual([...names].toSorted());
});

describe('a text in Portuguese', () => {
  test.each([
    [
      'the certificate of api.example has expired (CERT_HAS_EXPIRED)',
      'o certificado de api.example expirou (CERT_HAS_EXPIRED)',
    ],
    [
      'https://api.example answers 403/10009004 (application disabled), through HTTPS_PROXY (http://p.example:3128)',
      'https://api.example responde 403/10009004 (aplicação desabilitada), através de HTTPS_PROXY (http://p.example:3128)',
    ],
    [
      "the target's clock is 310.2 s ahead of this machine's (Date header, ± 513 ms): too far for timestamps judged to ±300 s",
      'o relógio do serviço está 310.2 s adiantado em relação ao desta máquina (header Date, ± 513 ms): longe demais para timestamps julgados a ±300 s',
    ],
    [
      'needs minutes that pass: a clock that can be moved, or patience: set NFE_SLOW, or NFE_CONTROL_URL with NFE_CONTROL_TOKEN',
      'precisa de minutos que passem: um relógio que possa ser movido, ou paciência: defina NFE_SLOW, ou NFE_CONTROL_URL com NFE_CONTROL_TOKEN',
    ],
    [
      'set it with NFE_CONTROL_TOKEN for 1,126 must clauses more (token 2)',
      'defina com NFE_CONTROL_TOKEN para 1.126 cláusulas obrigatórias a mais (token 2)',
    ],
    [
      'About 1,398 requests at 5 a second, about 5 min; 1,997 at most.',
      'Cerca de 1.398 requisições a 5 por segundo, uns 5 min; 1.997 no máximo.',
    ],
    ['localhost is 127.0.0.1, ::1', 'localhost é 127.0.0.1, ::1'],
    ['1 certificate in ca.pem, all of them expired', '1 certificado em ca.pem, todos expirados'],
    [
      'NFE_BASE_URL straight; NFE_CONTROL_URL through HTTP_PROXY (http://p.example:3128)',
      'NFE_BASE_URL direto; NFE_CONTROL_URL através de HTTP_PROXY (http://p.example:3128)',
    ],
    [
      'NFE_APP_SECRET: the target says 401/10009002 (invalid token): it does not know this secret: copy the secret anew, since a rotation makes the former one invalid; npm run doctor tells all that was found',
      'NFE_APP_SECRET: o serviço diz 401/10009002 (token inválido): ele não conhece este segredo: copie o segredo de novo, pois uma rotação invalida o anterior; npm run doctor diz tudo o que foi achado',
    ],
    ['404, an HTML page', '404, uma página HTML'],
    ['POST, a body that is no UTF-8', 'POST, um corpo que não está em UTF-8'],
    ['200 and an empty body', '200 e um corpo vazio'],
    ['"Ativa", in all 1,204 that were seen', '"Ativa", em todas as 1.204 vistas'],
    [
      '{"code": 1}, in 3 of 40 tries: intermittent, 95 % interval 2 % to 20 %',
      '{"code": 1}, em 3 de 40 tentativas: intermitente, intervalo de 95 %: 2 % a 20 %',
    ],
  ])('is put together from its parts: %s', (english, portuguese) => {
    expect(inPortuguese(english)).toBe(portuguese);
  });

  test.each([
    ['422: {"message": "field is required: set it with a value, or try again"}'],
    ['422: "the target says nothing; try again"'],
    ['<p>nothing answers there</p>'],
    ['no sentence of ours'],
    ['neither this, or that'],
    [''],
  ])('is the English where somebody else has said it: %s', (text) => {
    expect(inPortuguese(text)).toBe(text);
    expect(inPortuguese(`the profile's empresa.json was refused: ${text}`)).toBe(
      `empresa.json do perfil foi recusado: ${text}`,
    );
  });

  test('takes no long time, whatever a target has put into it', () => {
    const started = performance.now();
    for (const text of ['a: b; c, or d (e) '.repeat(38), ': '.repeat(350), 'x'.repeat(700)]) inPortuguese(text);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
