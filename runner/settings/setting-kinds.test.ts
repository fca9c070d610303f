import { describe, expect, test } from 'vitest';
import * as kinds from './setting-kinds.ts';

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
