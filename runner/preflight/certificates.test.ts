import { rootCertificates } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { examineCertificates, judgeCertificates } from './certificates.ts';
import { findingLine } from '../../desk/doctor/doctor-lines.ts';

const now = new Date('2026-01-01T00:00:00Z');
const [first = '', second = ''] = rootCertificates.filter((pem) => new X509Certificate(pem).validToDate > now);

test('certificates that can be read are counted', () => {
  expect(judgeCertificates('ca.pem', `# ours\n${first}\n${second}\n`, now)).toMatchObject({
    state: 'ok',
    found: '2 certificates in ca.pem',
  });
});

test.each([
  ['an empty file', ''],
  ['a certificate that is not PEM', 'MIIB'],
  ['a key', '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----'],
  ['a broken certificate', `${first}\n-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----`],
])('%s is a problem', (_, pem) => {
  expect(judgeCertificates('ca.pem', pem, now).state).toBe('problem');
});

test('expired certificates alone are a warning; a bundle that has some is not', () => {
  const lastDays = [first, second].map((pem) => new X509Certificate(pem).validToDate.getTime());
  const between = new Date((Math.min(...lastDays) + Math.max(...lastDays)) / 2);
  expect(judgeCertificates('ca.pem', first, new Date('2100-01-01T00:00:00Z')).state).toBe('warning');
  expect(judgeCertificates('ca.pem', `${first}${second}`, between)).toMatchObject({
    state: 'ok',
    found: '2 certificates in ca.pem, 1 of them expired',
  });
});

test('a file that is not there is a problem, no file is none', () => {
  expect(findingLine(examineCertificates('/nowhere/ca.pem', now), false)).toMatch(/^✗ problem .*ENOENT/);
  expect(examineCertificates(undefined, now).state).toBe('not set');
  expect(examineCertificates('', now).state).toBe('not set');
});
