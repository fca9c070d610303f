import { expect, test, describe } from 'vitest';
import { deliveryLine, startLines, summaryLine } from './receiver-lines.ts';
import type { LoggedDelivery } from '../../runner/received/receiver-folder.ts';
import { statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { childEnvironment, warmly } from '../../runner/testing/warm.ts';
import { receiverProcesses } from './testing/receiver-processes.ts';

describe('receiver lines', () => {
  function delivery(...headers: [string, string][]): LoggedDelivery {
    return {
      pathName: 'path',
      method: 'POST',
      target: '/path',
      headers,
      rawBody: Buffer.from('é'),
      isTooLarge: false,
      arrivedAtMs: 1_800_000_000_123,
      answeredStatus: 200,
    };
  }

  test('a delivery is told by time, event type, event id and size, whatever the letter case of its headers', () => {
    const line = deliveryLine(
      delivery(['x-acme-event', 'invoice.verify.completed'], ['X-ACME-EVENT-ID', 'e-1'], ['X-Acme-Delivery-Id', 'd-1']),
      'X-Acme',
    );
    expect(line).toBe('2027-01-15T08:00:00.123Z  invoice.verify.completed  e-1  2 bytes');
  });

  test('the values of the token and the signature are not told', () => {
    const line = deliveryLine(delivery(['token', 'my-token'], ['X-Service-Signature', 'f00d']), 'X-Service');
    expect(line).toBe('2027-01-15T08:00:00.123Z  -  -  2 bytes');
  });

  test.each([
    ['steers a terminal', '\u009b2J\t', 4],
    ['fills it', 'a'.repeat(500), 500],
    ['names somebody', 'Maria Lima', 10],
    ['is a number of somebody', '390.533.447-05', 14],
  ])('of a header that %s only the length is told', (_, value, length) => {
    expect(deliveryLine(delivery(['X-Service-Event', value]), 'X-Service')).toContain(`  (${length} characters)  -  `);
  });

  test('a secret in an event id is told by the name of its setting', () => {
    const mask = (text: string): string => text.replace('a-secret', '$NFE_APP_SECRET');
    expect(deliveryLine(delivery(['X-Service-Event-Id', 'a-secret']), 'X-Service', mask)).toContain(
      '  $NFE_APP_SECRET  ',
    );
  });

  test('a body that was too large is told by what was read of it', () => {
    expect(deliveryLine({ ...delivery(), isTooLarge: true }, 'X-Service')).toContain('more than 2 bytes');
  });

  test('the summary leaves out what did not happen', () => {
    const none = { stored: 1, unstored: 0, unknownPath: 0, brokenOff: 0 };
    expect(summaryLine('SIGINT', none, 'a.jsonl')).toBe('stopped (SIGINT): 1 delivery stored in a.jsonl');
    expect(summaryLine('after 2 h', { stored: 0, unstored: 1, unknownPath: 1, brokenOff: 2 }, 'a.jsonl')).toBe(
      'stopped (after 2 h): 0 deliveries stored in a.jsonl; 1 not stored and answered 500; 1 request to other paths; 2 requests broken off',
    );
  });

  test('a receiver without a public address says that only this machine reaches it', () => {
    const start = { url: 'http://h/p', origin: 'http://h', logPath: 'a.jsonl', status: 200 };
    expect(startLines({ ...start, isReachable: false }).join()).toContain('NFE_WEBHOOK_PUBLIC_URL');
    expect(startLines({ ...start, isReachable: true, hours: 0.5 }).at(-1)).toMatch(
      /after 0\.5 h, or when interrupted$/,
    );
  });
});

describe('receiver arguments', () => {
  const { start, newFolder } = receiverProcesses();

  describe.concurrent('a receiver that can not be is refused with 2 and one line', () => {
    const file = join(newFolder(), 'a-file');
    writeFileSync(file, '');
    const strange = newFolder();
    writeFileSync(join(strange, 'path'), 'no such thing');

    test.each<[string[], Record<string, string>, RegExp]>([
      [['--hour', '1'], {}, /'--hour'.*--help/],
      [['--hours'], {}, /'--hours/],
      [['--hours', '0'], {}, /--hours takes a number above 0 and up to 500, not 0/],
      [['--hours', '501'], {}, /--hours takes/],
      [['--hours', 'two'], {}, /--hours takes/],
      [['--status', '199'], {}, /--status takes a number from 200 to 599, not 199/],
      [['--status', '600'], {}, /--status takes/],
      [['--path', 'guessable'], {}, /--path takes 22 or more letters/],
      [['--path', 'with/a/slash/and/long/enough/for/it'], {}, /--path takes/],
      [['--out', ''], {}, /--out takes a folder/],
      [['--out', file], {}, /--out takes a folder that may be written: .*a-file can't be used \(EEXIST\)/],
      [['--out', strange], {}, /--out: .*path holds no path of an address; remove it/],
      [['surplus'], {}, /'surplus'/],
      [[], { NFE_WEBHOOK_LISTEN: '8080' }, /NFE_WEBHOOK_LISTEN takes `host:port`/],
      [[], { NFE_WEBHOOK_PUBLIC_URL: 'hooks.example' }, /NFE_WEBHOOK_PUBLIC_URL takes an absolute/],
      [[], { NFE_WEBHOOK_LISTEN: 'host.invalid:0' }, /NFE_WEBHOOK_LISTEN: host\.invalid is no address of this machine/],
      [[], { NFE_WEBHOOK_LISTEN: '192.0.2.1:0' }, /NFE_WEBHOOK_LISTEN: 192\.0\.2\.1 is no address of this machine/],
      [[], { NFE_WEBHOK_LISTEN: '127.0.0.1:0' }, /did you mean NFE_WEBHOOK_LISTEN\?/],
    ])('%j %j', async (words, settings, line) => {
      const env = { ...childEnvironment(), ...settings };
      const { status, stdout, stderr } = await warmly({ command: 'receiver', words, env });
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(/^error: [^\n]+\n$/);
      expect(stderr).toMatch(line);
    });

    test('a port in use, which leaves the kept path alone', async () => {
      const cwd = newFolder();
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const bound = server.address();
      const port = typeof bound === 'object' ? bound?.port : undefined;
      const listen = { NFE_WEBHOOK_LISTEN: `127.0.0.1:${port}` };
      const { status, errors } = await start(cwd, ['--path', 'chosen-by-a-person-0123456789'], listen).ended;
      server.close();
      expect(status).toBe(2);
      expect(errors).toMatch(/^error: NFE_WEBHOOK_LISTEN: port \d+ of 127\.0\.0\.1 is in use; [^\n]+\n$/);
      expect(() => statSync(join(cwd, 'reports/receiver/path'))).toThrow('ENOENT');
    });

    test('a refused --path is not repeated: it may be a secret all the same', async () => {
      const { errors } = await start(newFolder(), ['--path', 'hush!hush!hush!hush!hush!']).ended;
      expect(errors).not.toContain('hush');
    });
  });
});
