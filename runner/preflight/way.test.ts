import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect } from 'node:net';
import { rootCertificates } from 'node:tls';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, beforeAll, describe } from 'vitest';
import { servedBy } from '../../targets/testing/served.ts';
import { findingLine } from '../../desk/doctor-lines.ts';
import { settingNames, readSettings } from '../settings/settings.ts';
import { newFolder } from '../testing/folders.ts';
import { selfSignedFor } from '../testing/troubles/tls.ts';
import { listening } from '../testing/troubles/front.ts';
import { diagnose } from './diagnose.ts';
import { examineCertificates, judgeHandshake } from './tls.ts';
import { dispatcherFor } from '../../targets/traffic/transport.ts';
import { judgeProxies, proxyFor, proxySecrets, proxyText } from './proxy.ts';
import { foreignAddress } from '../../targets/testing/server.ts';
import { examineWebhook, judgeArrival } from './way.ts';

const address = foreignAddress('https://api.example');
const publicUrl = 'https://hooks.example/in';
const origin = 'http://127.0.0.1:8080';

test('a request that arrives is fine, whatever its sender was told', () => {
  expect(judgeArrival({ hasArrived: true, told: 'ETIMEDOUT' }, publicUrl, origin, 8080).state).toBe('ok');
});

test.each([
  [{ hasArrived: false, told: 'HTTP 502' }, 8080, /from outside only/],
  [{ hasArrived: false, told: 'ECONNREFUSED' }, 0, /a new port each time/],
])('one that does not arrive is a warning: %o at port %d', (arrival, port, advice) => {
  const finding = judgeArrival(arrival, publicUrl, origin, port);
  expect(finding.state).toBe('warning');
  expect(finding.found).toContain(arrival.told);
  expect(finding.advice).toMatch(advice);
});

describe('on a sandbox', () => {
  const sandbox = { NFE_BASE_URL: 'https://api.example', NFE_APP_SECRET: 'any-secret' };

  test('an unset public address is told', async () => {
    expect((await examineWebhook(readSettings(sandbox), address)).state).toBe('not set');
  });

  test('a receiver that can not listen is a problem', async () => {
    const settings = { ...sandbox, NFE_WEBHOOK_PUBLIC_URL: publicUrl, NFE_WEBHOOK_LISTEN: '192.0.2.1:0' };
    const finding = await examineWebhook(readSettings(settings), address);
    expect(findingLine(finding, false)).toMatch(/^✗ problem .*NFE_WEBHOOK_LISTEN/);
  });

  test('a public address that leads elsewhere is a warning', async () => {
    const settings = { ...sandbox, NFE_WEBHOOK_PUBLIC_URL: 'http://127.0.0.1:1' };
    const finding = await examineWebhook(readSettings(settings), address);
    expect(findingLine(finding, false)).toMatch(/^! warning .*ECONNREFUSED/);
  });
});

const now = new Date('2026-01-01T00:00:00Z');

test.each([
  ['2026-01-15T00:00:00Z', 'ok', 'expires in 14 days, on 2026-01-15'],
  ['2026-01-14T23:59:59Z', 'warning', 'expires in 13 days, on 2026-01-14'],
  ['2026-01-02T12:00:00Z', 'warning', 'expires in 1 day,'],
])('a certificate until %s is %s', (validTo, state, text) => {
  const handshake = { protocol: 'TLSv1.3', issuer: 'Some CA', validTo: new Date(validTo) };
  const finding = judgeHandshake('api.example', handshake, now);
  expect(finding.state).toBe(state);
  expect(finding.found).toContain(text);
});

/** The end of what the doctor finds with these settings only, a line each. */
async function said(settings: Record<string, string>): Promise<string> {
  const network = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'];
  const unset = Object.fromEntries([...settingNames, ...network].map((name) => [name, '']));
  const { findings } = await diagnose({ ...unset, NFE_MAX_RPS: '0', NFE_APP_SECRET: 'any-secret', ...settings });
  return findings.map((finding) => findingLine(finding, false)).join('\n');
}

test('through a proxy, DNS and TCP are those of the proxy, and echo tells whose certificate nobody vouches for', async () => {
  const secure = await listening(createSecureServer(selfSignedFor('127.0.0.1')));
  const connecting = createServer().on('connect', (_, socket) => {
    const onward = connect(secure.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
  });
  const proxy = await listening(connecting);
  const text = await said({
    NFE_BASE_URL: `https://127.0.0.1:${secure.port}`,
    HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
  });
  await Promise.all([secure.stop(), proxy.stop()]);
  expect(text).toContain('DNS of the proxy in HTTPS_PROXY: 127.0.0.1');
  expect(text).toContain(`TCP of the proxy in HTTPS_PROXY: 127.0.0.1:${proxy.port} answers`);
  expect(text).toMatch(/^– skipped {2}TLS: not looked at through HTTPS_PROXY/m);
  expect(text).toMatch(
    /^✗ problem {2}echo: the certificate of 127\.0\.0\.1 is self-signed .*, through HTTPS_PROXY .*set NODE_EXTRA_CA_CERTS/m,
  );
});

const [first = '', second = ''] = rootCertificates;

test.each([
  ['two certificates', `# ours\n${first}\n${second}\n`, now, 'ok', /^2 certificates in /],
  ['one that has expired', first, new Date('2100-01-01T00:00:00Z'), 'warning', /all of them expired$/],
  ['nothing', '', now, 'problem', /holds no certificate in PEM form$/],
  ['a key', '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----', now, 'problem', /no certificate/],
  ['a broken one', '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----', now, 'problem', /can't be read/],
])('a file of authorities with %s is told as such', (_, pem, day, state, found) => {
  const path = join(newFolder(), 'ca.pem');
  writeFileSync(path, pem);
  const finding = examineCertificates(path, day);
  expect(finding.state).toBe(state);
  expect(finding.found).toMatch(found);
});

const both = { httpProxy: 'http://plain.example:3128', httpsProxy: 'http://secure.example:3129' };

describe('the proxy for an address', () => {
  test.each([
    ['http://api.example', both, 'HTTP_PROXY (http://plain.example:3128)'],
    ['https://api.example', both, 'HTTPS_PROXY (http://secure.example:3129)'],
    ['https://api.example', { httpProxy: both.httpProxy }, 'HTTP_PROXY (http://plain.example:3128)'],
    ['http://api.example', { httpsProxy: both.httpsProxy }, undefined],
    ['http://api.example', {}, undefined],
  ])('%s with %o', (url, network, expected) => {
    const proxy = proxyFor(new URL(url), network);
    expect(proxy && proxyText(proxy)).toBe(expected);
  });

  test.each([
    ['api.example', true],
    ['API.example.', true],
    ['other.example api.example:443', true],
    ['api.example:8443', false],
    ['example', true],
    ['*.example', true],
    ['*.api.example', false],
    ['.api.example', true],
    ['pi.example', false],
    ['*', true],
    ['*:80', false],
    ['', false],
  ])('NO_PROXY=%j exempts https://api.example: %s', (noProxy, isExempt) => {
    expect(proxyFor(new URL('https://api.example'), { ...both, noProxy }) === undefined).toBe(isExempt);
  });
});

describe('the HTTP client of the suite takes the same proxy', () => {
  const urls: string[] = [];

  /** Answers with the number of the server: 0 is the target, 1 the proxy. */
  beforeAll(async () => {
    for (const index of [0, 1]) {
      urls.push(await servedBy((_, response) => response.end(String(index))));
    }
  });

  test.each([
    '',
    '*',
    '127.0.0.1',
    '*.0.0.1',
    '.0.1',
    '127.0.0.1:1',
    '*:1',
    'x,127.0.0.1.',
    '[::1]',
    '127.0.0.1:PORT',
    '*:PORT',
  ])('with NO_PROXY=%j', async (entry) => {
    const [target = '', proxy = ''] = urls;
    const network = { httpProxy: proxy, noProxy: entry.replace('PORT', new URL(target).port) };
    const dispatcher = dispatcherFor(network);
    const answer = await dispatcher.request({ origin: target, path: '/', method: 'GET' });
    const isProxied = (await answer.body.text()) === '1';
    await dispatcher.close();
    expect(proxyFor(new URL(target), network) !== undefined).toBe(isProxied);
  });
});

describe('proxies', () => {
  const urls = new Map([
    ['NFE_BASE_URL', 'https://api.example'],
    ['NFE_CONTROL_URL', 'http://control.example'],
  ]);

  test('are told for each address', () => {
    const [finding] = judgeProxies({ ...both, noProxy: 'control.example' }, urls);
    expect(finding).toMatchObject({
      state: 'ok',
      found: 'NFE_BASE_URL through HTTPS_PROXY (http://secure.example:3129); NFE_CONTROL_URL straight, by NO_PROXY',
    });
  });

  test('are told to be absent', () => {
    const [finding] = judgeProxies({}, urls);
    expect(finding).toEqual({
      state: 'ok',
      examined: 'proxy',
      found: 'none is set: every address is reached straight',
    });
  });

  test.each(['bad.example:3128', 'bad.example', 'ftp://bad.example', 'http://', 'http://u:s3cret@h:99999'])(
    'that are no address are a problem, though unused, and the value is not repeated: %s',
    (httpProxy) => {
      const findings = judgeProxies({ httpProxy }, new Map([['NFE_BASE_URL', 'https://api.example']]));
      expect(findings).toMatchObject([{ state: 'problem', examined: 'HTTP_PROXY' }]);
      expect(JSON.stringify(findings)).not.toMatch(/bad\.example|s3cret/);
    },
  );

  test('have their passwords masked, raw and decoded', () => {
    expect(proxySecrets({ httpsProxy: 'http://user:p%40ss@proxy.example', httpProxy: 'http://proxy.example' })).toEqual(
      [
        ['p%40ss', '$HTTPS_PROXY'],
        ['p@ss', '$HTTPS_PROXY'],
      ],
    );
  });
});
