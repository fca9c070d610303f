import * as kinds from './setting-kinds.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SettingError } from './settings.ts';
import { judge } from '../../reports/judge.ts';
import { sampleFacts } from '../../reports/testing/sample-run.ts';
import { readBaseline, clausesWithChecks, readKnownDeviations, refuseUnknownChecks } from './setting-files.ts';
import { newFolder } from '../testing/folders.ts';

function written(text: string): string {
  const path = join(newFolder(), 'file.json');
  writeFileSync(path, text);
  return path;
}

function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('known deviations', () => {
  const read = (text: string) => readKnownDeviations(written(text));
  const long = (...entries: readonly unknown[]) => read(JSON.stringify({ 'echo.identity-fields': entries }));
  const whole = {
    reason: 'T',
    check: 'c',
    case: '404',
    by: 'Ana',
    until: '2026-12-31',
    endpoint: 'POST /openapi/nfe/verify/xml',
  };

  test.each([
    ['{}', {}],
    ['{"signature.order": "TICKET-1"}', { 'signature.order': 'TICKET-1' }],
    ['{"echo.identity-fields": {"reason": "T"}}', { 'echo.identity-fields': [{ reason: 'T' }] }],
    [
      JSON.stringify({ 'echo.identity-fields': [whole, { reason: 'U' }] }),
      { 'echo.identity-fields': [whole, { reason: 'U' }] },
    ],
  ])('%s is taken', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test.each([
    ['nfe-query', 'GET /openapi/v2/empresas/{empresaId}/nf-e/{nfeId}'],
    ['/openapi/nfe/verify/xml', 'POST /openapi/nfe/verify/xml'],
    ['GET /openapi/cadastro/cnpj/{cnpj}', 'GET /openapi/cadastro/cnpj/{cnpj}'],
  ])('%s names the endpoint %s', (endpoint, is) => {
    expect(long({ reason: 'T', endpoint })).toEqual({ 'echo.identity-fields': [{ reason: 'T', endpoint: is }] });
  });

  test.each([
    ['["signature.order"]', /holds no JSON object$/],
    ['{"signature.order": " "}', /signature\.order in .* has no reason$/],
    ['{"signature.order": 7}', /signature\.order in .* has no reason$/],
    ['{"signature.order": []}', /signature\.order in .* has no reason$/],
    ['NFE_APP_SECRET=hunter2', /is not JSON$/],
  ])('%s is refused, and not repeated', (text, message) => {
    const refused = refusal(() => read(text));
    expect(refused).toMatch(
      /^NFE_KNOWN_DEVIATIONS takes a JSON file of the form \{"<clause id>": "reason or ticket"\}: /,
    );
    expect(refused).toMatch(message);
    expect(refused).not.toContain('hunter2');
  });

  test('an id that is no clause is refused with the likeliest one', () => {
    expect(refusal(() => read('{"signature.odrer": "x"}'))).toMatch(
      /^NFE_KNOWN_DEVIATIONS: .*"signature.odrer", which is no clause: did you mean signature.order\?$/,
    );
  });

  test.each([
    [{ util: '2026-12-31' }, /there is no field "util": did you mean until\?$/],
    [{ somebody: 'Ana' }, /there is no field "somebody": an entry takes reason, /],
    [{ reason: undefined }, /it has no reason: an entry takes reason, /],
    [{ by: ' ' }, /by is no text: an entry takes reason, /],
    [{ until: 2026 }, /until is no text: /],
    [{ until: '2026-02-30' }, /until takes the last day .*, not "2026-02-30"$/],
    [{ until: '31/12/2026' }, /such as 2026-12-31, not "31\/12\/2026"$/],
    [
      { endpoint: 'POST /openapi/nfe/verify/xnl' },
      /no endpoint is called .*: did you mean POST \/openapi\/nfe\/verify\/xml\?$/,
    ],
    [
      { endpoint: 'GET /openapi/cadastro/cnpj/12345678000195' },
      /its path is written as a template: GET \/openapi\/cadastro\/cnpj\/\{cnpj\}$/,
    ],
    [
      { endpoint: '/openapi/v2/empresas/{empresaId}/nf-e/{nfeId}' },
      /stands for GET .* and for DELETE .*: name one of them$/,
    ],
  ])('an entry with %j is refused in one line that names it', (entry, message) => {
    const refused = refusal(() => long({ reason: 'first' }, { reason: 'T', ...entry }));
    expect(refused).toMatch(/^NFE_KNOWN_DEVIATIONS: [^\n]*, echo\.identity-fields, entry 2: [^\n]*$/);
    expect(refused).toMatch(message);
  });

  test('a title that no check of the clause has is refused with the nearest one', () => {
    const known = {
      'echo.identity-fields': [{ reason: 'T' }, { reason: 'T', check: 'the ap key is told' }],
      'echo.b': 'T',
    };
    const titles = new Map([['echo.identity-fields', ['the app key is told', 'another rule']]]);
    expect(clausesWithChecks(known)).toEqual(['echo.identity-fields']);
    expect(refusal(() => refuseUnknownChecks(known, titles))).toBe(
      'NFE_KNOWN_DEVIATIONS: echo.identity-fields, entry 2: no check of it is titled "the ap key is told": did you mean the app key is told?',
    );
    const right = { 'echo.identity-fields': [{ reason: 'T', check: 'the app key is told' }] };
    expect(refusal(() => refuseUnknownChecks(right, titles))).toBe('accepted');
  });
});

describe('the baseline', () => {
  test('is results of this format', () => {
    const earlier = judge(sampleFacts, [], []);
    expect(readBaseline(written(JSON.stringify(earlier)))).toEqual(earlier);
  });

  test.each(['[]', 'results'])('is refused where it is %s', (text) => {
    expect(refusal(() => readBaseline(written(text)))).toMatch(
      /^NFE_BASELINE takes the results\.json of an earlier run: .*file\.json is not /,
    );
  });
});

const same = (...texts: readonly string[]): readonly (readonly [string, unknown])[] =>
  texts.map((text) => [text, text]);

/** Of each kind what some texts mean, and texts that it refuses. */
const rows: readonly (readonly [
  string,
  kinds.SettingKind<unknown>,
  readonly (readonly [string, unknown])[],
  readonly string[],
])[] = [
  [
    'flag',
    kinds.flag,
    [
      ['true', true],
      ['false', false],
    ],
    ['TRUE', '1', 'yes', 'constructor'],
  ],
  ['oneOf', kinds.oneOf(['embedded', 'sandbox']), same('sandbox'), ['Sandbox', 'local']],
  [
    'language',
    kinds.language,
    [
      ['en', 'en'],
      ['pt', 'pt-BR'],
    ],
    ['pt-BR', 'EN', 'de'],
  ],
  [
    'integer',
    kinds.integer(-(2 ** 31), 2 ** 31 - 1),
    [
      ['0', 0],
      ['-2147483648', -2147483648],
      ['2147483647', 2147483647],
    ],
    ['-2147483649', '2147483648', '-0', '007', '1e3', '0x10', '1.0', ' 1', '١'],
  ],
  [
    'notNegative',
    kinds.notNegative,
    [
      ['0', 0],
      ['0.5', 0.5],
      ['12', 12],
    ],
    ['-1', '.5', '1e3', 'Infinity', '9'.repeat(400)],
  ],
  ['secretText', kinds.secretText, same('aB+/c.D_e-9==', 'a b', 'x'), ['x ', ' x', 'senha-ção', 'a\r\nb']],
  ['anyText', kinds.anyText, same('Padaria São João'), ['a\nb']],
  ['pathSegment', kinds.pathSegment, same('Emp.A-9_b~Z', 'a%2Fb'), ['a/b', 'a?b', 'a#b', 'a b', '..', 'ção']],
  ['headerPrefix', kinds.headerPrefix, same('X-Service', 'X_Brand.9'), ['X-Service-', 'X Service', 'X-Serviço', 'X:']],
  [
    'contentType',
    kinds.contentType,
    same('application/xml', 'text/xml; charset="utf-8"'),
    ['xml', 'application/xml\r\nx: y'],
  ],
  [
    'baseUrl',
    kinds.baseUrl,
    [
      ...same('https://host.test', 'https://host.test/@a'),
      ['https://host.test/', 'https://host.test'],
      ['HTTP://Host.test:8080/nfe/v9//', 'http://host.test:8080/nfe/v9'],
      ['http://[::1]:80/a', 'http://[::1]/a'],
    ],
    [
      'host.test',
      'ftp://host.test',
      'https:host.test',
      'https:///host.test',
      ' https://host.test',
      'https://user:pw@host.test',
      'https://user@host.test',
      'https://host.test:99999',
      'https://host.test\\a',
      'https://host.test/?a=1',
      'https://host.test/?',
      'https://host.test/#',
    ],
  ],
  [
    'wholeUrl',
    kinds.wholeUrl,
    same('https://host.test/hook/?for=nfe', 'https://host.test/hook/', 'https://host.test?for=nfe'),
    ['https://u:p@host.test/hook', 'https://host.test/#a', '/hook'],
  ],
  [
    'listenAddress',
    kinds.listenAddress,
    [
      ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
      ['host-1.test:65535', { host: 'host-1.test', port: 65535 }],
      ['[::1]:8080', { host: '::1', port: 8080 }],
    ],
    ['::1:8080', 'localhost', ':8080', 'localhost:65536'],
  ],
];

describe.each(rows)('%s', (_, kind, taken, refused) => {
  test.each(taken)('takes %j for %j', (text, value) => {
    expect(kind.parse(text)).toEqual(value);
  });

  test.each(refused)('refuses %j', (text) => {
    expect(kind.parse(text)).toBeUndefined();
  });
});
