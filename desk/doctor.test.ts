import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { portOf } from '../targets/testing/served.ts';
import { runningSimulator } from '../simulator/testing/call.ts';
import { newFolder } from '../runner/testing/folders.ts';
import { command, type Ended } from '../runner/testing/runs.ts';
import { maskFor } from '../trace/mask.ts';
import { notSet, ok, problem, warning } from '../runner/preflight/finding.ts';
import { asJson, conclusion, doctorLines, findingLine, shown } from './doctor-lines.ts';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';

/** Runs the doctor with these settings only. */
const doctor = (settings: Record<string, string>, ...words: string[]): Promise<Ended> =>
  command('doctor', settings, words);

const certificate = selfSigned();
const simulator = runningSimulator();

/** Answers every request as a service would; a timestamp outside the tolerance is refused. */
const service: RequestListener = (incoming, response) => {
  const now = new Date();
  const skew = Math.abs(now.getTime() / 1000 - Number(incoming.headers['timestamp']));
  const data = { echo: 'preflight', appKey: 'k', appName: 'n', serverTime: now.toISOString() };
  const [status, body] =
    skew > 300
      ? [401, { success: false, errorType: 1, code: 10009001, message: 'timestamp' }]
      : [200, { success: true, message: 'ok', data }];
  incoming.resume().on('end', () => {
    response.writeHead(status, { 'content-type': 'application/json', date: now.toUTCString() });
    response.end(JSON.stringify(body));
  });
};

describe.concurrent('npm run doctor', () => {
  test('finds the embedded simulator ready: nothing needs to be set', async () => {
    const { status, stdout, stderr } = await doctor({});
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^✓ ok {7}target: the embedded simulator: nothing needs to be set$/m);
    expect(stdout).toMatch(/\nReady: npm test will exercise (\d+) of \1 must clauses\n$/);
    expect(stdout).toMatch(/^✓ ok {7}endpoints: 10 endpoints of 10 [^;]*$/m);
    expect(stdout).not.toMatch(/^[!✗○–]/m);
  });

  test('tells a credential in another state, an identity that is not echoed, and JSON says the same', async () => {
    const { appSecret } = await simulator.application();
    const settings = { NFE_BASE_URL: simulator.baseUrl, NFE_APP_SECRET: appSecret, NFE_MAX_RPS: '0' };
    const more = { NFE_APP_SECRET_ROTATED: appSecret, NFE_APP_NAME: 'Another' };
    const { status, stdout } = await doctor({ ...settings, ...more }, '--json');
    expect(status).toBe(2);
    expect(stdout).not.toContain(appSecret);
    expect(JSON.parse(stdout)).toMatchObject({
      format: 'nfe-conformance/doctor@1',
      ready: false,
      conclusion: 'Not ready: 3 problems',
      findings: expect.arrayContaining([
        expect.objectContaining({ state: 'problem', examined: 'NFE_APP_NAME' }),
        expect.objectContaining({
          state: 'problem',
          examined: 'NFE_APP_SECRET_ROTATED',
          found: 'the target says 200: this secret is still valid',
        }),
      ]) as unknown,
    });
  });

  test('refuses words that it does not know', async () => {
    const { status, stderr } = await doctor({}, '--fast');
    expect(status).toBe(2);
    expect(stderr).toContain('--json');
  });
});

describe.skipIf(!certificate)('a self-signed certificate, made with openssl', () => {
  test('is a problem until NODE_EXTRA_CA_CERTS names it', async () => {
    const server = certificate?.server(service);
    if (!server) throw new Error('no server');
    const baseUrl = `https://127.0.0.1:${await portOf(server)}`;
    const settings = { NFE_BASE_URL: baseUrl, NFE_APP_SECRET: 'any-secret', NFE_MAX_RPS: '0' };
    const [without, withIt] = await Promise.all([
      doctor(settings),
      doctor({ ...settings, NODE_EXTRA_CA_CERTS: certificate?.path ?? '' }),
    ]);
    expect(without.status).toBe(2);
    expect(without.stdout).toMatch(/^✗ problem {2}TLS: .*is self-signed .* → set NODE_EXTRA_CA_CERTS/m);
    expect(without.stdout).toMatch(/\nNot ready: 1 problem\nNext: set NODE_EXTRA_CA_CERTS/);
    expect(withIt.status).toBe(0);
    expect(withIt.stdout).toMatch(/^✓ ok {7}way: .*1 certificate in /m);
    expect(withIt.stdout).toMatch(/^! warning {2}TLS: .* expires in [45] days/m);
  });
});

const mask = maskFor(new Map([['s3cret', '$NFE_APP_SECRET']]));
const coverage = { exercised: 62, judged: 66, lacking: new Map(), withheld: [] };

describe('a finding is made fit to be shown', () => {
  test('secrets are masked in every text of it', () => {
    const finding = shown(problem('a s3cret', 'b s3cret', 'c s3cret'), mask);
    expect(JSON.stringify(finding)).not.toContain('s3cret');
    expect(finding.advice).toBe('c $NFE_APP_SECRET');
  });

  test('what steers a terminal is spelt out', () => {
    expect(shown(ok('x', 'a\u001b[2Jb\nc'), mask).found).toBe(String.raw`a\u{1b}[2Jb\nc`);
  });

  test('a secret is masked before a long text is cut', () => {
    expect(shown(ok('x', `${'a'.repeat(597)}s3cret`), mask).found).not.toContain('s3');
  });
});

test('a line has a sign, a word, what was examined, what was found and what to do', () => {
  expect(findingLine(problem('echo', 'nobody', 'call again'), false)).toBe('✗ problem  echo: nobody → call again');
  expect(findingLine(notSet('NFE_APP_KEY', 'unset'), false)).toBe('○ not set  NFE_APP_KEY: unset');
  expect(findingLine(ok('echo', 'there'), true)).toBe('\u001b[32m✓ ok     \u001b[39m  echo: there');
});

describe('the conclusion', () => {
  test.each([
    ['all is well', [ok('a', 'b')], true, 'Ready: npm test will exercise 62 of 66 must clauses'],
    [
      'warnings are let pass',
      [warning('a', 'b', 'c')],
      true,
      'Ready: npm test will exercise 62 of 66 must clauses (1 warning)',
    ],
    ['a problem is not', [problem('a', 'b', 'c'), problem('a', 'b', 'c')], false, 'Not ready: 2 problems'],
  ])('%s', (_, findings, isReady, sentence) => {
    expect(conclusion(findings, coverage)).toMatchObject({ isReady, sentence });
    expect(JSON.parse(asJson(findings, coverage))).toMatchObject({
      format: 'nfe-conformance/doctor@1',
      ready: isReady,
      conclusion: sentence,
      findings,
    });
  });

  test('without a coverage there is no readiness', () => {
    expect(conclusion([problem('a', 'b', 'c')], undefined).isReady).toBe(false);
  });
});

describe('the lines of the doctor', () => {
  test('are 13 at most, whatever was found', () => {
    const names = ['settings', 'DNS', 'echo', 'NFE_APP_SECRET', 'subscriptions', 'control API', 'webhook receiver'];
    const all = [...names, 'profile', 'clauses'].flatMap((name) => [
      ok(name, 'x'),
      notSet(name, 'y'),
      warning(name, 'z', 'do'),
    ]);
    const lines = doctorLines([...all, problem('TLS', 'broken', 'mend')], false);
    expect(lines.length).toBeLessThanOrEqual(13);
    expect(lines[0]).toBe('✗ problem  TLS: broken → mend');
    expect(lines.join('\n')).toContain('… and 7 more');
  });

  test('tell what is unset by its name, beside what is in order', () => {
    expect(doctorLines([ok('NFE_APP_SECRET', 'active'), notSet('NFE_APP_KEY', 'not compared')], false)).toEqual([
      '✓ ok       secrets: NFE_APP_SECRET active; not set: NFE_APP_KEY',
    ]);
  });
});

/** A certificate for this machine that nobody vouches for; for tests. */
interface SelfSigned {
  /** File with the certificate in PEM form. */
  readonly path: string;
  /** A server that shows it. */
  server(listener: RequestListener): Server;
}

/** Makes a certificate that expires within 5 days; `undefined` on a machine without openssl. */
function selfSigned(): SelfSigned | undefined {
  const folder = newFolder();
  const [path, keyPath] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '5'];
  const names = ['-subj', '/CN=Doctor test', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  try {
    execFileSync('openssl', [...words, ...names, '-keyout', keyPath, '-out', path], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const [pem, key] = [readFileSync(path, 'utf8'), readFileSync(keyPath, 'utf8')];
  return { path, server: (listener) => createServer({ cert: pem, key }, listener) };
}
