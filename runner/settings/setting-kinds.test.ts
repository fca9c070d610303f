import { describe, expect, test } from 'vitest';
import {
  anyText,
  baseUrl,
  contentType,
  flag,
  headerPrefix,
  integer,
  listenAddress,
  notNegative,
  oneOf,
  pathSegment,
  secretText,
  wholeUrl,
  type SettingKind,
} from './setting-kinds.ts';

type Case = readonly [text: string, value: unknown];

/** Whether each text means that value; `undefined`: the text is refused. */
function means(kind: SettingKind<unknown>, cases: readonly Case[]): void {
  test.each(cases)('%j means %j', (text, value) => {
    expect(kind.parse(text)).toEqual(value);
  });
}

describe('flag', () => {
  means(flag, [
    ['true', true],
    ['false', false],
    ['TRUE', undefined],
    ['1', undefined],
    ['yes', undefined],
    ['constructor', undefined],
  ]);
});

describe('oneOf', () => {
  means(oneOf(['embedded', 'sandbox']), [
    ['sandbox', 'sandbox'],
    ['Sandbox', undefined],
    ['local', undefined],
  ]);
});

describe('integer', () => {
  means(integer(-(2 ** 31), 2 ** 31 - 1), [
    ['0', 0],
    ['-2147483648', -2147483648],
    ['2147483647', 2147483647],
    ['-2147483649', undefined],
    ['2147483648', undefined],
    ['-0', undefined],
    ['007', undefined],
    ['1e3', undefined],
    ['0x10', undefined],
    ['1.0', undefined],
    [' 1', undefined],
    ['١', undefined],
  ]);
});

describe('notNegative', () => {
  means(notNegative, [
    ['0', 0],
    ['0.5', 0.5],
    ['12', 12],
    ['-1', undefined],
    ['.5', undefined],
    ['1e3', undefined],
    ['Infinity', undefined],
    ['9'.repeat(400), undefined],
  ]);
});

describe('secretText', () => {
  means(secretText, [
    ['aB+/c.D_e-9==', 'aB+/c.D_e-9=='],
    ['a b', 'a b'],
    ['x', 'x'],
    ['x ', undefined],
    [' x', undefined],
    ['senha-ção', undefined],
    ['a\r\nb', undefined],
  ]);
});

describe('anyText', () => {
  means(anyText, [
    ['Padaria São João', 'Padaria São João'],
    ['a\nb', undefined],
  ]);
});

describe('pathSegment', () => {
  means(pathSegment, [
    ['Emp.A-9_b~Z', 'Emp.A-9_b~Z'],
    ['a%2Fb', 'a%2Fb'],
    ['a/b', undefined],
    ['a?b', undefined],
    ['a#b', undefined],
    ['a b', undefined],
    ['..', undefined],
    ['ção', undefined],
  ]);
});

describe('headerPrefix', () => {
  means(headerPrefix, [
    ['X-Service', 'X-Service'],
    ['X_Brand.9', 'X_Brand.9'],
    ['X-Service-', undefined],
    ['X Service', undefined],
    ['X-Serviço', undefined],
    ['X:', undefined],
  ]);
});

describe('contentType', () => {
  means(contentType, [
    ['application/xml', 'application/xml'],
    ['text/xml; charset="utf-8"', 'text/xml; charset="utf-8"'],
    ['xml', undefined],
    ['application/xml\r\nx: y', undefined],
  ]);
});

describe('baseUrl', () => {
  means(baseUrl, [
    ['https://host.test', 'https://host.test'],
    ['https://host.test/', 'https://host.test'],
    ['HTTP://Host.test:8080/nfe/v9//', 'http://host.test:8080/nfe/v9'],
    ['http://[::1]:80/a', 'http://[::1]/a'],
    ['https://host.test/@a', 'https://host.test/@a'],
    ['host.test', undefined],
    ['ftp://host.test', undefined],
    ['https:host.test', undefined],
    ['https:///host.test', undefined],
    ['https://user:pw@host.test', undefined],
    ['https://user@host.test', undefined],
    ['https://host.test/?a=1', undefined],
    ['https://host.test/?', undefined],
    ['https://host.test/#', undefined],
    ['https://host.test:99999', undefined],
    ['https://host.test\\a', undefined],
    [' https://host.test', undefined],
  ]);
});

describe('wholeUrl', () => {
  means(wholeUrl, [
    ['https://host.test/hook/?for=nfe', 'https://host.test/hook/?for=nfe'],
    ['https://host.test/hook/', 'https://host.test/hook/'],
    ['https://host.test?for=nfe', 'https://host.test?for=nfe'],
    ['https://u:p@host.test/hook', undefined],
    ['https://host.test/#a', undefined],
    ['/hook', undefined],
  ]);
});

describe('listenAddress', () => {
  means(listenAddress, [
    ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
    ['host-1.test:65535', { host: 'host-1.test', port: 65535 }],
    ['[::1]:8080', { host: '::1', port: 8080 }],
    ['::1:8080', undefined],
    ['localhost', undefined],
    [':8080', undefined],
    ['localhost:65536', undefined],
    ['http://localhost:80', undefined],
  ]);
});
