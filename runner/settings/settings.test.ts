import { readFileSync } from 'node:fs';
import { parse } from 'dotenv';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { needs } from '../../contract/clause.ts';
import { SettingError } from './setting-error.ts';
import { settingsTable, type Setting } from './settings-table.ts';
import { readSettings, secretsOf, type Settings } from './settings.ts';

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

  test('a sandbox may be driven as hard as a setting says', () => {
    const settings = readSettings({ ...sandbox, NFE_NUM_RUNS: '100', NFE_MAX_RPS: '0' });
    expect(settings).toMatchObject({ numRuns: 100, maxRps: 0 });
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
    ['NFE_SEED', ['-2147483648', '2147483647'], ['-2147483649', '2147483648']],
    ['NFE_MAX_RPS', ['0', '0.5'], ['-1']],
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
    expect([...secretsOf(settings)]).toEqual([
      ['NFE_APP_SECRET', 's3cr3t-key'],
      ['NFE_APP_SECRET_ROTATED', '0ld-secret'],
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
