import { createServer } from 'node:http';
import { connect, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSettings } from '../settings/settings.ts';
import { sandboxAddress } from '../settings/target-address.ts';
import { selfSigned } from './self-signed.ts';
import { findingLine } from '../../desk/doctor/doctor-lines.ts';
import { examineWay } from './way.ts';

const certificate = selfSigned();
const servers: Server[] = [];
let [secureUrl, proxy] = ['', ''];

async function portOf(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** An https server, and a proxy that connects only who gives user and password. */
beforeAll(async () => {
  if (!certificate) return;
  const port = await portOf(certificate.server((_, response) => response.end()));
  const guarded = createServer();
  guarded.on('connect', (incoming, socket) => {
    const pair = Buffer.from('user:p@ss').toString('base64');
    if (incoming.headers['proxy-authorization'] !== `Basic ${pair}`) {
      socket.end('HTTP/1.1 407 Who\r\n\r\n');
      return;
    }
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
  });
  secureUrl = `https://localhost:${port}`;
  proxy = `127.0.0.1:${await portOf(guarded)}`;
});
afterAll(() => {
  for (const server of servers) server.close();
  certificate?.remove();
});

async function way(network: Record<string, string>, baseUrl = secureUrl): Promise<string[]> {
  const settings = readSettings({ NFE_BASE_URL: baseUrl, NFE_APP_SECRET: 'any-secret' });
  const findings = await examineWay(sandboxAddress(settings, network));
  return findings.map((finding) => findingLine(finding, false));
}

describe.skipIf(!certificate)('the way to an https server, its certificate made with openssl', () => {
  test('an authority that is trusted makes it good; a certificate near its end is a warning', async () => {
    const [dns, tcp, tls] = await way({ NODE_EXTRA_CA_CERTS: certificate?.path ?? '' });
    expect(dns).toMatch(/^✓ ok {7}DNS: localhost is /);
    expect(tcp).toMatch(/^✓ ok {7}TCP: localhost:\d+ answers after /);
    expect(tls).toMatch(/^! warning {2}TLS: .* expires in [45] days/);
  });

  test('through a proxy, DNS and TCP are those of the proxy and TLS is that of the server', async () => {
    const [dns, tcp, tls] = await way({
      NODE_EXTRA_CA_CERTS: certificate?.path ?? '',
      HTTPS_PROXY: `http://user:p%40ss@${proxy}`,
    });
    expect(dns).toContain('DNS of the proxy in HTTPS_PROXY: 127.0.0.1');
    expect(tcp).toContain(`TCP of the proxy in HTTPS_PROXY: ${proxy} answers`);
    expect(tls).toMatch(/^! warning {2}TLS: .* through HTTPS_PROXY/);
    expect(tls).not.toContain('ss@');
  });

  test('through a proxy, a self-signed certificate is told as such', async () => {
    const [, , tls] = await way({ HTTPS_PROXY: `http://user:p%40ss@${proxy}` });
    expect(tls).toMatch(/^✗ problem {2}TLS: .* is self-signed .*NODE_EXTRA_CA_CERTS/);
  });

  test('a proxy that wants a password says so', async () => {
    const [, , tls] = await way({ HTTPS_PROXY: `http://${proxy}` });
    expect(tls).toMatch(/^✗ problem {2}TLS: .*HTTP 407.* → put its user and password into HTTPS_PROXY/);
  });

  test('https towards a server of plain http is told', async () => {
    const [, , tls] = await way({}, `https://${proxy}`);
    expect(tls).toMatch(/^✗ problem {2}TLS: .*does not speak TLS/);
  });

  test('a proxy that is not there ends it', async () => {
    const [, tcp, tls] = await way({ HTTPS_PROXY: 'http://127.0.0.1:9' });
    expect(tcp).toMatch(/^✗ problem {2}TCP of the proxy in HTTPS_PROXY: .*ECONNREFUSED/);
    expect(tls).toMatch(/^– skipped {2}TLS/);
  });
});
