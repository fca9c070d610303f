import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadEnvironment, readSettings, SettingError } from './settings.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nfe-environment-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function load(file: string, environment: Record<string, string | undefined> = {}): Record<string, string> {
  const path = join(folder, '.env');
  writeFileSync(path, file);
  return loadEnvironment(path, environment);
}

test('settings of the file are added to the process environment', () => {
  expect(load('NFE_SEED=7 # ours\nexport NFE_STRICT="true"\n', { PATH: '/bin' })).toEqual({
    PATH: '/bin',
    NFE_SEED: '7',
    NFE_STRICT: 'true',
  });
});

test('the process environment hides the file', () => {
  expect(load('NFE_SEED=7', { NFE_SEED: '8' })).toEqual({ NFE_SEED: '8' });
});

test('an empty text in the process environment unsets what the file sets', () => {
  const environment = load('NFE_SEED=7', { NFE_SEED: '' });
  expect(readSettings(environment).seed).toBeUndefined();
});

test('a variable that the process environment does not define hides nothing', () => {
  expect(load('NFE_SEED=7', { NFE_SEED: undefined })).toEqual({ NFE_SEED: '7' });
});

test('proxies and the extra certificates of the file are passed on, other variables are not', () => {
  const network = { HTTPS_PROXY: 'http://p', http_proxy: 'http://q', no_proxy: 'h', NODE_EXTRA_CA_CERTS: 'ca.pem' };
  const file = Object.entries({ ...network, NODE_OPTIONS: '--inspect', OTHER: 'x' }).map(
    ([name, value]) => `${name}=${value}`,
  );
  expect(load(file.join('\n'))).toEqual(network);
});

test('a proxy of the process environment hides that of the file in either letter case', () => {
  expect(load('https_proxy=http://file', { HTTPS_PROXY: 'http://own' })).toEqual({ HTTPS_PROXY: 'http://own' });
});

test('a misspelt setting of the file gets as far as the settings, which refuse it', () => {
  expect(() => readSettings(load('NEF_TARGET=sandbox'))).toThrow('did you mean NFE_TARGET?');
});

test('a setting without equals sign is refused', () => {
  expect(() => load('NFE_SEED 7')).toThrow(/^NFE_SEED in .* is not written as NFE_SEED=value$/);
});

test('a commented setting is no setting', () => {
  expect(load('# NFE_SEED=7\n  #NFE_STRICT true')).toEqual({});
});

test('a file that does not exist adds nothing', () => {
  expect(loadEnvironment(join(folder, 'none'), { NFE_SEED: '8' })).toEqual({ NFE_SEED: '8' });
});

test('a file that is there but cannot be read is refused', () => {
  expect(() => loadEnvironment(folder, {})).toThrow(SettingError);
});
