import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../runner/testing/folders.ts';
import { startProcess, type TestProcess } from '../runner/testing/processes.ts';
import { portOf } from '../targets/testing/served.ts';
import { echoCall, send } from './testing/call.ts';

const folder = newFolder();

/** It listens once it has printed this. */
const ready = /App Secret/;

function run(...flags: string[]): TestProcess {
  return runWith({}, ...flags);
}

function runWith(variables: Readonly<Record<string, string>>, ...flags: string[]): TestProcess {
  const env = { ...process.env, SIMULATOR_CONTROL_TOKEN: '', ...variables };
  return startProcess(process.execPath, [join(import.meta.dirname, 'main.ts'), ...flags], { env });
}

function printed(output: string, name: string): string {
  return new RegExp(`^${name} +(\\S+)$`, 'm').exec(output)?.[1] ?? '';
}

describe('npm run simulator', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('prints what a caller needs, and ends with 0 on %s', async (signal) => {
    const simulator = run('--port', '0', '--control-token', 'chosen');
    const output = await simulator.printed(ready);
    expect(printed(output, 'control token')).toBe('chosen');
    expect(printed(output, 'control URL')).toBe(printed(output, 'base URL'));
    const echoed = await send(printed(output, 'base URL'), echoCall(printed(output, 'App Secret')));
    expect(echoed).toMatchObject({ status: 200, json: { data: { appKey: printed(output, 'App Key') } } });
    expect(await simulator.end(signal)).toMatchObject({ status: 0, stderr: '' });
  });

  test('takes the control token from the environment too, where the flag goes first', async () => {
    const printedToken = async (...flags: string[]): Promise<string> => {
      const simulator = runWith({ SIMULATOR_CONTROL_TOKEN: 'of-environment' }, '--port', '0', ...flags);
      const output = await simulator.printed(ready);
      await simulator.end('SIGTERM');
      return printed(output, 'control token');
    };
    expect(await printedToken('--host', '0.0.0.0')).toBe('of-environment');
    expect(await printedToken('--control-token', 'of-flag')).toBe('of-flag');
  });

  test('on an interface that others reach it says that the control API is off', async () => {
    const simulator = run('--port', '0', '--host', '0.0.0.0');
    expect(await simulator.printed(ready)).toMatch(/^control API +off .*--control-token/m);
    await simulator.end('SIGTERM');
  });

  test('with --data a restart goes on with the same ready application', async () => {
    const flags = ['--port', '0', '--data', join(folder, 'kept.db')];
    const secrets: string[] = [];
    for (let start = 0; start < 2; start++) {
      const simulator = run(...flags);
      secrets.push(printed(await simulator.printed(ready), 'App Secret'));
      // Killed, not stopped: what was handed out is on the disk already.
      await simulator.end('SIGKILL');
    }
    expect(secrets[0]).not.toBe('');
    expect(secrets[1]).toBe(secrets[0]);
  });

  test('--log writes a line for each request, without the query', async () => {
    const simulator = run('--port', '0', '--log', 'json');
    const output = await simulator.printed(ready);
    const call = echoCall(printed(output, 'App Secret'));
    await send(printed(output, 'base URL'), { ...call, target: `${call.target}?a=b` });
    const lines = (await simulator.end('SIGTERM')).stdout.split('\n').filter((line) => line.startsWith('{'));
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { method: 'POST', path: '/openapi/demo/echo', status: 200, notes: [] },
    ]);
  });

  test('--help lists the flags', async () => {
    const { status, stdout } = await run('--help').ended;
    expect(status).toBe(0);
    for (const flag of ['--port', '--host', '--data', '--control-token', '--header-prefix', '--public-callbacks-only'])
      expect(stdout).toContain(flag);
  });
});

describe('a command line that can not be is refused with 2 and one line', () => {
  const noDatabase = join(folder, 'text.db');
  writeFileSync(noDatabase, 'no database, but long enough '.repeat(99));

  // What options can't be: start.test.ts.
  test.each([
    [['--prot', '1'], /'--prot'/],
    [['--port', 'http'], /--port: http is no port/],
    [['8080'], /'8080'/],
    [['--host', 'host.invalid', '--port', '0'], /--host: host host.invalid is no known host/],
    [['--log', 'loud'], /--log: loud is none of pretty, json, off/],
    [['--data', noDatabase], /--data: .*no SQLite database; name another file/],
  ])('%j', async (flags, line) => {
    const { status, stdout, stderr } = await run(...flags).ended;
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^simulator: [^\n]+\n$/);
    expect(stderr).toMatch(line);
  });

  test('a port in use', async () => {
    const port = await portOf(createServer());
    const { status, stderr } = await run('--port', String(port)).ended;
    expect(status).toBe(2);
    expect(stderr).toMatch(/^simulator: --port: port \d+ is in use; [^\n]+\n$/);
  });
});
