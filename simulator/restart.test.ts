import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { testIssuer } from './testing/company.ts';
import { controlCall, type Running, textIn } from './testing/running.ts';

const folder = mkdtempSync(join(tmpdir(), 'nfe-restart-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A simulator in a process of its own, on a data file, that can be killed. */
async function spawned(dataFile: string): Promise<Running & { kill(): Promise<void> }> {
  const args = ['simulator/main.ts', '--port', '0', '--data', dataFile, '--control-token', 'token'];
  const child = spawn('node', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const baseUrl = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += String(chunk);
      const found = /base URL\s+(\S+)\n/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('close', () => reject(new Error('the simulator ended by itself')));
  });
  const control: Running['control'] = (method, path, body) =>
    controlCall({ baseUrl, controlToken: 'token' }, method, path, body);
  return {
    baseUrl,
    control,
    async application(wish = {}) {
      const { json } = await control('POST', '/applications', wish);
      return { appKey: textIn(json, 'appKey'), appName: textIn(json, 'appName'), appSecret: textIn(json, 'appSecret') };
    },
    kill() {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

test('an invoice that was accepted before a kill is there afterwards, and still settles', async () => {
  const dataFile = join(folder, 'killed.sqlite');
  const before = await spawned(dataFile);
  const issuer = await testIssuer(before, { settleSeconds: 60 });
  expect((await issuer.issue('a')).status).toBe(200);
  await before.kill();
  const after = await spawned(dataFile);
  try {
    const again = issuer.at(after);
    expect((await again.query('a')).json).toMatchObject({ status: 'AguardandoAutorizacao', numero: 1 });
    await again.advance(60);
    expect((await again.query('a')).json).toMatchObject({ status: 'Autorizada' });
    expect((await again.issue('a')).status).toBe(400);
  } finally {
    await after.kill();
  }
});
