import { describe, expect, test } from 'vitest';
import { command, npmTest } from '../testing/runs.ts';

const absent = { NFE_BASE_URL: 'http://127.0.0.1:1', NFE_APP_SECRET: 'a-secret' };

describe('in Portuguese', () => {
  test('the doctor tells what it finds and what to do', async () => {
    const { stdout } = await command('doctor', { ...absent, LC_ALL: 'pt_BR.UTF-8' });
    expect(stdout).toMatch(
      /^✗ problema {2}TCP: não dá para alcançar 127\.0\.0\.1:1 \(ECONNREFUSED\) → nada escuta ali/,
    );
    expect(stdout).toMatch(/\nNão está pronto: 1 problema( \(1 aviso\))?\nPróximo passo: nada escuta ali/);
  });

  test('the doctor of programs is English', async () => {
    const { stdout } = await command('doctor', { ...absent, NFE_LANGUAGE: 'pt' }, ['--json']);
    expect(stdout).toContain('"conclusion": "Not ready: 1 problem');
  });

  test('npm test says why it could not begin, and results.json stays English', async () => {
    const { stdout, stderr, files } = await command('test', { ...absent, NFE_LANGUAGE: 'pt' });
    expect(stderr).toMatch(
      /^error: NFE_BASE_URL: TCP: não dá para alcançar .*; npm run doctor diz tudo o que foi achado\n$/,
    );
    expect(stdout).toMatch(/^Relatórios: /m);
    expect(files.get('results.json')).toContain("TCP: 127.0.0.1:1 can't be reached");
    expect(files.get('summary.md')).toMatch(/^## ! Erro\n\n[^]*nada escuta ali/);
  });
});

describe.concurrent('a run that can’t be made ends with exit 2 and one line that names the setting', () => {
  const sandbox = { NFE_BASE_URL: 'http://127.0.0.1:9', NFE_APP_SECRET: 'any-secret' };

  test.each<[string, Record<string, string>, RegExp]>([
    ['a misspelt setting', { NFE_NUMRUNS: '5' }, /^error: NFE_NUMRUNS is not a setting: did you mean NFE_NUM_RUNS/],
    ['a profile that is not there', { NFE_PROFILE: 'no/such/folder' }, /^error: NFE_PROFILE: .*no\/such\/folder/],
    ['a proxy that is no URL', { ...sandbox, HTTPS_PROXY: 'proxy:3128' }, /^error: HTTPS_PROXY takes the URL/],
    ['a sandbox without secret', { NFE_BASE_URL: 'http://127.0.0.1:9' }, /^error: NFE_APP_SECRET is unset/],
  ])('%s', async (_, settings, line) => {
    const { status, stdout, stderr, results } = await npmTest(settings);
    expect(stderr).toMatch(line);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(status).toBe(2);
    expect(results).toBeUndefined();
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['a target that can’t be reached', sandbox, /^error: NFE_BASE_URL: TCP: 127\.0\.0\.1:9 can't be reached/],
    [
      'a control API that can’t be reached',
      { ...sandbox, NFE_CONTROL_URL: 'http://127.0.0.1:9', NFE_CONTROL_TOKEN: 'any-secret' },
      /^error: NFE_BASE_URL: TCP: .* \(and 1 problem more\)/,
    ],
  ])('and says where its reports are: %s', async (_, settings, line) => {
    const { status, stdout, stderr, results } = await npmTest(settings);
    expect(stderr).toMatch(line);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout).toMatch(/^Reports: [^\n]*index\.html[^\n]*\n$/);
    expect(status).toBe(2);
    expect(results?.clauses).toEqual([]);
  });

  test.each([
    [['--clause', 'signature.nope'], /did you mean|--list/],
    [['--topic', 'nope'], /no topic is called that/],
    [['--nope'], /--nope/],
    [['--clause', 'token.displayed-once'], /no check judges token\.displayed-once/],
  ])('a filter that matches nothing or can’t be followed: %j', async (words, line) => {
    const { status, stdout, stderr } = await npmTest({}, ...words);
    expect(stderr).toMatch(line);
    expect(stdout).toBe('');
    expect(status).toBe(2);
  });

  // Whether a title is found shows only once the spec files have been read: then it is a run, with reports.
  test('a title that no check has', async () => {
    const { status, stdout, stderr } = await npmTest({}, '--clause', 'echo.status', '--check', 'no such check');
    expect(stderr).toMatch(/^error: .*none is titled "no such check"\n$/);
    expect(stdout).toMatch(/^(0 of 1 must clause, .*\n)?Reports: [^\n]*\n$/);
    expect(status).toBe(2);
  });
});
