import { appendFileSync, chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { newFolder } from '../testing/folders.ts';
import { openDeliveryLog, readDeliveries, type LoggedDelivery } from './receiver-folder.ts';

const newPath = (): string => join(newFolder(), 'deliveries.jsonl');

function delivery(rawBody: Buffer, more: Partial<LoggedDelivery> = {}): LoggedDelivery {
  return {
    pathName: 'path',
    method: 'POST',
    target: '/path?q',
    headers: [
      ['token', 'secret'],
      ['X-Two', 'é'],
      ['x-two', '2'],
    ],
    rawBody,
    isTooLarge: false,
    arrivedAtMs: 1_800_000_000_123,
    answeredStatus: 200,
    ...more,
  };
}

async function written(path: string, ...deliveries: LoggedDelivery[]): Promise<string> {
  const log = await openDeliveryLog(path);
  await Promise.all(deliveries.map((one) => log.append(one)));
  await log.close();
  return path;
}

test('what is read is what was appended: any bytes, headers in order and case, time, statuses', async () => {
  const deliveries = [
    delivery(Buffer.from('{"a":"é\u2028\\n"}\r\n')),
    delivery(Buffer.from([0xff, 0x00, 0x0a, 0xc3]), { isTooLarge: true, answeredStatus: 413 }),
    delivery(Buffer.from('\ufeffwith a mark'), { method: 'GET' }),
    delivery(Buffer.alloc(0), { headers: [], answeredStatus: 503 }),
  ];
  expect(await readDeliveries(await written(newPath(), ...deliveries))).toEqual(deliveries);
});

test('a body in a content coding is kept as it came, and read as what is in it', async () => {
  const headers = [['content-encoding', 'gzip']] as const;
  const coded = delivery(Buffer.from('{}'), { headers, codedBody: gzipSync('{}') });
  expect(await readDeliveries(await written(newPath(), coded))).toEqual([coded]);
});

test('a delivery is one line, its body readable where it is text', async () => {
  const path = await written(newPath(), delivery(Buffer.from('{\n"a":1}')), delivery(Buffer.from([0xff])));
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { time: '2027-01-15T08:00:00.123Z', body: '{\n"a":1}', bodyEncoding: 'utf8' },
    { body: '/w==', bodyEncoding: 'base64' },
  ]);
});

test('an appended delivery is in the file before the log is closed', async () => {
  const path = newPath();
  const log = await openDeliveryLog(path);
  await log.append(delivery(Buffer.from('kept')));
  expect(await readDeliveries(path)).toHaveLength(1);
  await log.close();
});

test('closing waits for what is still being written', async () => {
  const path = newPath();
  const log = await openDeliveryLog(path);
  const appended = [log.append(delivery(Buffer.from('a')))];
  await new Promise((resolve) => void setImmediate(resolve));
  appended.push(log.append(delivery(Buffer.from('b'))));
  await log.close();
  await Promise.all(appended);
  expect(await readDeliveries(path)).toHaveLength(2);
});

test('a torn last line is skipped and counted', async () => {
  const path = await written(newPath(), delivery(Buffer.from('a')), delivery(Buffer.from('b')));
  const whole = readFileSync(path);
  for (const cut of [2, 40, whole.length / 2 - 2]) {
    writeFileSync(path, whole.subarray(0, whole.length - cut));
    expect(await readDeliveries(path)).toEqual([delivery(Buffer.from('a'))]);
  }
});

test('a torn line spoils nothing that a later start appends', async () => {
  const path = await written(newPath(), delivery(Buffer.from('a')));
  appendFileSync(path, '{"time":"2027-');
  await written(path, delivery(Buffer.from('b')));
  await written(path, delivery(Buffer.from('c')));
  const deliveries = await readDeliveries(path);
  expect(deliveries.map(({ rawBody }) => rawBody.toString())).toEqual(['a', 'b', 'c']);
});

test('only its owner may read the file, even where it had been opened to others', async () => {
  const path = await written(newPath());
  expect(statSync(path).mode & 0o777).toBe(0o600);
  chmodSync(path, 0o644);
  await written(path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a file that does not exist is an error of the system', async () => {
  await expect(readDeliveries(newPath())).rejects.toMatchObject({ code: 'ENOENT' });
});
