import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect } from 'node:net';
import { rootCertificates } from 'node:tls';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findingLine } from '../../desk/doctor/doctor-lines.ts';
import { settingNames } from '../settings/settings.ts';
import { newFolder } from '../testing/folders.ts';
import { selfSignedFor } from '../testing/troubles/tls.ts';
import { listening } from '../testing/troubles/front.ts';
import { diagnose } from './diagnose.ts';
import { examineCertificates, judgeHandshake } from './tls.ts';

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
