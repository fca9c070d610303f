import { statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { receiverProcesses } from './testing/receiver-processes.ts';

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
  ])('%j %j', async (flags, settings, line) => {
    const { status, output, errors } = await start(newFolder(), flags, settings).ended;
    expect({ status, output }).toEqual({ status: 2, output: '' });
    expect(errors).toMatch(/^error: [^\n]+\n$/);
    expect(errors).toMatch(line);
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
