import type { LookupFunction } from 'node:net';
import { describe, expect, test } from 'vitest';
import { runningReceiver } from '../testing/receiver.ts';
import { textLike } from '../testing/call.ts';
import { callPartsOf, openSender, type Sender, type SenderOptions, type Sent, isPublicAddress } from './sender.ts';

const receiver = runningReceiver();

/** A resolver for which names lead where it is told, one address after the other. */
function lookupOf(...addresses: readonly string[]): LookupFunction {
  let asked = 0;
  return (_host, options, callback) => {
    const address = addresses[Math.min(asked++, addresses.length - 1)] ?? '';
    const family = address.includes(':') ? 6 : 4;
    if (options.all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}

async function withSender<T>(options: Partial<SenderOptions>, work: (sender: Sender) => Promise<T>): Promise<T> {
  const sender = openSender({ publicCallbacksOnly: false, redirectsFollowed: 0, ...options });
  try {
    return await work(sender);
  } finally {
    await sender.close();
  }
}

function sent(url: string, options: Partial<SenderOptions> = {}, signal = new AbortController().signal): Promise<Sent> {
  const request = { method: 'POST', url, headers: {}, rawBody: Buffer.from('body') } as const;
  return withSender(options, (sender) => sender.send(request, signal));
}

describe('sending', () => {
  test('each request has a connection of its own', async () => {
    const address = receiver.address();
    await sent(address.url);
    expect(address.arrivals[0]?.headers).toMatchObject({ connection: 'close', 'content-length': '4' });
  });

  test('an answer of any length is thrown away', async () => {
    const endless = receiver.address(() => (response) => {
      response.writeHead(200);
      const write = (): void => {
        while (response.write('x'.repeat(65_536)));
      };
      response.on('drain', write);
      write();
    });
    await withSender({}, async (sender) => {
      const request = { method: 'POST', url: endless.url, headers: {}, rawBody: Buffer.alloc(0) } as const;
      const answer = await sender.send(request, new AbortController().signal);
      expect(answer).toMatchObject({ status: 200 });
      await ('rest' in answer ? answer.rest : undefined);
    });
  });

  test('a signal ends it with its reason', async () => {
    const silent = receiver.address(() => new Promise(() => undefined));
    const controller = new AbortController();
    const sending = sent(silent.url, {}, controller.signal);
    await silent.arrived(1);
    controller.abort(new Error('no time left'));
    expect(await sending).toEqual({ error: 'no time left' });
  });

  test.each([
    ['http://127.0.0.1:9/', /ECONNREFUSED/],
    ['http://host.invalid/', /ENOTFOUND|EAI_AGAIN/],
    ['http://%zz:x@127.0.0.1:9/', /URI malformed/],
  ])('%s is no address that answers', async (url, error) => {
    expect(await sent(url)).toEqual({ error: textLike(error) });
  });

  test('what is under way when it closes ends', async () => {
    const silent = receiver.address(() => new Promise(() => undefined));
    const sender = openSender({ publicCallbacksOnly: false, redirectsFollowed: 0 });
    const request = { method: 'POST', url: silent.url, headers: {}, rawBody: Buffer.alloc(0) } as const;
    const sending = sender.send(request, new AbortController().signal);
    await silent.arrived(1);
    await sender.close();
    expect(await sending).toHaveProperty('error');
  });
});

describe('with public addresses only', () => {
  const publicOnly = { publicCallbacksOnly: true };
  const refused = { error: textLike(/is not a public address/) };
  const port = (): string => new URL(receiver.origin).port;

  test.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '0', 'localhost', '169.254.169.254'])(
    'http://%s is neither connected to nor taken',
    async (host) => {
      const url = `http://${host}:${port()}/`;
      expect(await sent(url, publicOnly)).toEqual(refused);
      expect(await withSender(publicOnly, (sender) => sender.refusal(url))).toEqual(refused.error);
    },
  );

  test('a name is judged by what it resolves to', async () => {
    for (const address of ['10.0.0.1', 'fe80::1', '::ffff:192.168.0.1']) {
      const options = { ...publicOnly, lookup: lookupOf(address) };
      expect(await withSender(options, (sender) => sender.refusal('https://receiver.example/'))).toEqual(refused.error);
    }
    const options = { ...publicOnly, lookup: lookupOf('93.184.215.14') };
    expect(await withSender(options, (sender) => sender.refusal('https://receiver.example/'))).toBeUndefined();
  });

  test('a name that leads elsewhere once it is registered gets no further', async () => {
    const address = receiver.address();
    const url = address.url.replace('127.0.0.1', 'rebound.example');
    const options = { ...publicOnly, lookup: lookupOf('93.184.215.14', '127.0.0.1') };
    await withSender(options, async (sender) => {
      expect(await sender.refusal(url)).toBeUndefined();
      const request = { method: 'POST', url, headers: {}, rawBody: Buffer.alloc(0) } as const;
      expect(await sender.send(request, new AbortController().signal)).toEqual(refused);
    });
    expect(address.arrivals).toEqual([]);
  });

  test('a name that nobody knows is not taken', async () => {
    expect(await withSender(publicOnly, (sender) => sender.refusal('http://host.invalid/'))).toMatch(/ENOTFOUND|EAI/);
  });

  test('without the option private addresses are called by name as well', async () => {
    const address = receiver.address();
    const url = address.url.replace('127.0.0.1', 'receiver.example');
    expect(await sent(url, { lookup: lookupOf('127.0.0.1') })).toMatchObject({ status: 200 });
    expect(await withSender({}, (sender) => sender.refusal(url))).toBeUndefined();
  });
});

describe('an address, taken apart for a request,', () => {
  test.each([
    ['http://h', 'http://h', '/'],
    ['https://h:443', 'https://h', '/'],
    ['http://h:8080?a=b', 'http://h:8080', '/?a=b'],
    ['http://h/a/../b/./c//d?x=%zz&y=[1]#z', 'http://h', '/a/../b/./c//d?x=%zz&y=[1]'],
    ['http://H/%C3%A7', 'http://h', '/%C3%A7'],
    ['http://h/ç?ç', 'http://h', '/%C3%A7?%C3%A7'],
  ])('%s is %s and %s', (url, origin, path) => {
    expect(callPartsOf(url)).toEqual({ origin, path });
  });

  test('a user becomes basic credentials, and is no part of the rest', () => {
    expect(callPartsOf('http://us%40er:p%3Aw@h/a')).toEqual({
      origin: 'http://h',
      path: '/a',
      authorization: `Basic ${Buffer.from('us@er:p:w').toString('base64')}`,
    });
  });
});

describe('an IP address', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '223.255.255.255',
    '2600::1',
    '2a00:1450:4001::1',
    '::ffff:8.8.8.8',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:c0a8:0101',
    '::ffff:100.64.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    'fc00::1',
    'fdff::1',
    'fe80::1',
    'fe80::1%eth0',
    '2600::1%eth0',
    'febf::1',
    'fec0::1',
    'ff02::1',
    'receiver.example',
    '',
  ])('%j is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
