import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { readDeliveries } from '../runner/received/receiver-folder.ts';
import { addressOf, receiverProcesses } from './receiver/testing/receiver-processes.ts';

const { start, newFolder } = receiverProcesses();
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
  const { deliveries } = await readDeliveries(logOf(cwd));
  return deliveries.map(({ headers }) => headers.find(([name]) => name === 'X-Service-Event-Id')?.[1]);
}

describe.concurrent('npm run receiver', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('acknowledges, stores and tells deliveries until %s', async (signal) => {
    const cwd = newFolder();
    const run = start(cwd);
    const url = await addressOf(run);
    expect(await deliver(`${url}?q=1`, 'event-1', '{"a":"é"}')).toBe(200);
    await run.printed(/event-1/);
    const { status, output, errors } = await run.end(signal);
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    expect(output).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}invoice\.verify\.completed {2}event-1 {2}10 bytes$/m);
    expect(output).toMatch(
      new RegExp(`^stopped \\(${signal}\\): 1 delivery stored in reports/receiver/deliveries.jsonl$`, 'm'),
    );
    const { pathname } = new URL(url);
    expect((await readDeliveries(logOf(cwd))).deliveries).toMatchObject([
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
    const { output, errors } = await run.end('SIGTERM');
    expect(output + errors).not.toMatch(/my-verification-token|f00dfeed/);
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
    expect((await readDeliveries(logOf(cwd))).deliveries).toMatchObject([{ answeredStatus: 503 }]);
  });

  test('stops by itself after --hours', async () => {
    const { status, output } = await start(newFolder(), ['--hours', '0.00001']).ended;
    expect(status).toBe(0);
    expect(output).toMatch(/^stopped \(after 0\.00001 h\): 0 deliveries stored /m);
  });

  test('stores the start of a body that is too large', async () => {
    const cwd = newFolder();
    const run = start(cwd);
    expect(await deliver(await addressOf(run), 'event-1', 'x'.repeat(1024 * 1024 + 1))).toBe(413);
    await run.end('SIGTERM');
    const { deliveries } = await readDeliveries(logOf(cwd));
    expect(deliveries).toMatchObject([{ isTooLarge: true, answeredStatus: 413 }]);
    expect(deliveries[0]?.rawBody).toHaveLength(1024 * 1024);
  });

  test('does not acknowledge what it can not store, and says so', async () => {
    const cwd = newFolder();
    // No file may grow beyond 4096 bytes.
    const run = start(cwd, [], {}, `trap '' XFSZ; ulimit -f 8;`);
    const url = await addressOf(run);
    expect(await deliver(url, 'small')).toBe(200);
    expect(await deliver(url, 'large', 'x'.repeat(10_000))).toBe(500);
    const { status, output, errors } = await run.end('SIGTERM');
    expect(status).toBe(0);
    expect(errors).toBe('error: a delivery could not be stored (EFBIG) and is not acknowledged\n');
    expect(output).toMatch(/1 delivery stored .*; 1 not stored and answered 500$/m);
    expect(await readDeliveries(logOf(cwd))).toMatchObject({ deliveries: [{}], tornLines: 1 });
  });

  test('counts requests to other paths', async () => {
    const run = start(newFolder());
    expect(await deliver(new URL('/other', await addressOf(run)).href, 'event-1')).toBe(404);
    expect((await run.end('SIGTERM')).output).toMatch(/0 deliveries stored .*; 1 request to other paths$/m);
  });

  test('goes on when nobody reads its lines any more', async () => {
    const cwd = newFolder();
    const run = start(cwd);
    const url = await addressOf(run);
    run.stopReading();
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
    const { status, output } = await start(newFolder(), ['--help']).ended;
    expect(status).toBe(0);
    for (const word of ['--hours', '--path', '--out', '--status', 'token', '0600']) expect(output).toContain(word);
  });
});
