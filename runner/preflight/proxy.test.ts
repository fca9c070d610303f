import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dispatcherFor } from '../../targets/traffic/transport.ts';
import { judgeProxies, proxyFor, proxySecrets, proxyText } from './proxy.ts';

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
  const servers: Server[] = [];
  const urls: string[] = [];

  /** Answers with the number of the server: 0 is the target, 1 the proxy. */
  beforeAll(async () => {
    for (const index of [0, 1]) {
      const server = createServer((_, response) => response.end(String(index)));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = server.address();
      servers.push(server);
      urls.push(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
    }
  });
  afterAll(() => {
    for (const server of servers) server.close();
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
