import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { needs } from '../../contract/clause.ts';
import { newFolder } from '../testing/folders.ts';
import { languageIn } from './setting-kinds.ts';
import { SettingError, loadEnvironment, nearest, readSettings, namedSecrets, type Settings } from './settings.ts';
import { settingsTable, type Setting } from './settings-table.ts';

const table: readonly Setting[] = Object.values(settingsTable);
const sandbox = { NFE_BASE_URL: 'https://host.test', NFE_APP_SECRET: 's3cr3t-key' };

function refusal(environment: Record<string, string | undefined>): string {
  try {
    readSettings(environment);
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('defaults', () => {
  test('nothing is required', () => {
    expect(readSettings({})).toMatchObject({
      target: 'embedded',
      baseUrl: undefined,
      appSecret: undefined,
      profile: 'profiles/default',
      webhookListen: { host: '127.0.0.1', port: 0 },
      webhookPublicUrl: undefined,
      webhookHeaderPrefix: 'X-Service',
      xmlContentType: 'application/xml',
      numRuns: 100,
      seed: undefined,
      strict: false,
      slow: false,
      requireComplete: false,
      maxRps: 0,
      burst: 8,
      rateBurst: 200,
      settleTimeoutSeconds: 60,
      allowProducao: false,
      reportDir: 'reports/out',
    });
  });

  test('a base URL makes the target a sandbox, which is treated more gently', () => {
    expect(readSettings(sandbox)).toMatchObject({ target: 'sandbox', numRuns: 10, maxRps: 5 });
  });

  test('a container is reached by network, so the receiver listens where one can be reached', () => {
    const settings = readSettings({ NFE_TARGET: 'container' });
    expect(settings).toMatchObject({ target: 'container', numRuns: 100, maxRps: 0 });
    expect(settings.webhookListen).toEqual({ host: '0.0.0.0', port: 0 });
    expect(readSettings({ NFE_TARGET: 'container', NFE_WEBHOOK_LISTEN: '172.17.0.1:0' }).webhookListen.host).toBe(
      '172.17.0.1',
    );
  });

  test('an empty text counts as unset', () => {
    expect(readSettings(Object.fromEntries(table.map(({ name }) => [name, ''])))).toEqual(readSettings({}));
  });

  test('a field has the type of what its setting takes', () => {
    expectTypeOf<Settings['target']>().toEqualTypeOf<'embedded' | 'container' | 'sandbox'>();
    expectTypeOf<Settings['numRuns']>().toEqualTypeOf<number>();
    expectTypeOf<Settings['seed']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Settings['strict']>().toEqualTypeOf<boolean>();
    expectTypeOf<Settings['baseUrl']>().toEqualTypeOf<string | undefined>();
  });
});

describe('contradictions', () => {
  test.each([
    ['embedded with a base URL', { ...sandbox, NFE_TARGET: 'embedded' }, /^NFE_BASE_URL .*NFE_TARGET/],
    [
      'a sandbox without base URL',
      { NFE_TARGET: 'sandbox', NFE_APP_SECRET: 'any-secret' },
      /^NFE_BASE_URL .*takes an absolute/,
    ],
    [
      'a control URL without token',
      { ...sandbox, NFE_CONTROL_URL: 'http://c.test' },
      /^NFE_CONTROL_URL .*NFE_CONTROL_TOKEN/,
    ],
    [
      'a control token without URL',
      { ...sandbox, NFE_CONTROL_TOKEN: 'any-token' },
      /^NFE_CONTROL_TOKEN .*NFE_CONTROL_URL/,
    ],
    [
      'a sandbox with neither secret nor control API',
      { NFE_BASE_URL: 'http://h.test' },
      /^NFE_APP_SECRET .*NFE_CONTROL_URL/,
    ],
    ['a container with a base URL', { ...sandbox, NFE_TARGET: 'container' }, /^NFE_BASE_URL .*NFE_TARGET/],
  ])('%s is refused', (_, environment, message) => {
    expect(refusal(environment)).toMatch(message);
  });

  test('a control API stands in for the App Secret of a sandbox', () => {
    const control = { NFE_CONTROL_URL: 'http://host.test/', NFE_CONTROL_TOKEN: 't0ken-of-it' };
    const settings = readSettings({ NFE_BASE_URL: 'https://host.test', ...control });
    expect(settings).toMatchObject({ target: 'sandbox', controlUrl: 'http://host.test', controlToken: 't0ken-of-it' });
  });
});

describe('limits', () => {
  test.each([
    ['NFE_NUM_RUNS', ['1', '100000'], ['0', '100001', '1.5']],
    ['NFE_RATE_BURST', ['1'], ['0']],
    ['NFE_BURST', ['1', '100'], ['0', '101', 'many']],
    ['NFE_SETTLE_TIMEOUT', ['1', '86400'], ['0', '86401']],
  ])('%s takes %j and refuses %j', (name, taken, refused) => {
    const outcomes = [...taken, ...refused].map((text) => [text, refusal({ [name]: text }).split(' takes ')[0]]);
    expect(outcomes).toEqual([...taken.map((text) => [text, 'accepted']), ...refused.map((text) => [text, name])]);
  });
});

describe('unknown names', () => {
  test.each([
    ['NFE_BASEURL', 'did you mean NFE_BASE_URL?'],
    ['nfe_target', 'did you mean NFE_TARGET?'],
    ['NEF_TARGET', 'did you mean NFE_TARGET?'],
    ['NFE_APP_SECRET_UNSUSCRIBED', 'did you mean NFE_APP_SECRET_UNSUBSCRIBED?'],
    ['NFE_UNLIKE_ANYTHING_ELSE', '.env.example lists them all'],
    ['nfe_unlike_anything_else', '.env.example lists them all'],
  ])('%s is refused', (name, hint) => {
    expect(refusal({ [name]: 'x' })).toBe(`${name} is not a setting: ${hint}`);
  });

  test.each([
    ['ECHOS', 3, 'echo'],
    ['NEF_', 2, undefined],
    ['eho', 1, 'echo'],
  ])('%s is a misspelling by %i edits at most, letter case aside, of %s', (word, most, meant) => {
    expect(nearest(word, ['echo.other', 'ecco', 'echo'], most)).toBe(meant);
  });

  test.each(['PATH', 'NODE_ENV', 'HTTPS_PROXY', 'NF_TARGETS_OF_ANOTHER_TOOL'])('%s is left alone', (name) => {
    expect(refusal({ [name]: 'x' })).toBe('accepted');
  });
});

describe('secrets', () => {
  const secrets = table.filter(({ secret }) => secret).map(({ name }) => name);

  test('the App Secrets and the control token are secret, nothing else is', () => {
    expect(secrets).toEqual(table.map(({ name }) => name).filter((name) => /APP_SECRET|TOKEN/.test(name)));
    expect(secrets).toHaveLength(9);
  });

  test('the secrets that are set are given by the names of their settings', () => {
    const settings = readSettings({ ...sandbox, NFE_APP_KEY: 'key', NFE_APP_SECRET_ROTATED: '0ld-secret' });
    expect([...namedSecrets(settings)]).toEqual([
      ['s3cr3t-key', '$NFE_APP_SECRET'],
      ['0ld-secret', '$NFE_APP_SECRET_ROTATED'],
    ]);
  });

  test.each(table)(
    'the error of a malformed $name is one line that names it and repeats no value',
    ({ name, takes }) => {
      const value = 'hunter2\nhunter2';
      const { NFE_BASE_URL, NFE_APP_SECRET } = sandbox;
      const message = refusal({ NFE_BASE_URL, NFE_APP_SECRET, [name]: value });
      expect(message).toBe(`${name} takes ${takes.text}`);
      expect(message).not.toMatch(/\n|hunter2/);
    },
  );
});

describe('the language', () => {
  test.each([
    [{}, 'en'],
    [{ LANG: 'pt_BR.UTF-8' }, 'pt-BR'],
    [{ LANG: 'PT' }, 'pt-BR'],
    [{ LANG: 'ptx' }, 'en'],
    [{ LANG: 'pt_BR.UTF-8', LC_MESSAGES: 'en_US.UTF-8' }, 'en'],
    [{ LC_MESSAGES: 'pt_BR', LC_ALL: 'C' }, 'en'],
    [{ LANG: 'pt_BR', LC_ALL: '' }, 'pt-BR'],
    [{ NFE_LANGUAGE: 'en', LC_ALL: 'pt_BR' }, 'en'],
    [{ NFE_LANGUAGE: 'pt', LC_ALL: 'C' }, 'pt-BR'],
  ])('in %j is %s', (environment, language) => {
    expect([languageIn(environment), readSettings(environment).language]).toEqual([language, language]);
  });
});

describe('.env', () => {
  const load = (file: string, environment: Record<string, string | undefined> = {}): Record<string, string> => {
    const path = join(newFolder(), '.env');
    writeFileSync(path, file);
    return loadEnvironment(path, environment);
  };

  test.each([
    [
      'NFE_SEED=7 # ours\nexport NFE_STRICT="true"\n',
      { PATH: '/bin' },
      { PATH: '/bin', NFE_SEED: '7', NFE_STRICT: 'true' },
    ],
    ['NFE_SEED=7', { NFE_SEED: '8' }, { NFE_SEED: '8' }],
    ['NFE_SEED=7', { NFE_SEED: '' }, { NFE_SEED: '' }],
    ['NFE_SEED=7', { NFE_SEED: undefined }, { NFE_SEED: '7' }],
    ['# NFE_SEED=7\n  #NFE_STRICT true', {}, {}],
    ['https_proxy=http://file', { HTTPS_PROXY: 'http://own' }, { HTTPS_PROXY: 'http://own' }],
    [
      'http_proxy=http://q\nno_proxy=h\nNODE_EXTRA_CA_CERTS=ca.pem\nNODE_OPTIONS=--inspect\nOTHER=x',
      {},
      { http_proxy: 'http://q', no_proxy: 'h', NODE_EXTRA_CA_CERTS: 'ca.pem' },
    ],
    ['NEF_TARGET=sandbox', {}, { NEF_TARGET: 'sandbox' }],
  ])('with %j below %j comes to %j', (file, environment, expected) => {
    expect(load(file, environment)).toEqual(expected);
  });

  test('adds nothing where there is none, and is refused where it is no file or has a setting without equals sign', () => {
    expect(loadEnvironment(join(newFolder(), 'none'), { NFE_SEED: '8' })).toEqual({ NFE_SEED: '8' });
    expect(() => loadEnvironment(newFolder(), {})).toThrow(SettingError);
    expect(() => load('NFE_SEED 7')).toThrow(/^NFE_SEED in .* is not written as NFE_SEED=value$/);
  });

  test('in UTF-16 is refused, as what a shell wrote in it would be lost without a word', () => {
    const path = join(newFolder(), '.env');
    writeFileSync(path, Buffer.from('\ufeffNFE_SEED=7\r\n', 'utf16le'));
    expect(() => loadEnvironment(path, {})).toThrow(/is written in UTF-16, or is no text: save it as UTF-8$/);
  });
});

describe('.env.example', () => {
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  const lines = [...example.matchAll(/^# (NFE_\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]);

  test('it lists every setting with its default, in the order of the table', () => {
    expect(lines).toEqual(table.map((setting) => [setting.name, setting.default ?? '']));
  });

  test('nothing in it is in force until it is uncommented', () => {
    expect(parse(example)).toEqual({});
  });

  test('uncommented as it stands, it changes nothing', () => {
    expect(readSettings(parse(example.replaceAll(/^# (?=NFE_\w+=)/gm, '')))).toEqual(readSettings({}));
  });
});

test('a setting that a need speaks of exists', () => {
  const named: readonly string[] = Object.values(needs).flatMap(({ settings }) => settings);
  expect(table.map(({ name }) => name)).toEqual(expect.arrayContaining([...named]));
});
