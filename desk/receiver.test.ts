import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { receiverLimits } from '../targets/receiver/receiver.ts';
import { portOf } from '../targets/testing/served.ts';
import { readDeliveries, type LoggedDelivery } from '../runner/run/receiver-folder.ts';
import { newFolder } from '../runner/testing/folders.ts';
import { addressOf, receiverProcesses } from './testing/receiver-processes.ts';
import { deliveryLine, startLines, summaryLine } from './receiver.ts';
import { createServer } from 'node:http';
import { childEnvironment, warmly } from '../runner/testing/warm.ts';

const start = receiverProcesses();
const { bodyBytes } = receiverLimits;
const logOf = (cwd: string): string => join(cwd, 'reports/receiver/deliveries.jsonl');

async function deliver(url: string, eventId: string, body = '{}'): Promise<number> {
  const headers = {
    'X-Service-Event': 'invoice.verify.completed',
    'X-Service-Event-Id': eventId,
    'X-Service-Signature': 'f00dfeedf00dfeed',
    token: 'my-verification-token',
  };
  const { statusCode, body: answer } = await request(url, { method: 'POST', headers, body });
  await answer.dump();
  return statusCode;
}

async function eventIds(cwd: string): Promise<(string | undefined)[]> {
  const deliveries = await readDeliveries(logOf(cwd));
  return deliveries.map(({ headers }) => headers.find(([name]) => name === 'X-Service-Event-Id')?.[1]);
}

describe.concurrent('npm run receiver', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('acknowledges, stores and tells deliveries until %s', async (signal) => {
    const cwd = newFolder();
    const run = start(cwd);
    const url = await addressOf(run);
    expect(await deliver(`${url}?q=1`, 'event-1', '{"a":"é"}')).toBe(200);
    await run.printed(/event-1/);
    const { status, stdout, stderr } = await run.end(signal);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}invoice\.verify\.completed {2}event-1 {2}10 bytes$/m);
    expect(stdout).toMatch(
      new RegExp(`^stopped \\(${signal}\\): 1 delivery stored in reports/receiver/deliveries.jsonl$`, 'm'),
    );
    const { pathname } = new URL(url);
    expect(await readDeliveries(logOf(cwd))).toMatchObject([
      {
        method: 'POST',
        target: `${pathname}?q=1`,
        pathName: pathname.slice(1),
        rawBody: Buffer.from('{"a":"é"}'),
        answeredStatus: 200,
      },
    ]);
  });

  test('stores the token, for its owner only, and prints neither it nor the signature', async () => {
    const cwd = newFolder();
    const run = start(cwd);
    await deliver(await addressOf(run), 'event-1');
    await run.printed(/event-1/);
    const { stdout, stderr } = await run.end('SIGTERM');
    expect(stdout + stderr).not.toMatch(/my-verification-token|f00dfeed/);
    expect(readFileSync(logOf(cwd), 'utf8')).toContain('my-verification-token');
    expect(statSync(logOf(cwd)).mode & 0o777).toBe(0o600);
    expect(statSync(join(cwd, 'reports/receiver/path')).mode & 0o777).toBe(0o600);
  });

  test('keeps its path from start to start; --path sets another and keeps that', async () => {
    const cwd = newFolder();
    const paths: string[] = [];
    for (const flags of [[], [], ['--path', 'chosen-by-a-person-0123456789'], []]) {
      const run = start(cwd, flags, { NFE_WEBHOOK_PUBLIC_URL: 'https://hooks.example/nfe' });
      const output = await run.printed(/^stops /m);
      paths.push(/^address +https:\/\/hooks\.example\/nfe\/(\S+)$/m.exec(output)?.[1] ?? '');
      await run.end('SIGKILL');
    }
    const [first, second, third, fourth] = paths;
    expect(first).toMatch(/^[\w-]{22,}$/);
    expect(second).toBe(first);
    expect(third).toBe('chosen-by-a-person-0123456789');
    expect(fourth).toBe(third);
  });

  test('killed in the middle, it loses nothing that it acknowledged, and goes on after a restart', async () => {
    const cwd = newFolder();
    const run = start(cwd);
    const url = await addressOf(run);
    const acknowledged: string[] = [];
    const sent = Array.from({ length: 200 }, async (_, index) => {
      const eventId = `event-${index}`;
      if ((await deliver(url, eventId, 'x'.repeat(20_000)).catch(() => 0)) === 200) acknowledged.push(eventId);
      if (acknowledged.length === 20) void run.end('SIGKILL');
    });
    await Promise.all(sent);
    await run.ended;
    expect(acknowledged.length).toBeGreaterThanOrEqual(20);
    expect(await eventIds(cwd)).toEqual(expect.arrayContaining(acknowledged));

    appendFileSync(logOf(cwd), '{"time":"20');
    const again = start(cwd);
    expect(await deliver(await addressOf(again), 'later')).toBe(200);
    await again.end('SIGTERM');
    expect(await eventIds(cwd)).toEqual(expect.arrayContaining([...acknowledged, 'later']));
  });

  test('has a delivery in the file by the time it is acknowledged', async () => {
    const cwd = newFolder();
    const run = start(cwd);
    const url = await addressOf(run);
    for (const eventId of ['a', 'b', 'c']) {
      await deliver(url, eventId);
      expect((await eventIds(cwd)).at(-1)).toBe(eventId);
    }
    await run.end('SIGTERM');
  });

  test('leaves events unacknowledged by --status', async () => {
    const cwd = newFolder();
    const run = start(cwd, ['--status', '503']);
    expect(await deliver(await addressOf(run), 'event-1')).toBe(503);
    await run.end('SIGTERM');
    expect(await readDeliveries(logOf(cwd))).toMatchObject([{ answeredStatus: 503 }]);
  });

  test('stops by itself after --hours', async () => {
    const { status, stdout } = await start(newFolder(), ['--hours', '0.00001']).ended;
    expect(status).toBe(0);
    expect(stdout).toMatch(/^stopped \(after 0\.00001 h\): 0 deliveries stored /m);
  });

  test('stores the start of a body that is too large', async () => {
    const cwd = newFolder();
    const run = start(cwd);
    expect(await deliver(await addressOf(run), 'event-1', 'x'.repeat(bodyBytes + 1))).toBe(413);
    await run.end('SIGTERM');
    const deliveries = await readDeliveries(logOf(cwd));
    expect(deliveries).toMatchObject([{ isTooLarge: true, answeredStatus: 413 }]);
    expect(deliveries[0]?.rawBody).toHaveLength(bodyBytes);
  });

  test('does not acknowledge what it can not store, and says so', async () => {
    const cwd = newFolder();
    // No file may grow beyond 4096 bytes.
    const run = start(cwd, [], {}, `trap '' XFSZ; ulimit -f 8;`);
    const url = await addressOf(run);
    expect(await deliver(url, 'small')).toBe(200);
    expect(await deliver(url, 'large', 'x'.repeat(10_000))).toBe(500);
    const { status, stdout, stderr } = await run.end('SIGTERM');
    expect(status).toBe(0);
    expect(stderr).toBe('error: a delivery could not be stored (EFBIG) and is not acknowledged\n');
    expect(stdout).toMatch(/1 delivery stored .*; 1 not stored and answered 500$/m);
    expect(await readDeliveries(logOf(cwd))).toHaveLength(1);
  });

  test('counts requests to other paths', async () => {
    const run = start(newFolder());
    expect(await deliver(new URL('/other', await addressOf(run)).href, 'event-1')).toBe(404);
    expect((await run.end('SIGTERM')).stdout).toMatch(/0 deliveries stored .*; 1 request to other paths$/m);
  });

  test('goes on when nobody reads its lines any more', async () => {
    const cwd = newFolder();
    const run = start(cwd);
    const url = await addressOf(run);
    run.child.stdout.destroy();
    for (const eventId of ['a', 'b', 'c']) expect(await deliver(url, eventId)).toBe(200);
    expect((await run.end('SIGTERM')).status).toBe(0);
  });

  test('reads .env, and minds webhook settings only', async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, '.env'), 'NFE_WEBHOOK_HEADER_PREFIX=X-Acme\nNFE_TARGET=sandbox\nNFE_BASE_URL=\n');
    const run = start(cwd);
    const url = await addressOf(run);
    await request(url, { method: 'POST', headers: { 'x-acme-event': 'webhook.verify' } }).then(({ body }) =>
      body.dump(),
    );
    expect(await run.printed(/bytes$/m)).toMatch(/ {2}webhook\.verify {2}- {2}0 bytes$/m);
    await run.end('SIGTERM');
  });

  test('--help tells every flag, and where the token header goes', async () => {
    const { status, stdout } = await start(newFolder(), ['--help']).ended;
    expect(status).toBe(0);
    for (const word of ['--hours', '--path', '--out', '--status', 'token', '0600']) expect(stdout).toContain(word);
  });
});

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
    const none = { stored: 1, unstored: 0, unknownPath: 0, brokenOff: 0, unreadable: 0 };
    expect(summaryLine('SIGINT', none, 'a.jsonl')).toBe('stopped (SIGINT): 1 delivery stored in a.jsonl');
    expect(
      summaryLine('after 2 h', { stored: 0, unstored: 1, unknownPath: 1, brokenOff: 2, unreadable: 1 }, 'a.jsonl'),
    ).toBe(
      'stopped (after 2 h): 0 deliveries stored in a.jsonl; 1 not stored and answered 500; 1 request to other paths; 2 requests broken off; 1 request that is no HTTP/1',
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
  const start = receiverProcesses();

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
      const listen = { NFE_WEBHOOK_LISTEN: `127.0.0.1:${await portOf(createServer())}` };
      const { status, stderr } = await start(cwd, ['--path', 'chosen-by-a-person-0123456789'], listen).ended;
      expect(status).toBe(2);
      expect(stderr).toMatch(/^error: NFE_WEBHOOK_LISTEN: port \d+ of 127\.0\.0\.1 is in use; [^\n]+\n$/);
      expect(() => statSync(join(cwd, 'reports/receiver/path'))).toThrow('ENOENT');
    });

    test('a refused --path is not repeated: it may be a secret all the same', async () => {
      const { stderr } = await start(newFolder(), ['--path', 'hush!hush!hush!hush!hush!']).ended;
      expect(stderr).not.toContain('hush');
    });
  });
});
