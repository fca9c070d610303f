import { describe, expect, test } from 'vitest';
import { judgeLookup } from './dns.ts';
import { placeOf, placeText } from './place.ts';
import { judgeConnection } from './tcp.ts';
import { judgeHandshake } from './tls-judgement.ts';
import { judgeRefusal } from './tunnel.ts';

describe('DNS', () => {
  test.each([
    [{ addresses: ['10.0.0.1', '::1'] }, 'ok', 'api.example is 10.0.0.1, ::1'],
    [{ addresses: ['1', '2', '3', '4', '5', '6'] }, 'ok', 'api.example is 1, 2, 3, 4 and 2 addresses more'],
    [{ addresses: [] }, 'problem', 'api.example has no address'],
    [{ error: 'ENOTFOUND' }, 'problem', "api.example can't be looked up (ENOTFOUND)"],
  ])('%o is %s', (outcome, state, found) => {
    expect(judgeLookup('api.example', outcome)).toMatchObject({ state, found });
  });

  test('no name server is another matter than an unknown name', () => {
    expect(judgeLookup('api.example', { error: 'EAI_AGAIN' }).advice).toContain('no name server');
  });
});

describe('TCP', () => {
  const place = { host: '::1', port: 8080 };

  test('a connection tells its time', () => {
    const finding = judgeConnection(place, { address: '::1', ms: 12.3 });
    expect(finding).toMatchObject({ state: 'ok', found: '[::1]:8080 answers after 12 ms (::1)' });
  });

  test.each([
    ['ECONNREFUSED', 'nothing listens there'],
    ['ETIMEDOUT', 'firewall'],
    ['EHOSTUNREACH', 'no way'],
    ['EWHATEVER', 'network'],
  ])('%s is a problem with its own advice', (error, advice) => {
    const finding = judgeConnection(place, { error });
    expect(finding.state).toBe('problem');
    expect(finding.found).toContain(error);
    expect(finding.advice).toContain(advice);
  });
});

describe('TLS', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const handshake = (validTo: string) => ({ protocol: 'TLSv1.3', issuer: 'Some CA', validTo: new Date(validTo) });

  test.each([
    ['2026-01-15T00:00:00Z', 'ok', 'expires in 14 days, on 2026-01-15'],
    ['2026-01-14T23:59:59Z', 'warning', 'expires in 13 days, on 2026-01-14'],
    ['2026-01-02T12:00:00Z', 'warning', 'expires in 1 day,'],
  ])('a certificate until %s is %s', (validTo, state, text) => {
    const finding = judgeHandshake('api.example', handshake(validTo), now);
    expect(finding.state).toBe(state);
    expect(finding.found).toContain(text);
  });

  test.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'is self-signed', 'NODE_EXTRA_CA_CERTS'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'an authority that this machine does not know', 'NODE_EXTRA_CA_CERTS'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'an authority that this machine does not know', 'NODE_EXTRA_CA_CERTS'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'without its chain', 'intermediate'],
    ['CERT_HAS_EXPIRED', 'has expired', 'renewed'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'is for another host', 'NFE_BASE_URL'],
    ['EPROTO', 'does not speak TLS', 'http://'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'does not speak TLS', 'http://'],
    ['ECONNRESET', 'failed (ECONNRESET)', 'network'],
  ])('%s: it %s', (error, text, advice) => {
    const finding = judgeHandshake('api.example', { error }, now);
    expect(finding.state).toBe('problem');
    expect(finding.found).toContain(text);
    expect(finding.advice).toContain(advice);
  });
});

describe('a proxy that makes no connection', () => {
  const proxy = { url: new URL('http://user:s3cret@proxy.example:3128'), variable: 'HTTPS_PROXY' };
  const place = { host: 'api.example', port: 443 };

  test.each([
    [{ status: 407 }, 'HTTP 407', 'put its user and password into HTTPS_PROXY'],
    [{ status: 403 }, 'HTTP 403', 'NO_PROXY'],
    [{ error: 'ETIMEDOUT' }, 'ETIMEDOUT', 'NO_PROXY'],
  ])('%o is a problem, told without the password of the proxy', (refusal, found, advice) => {
    const finding = judgeRefusal(proxy, place, refusal);
    expect(finding.state).toBe('problem');
    expect(finding.found).toContain(found);
    expect(finding.advice).toContain(advice);
    expect(JSON.stringify(finding)).not.toContain('s3cret');
  });
});

test.each([
  ['https://api.example/x', 'api.example:443'],
  ['http://api.example', 'api.example:80'],
  ['http://[::1]:8080', '[::1]:8080'],
  ['socks5://proxy.example', 'proxy.example:1080'],
])('%s leads to %s', (url, place) => {
  expect(placeText(placeOf(new URL(url)))).toBe(place);
});
