import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '../../contract/values.ts';
import type { Draft } from '../../contract/request.ts';
import { evidenceOf } from '../../trace/evidence.ts';
import { ledgerMemory } from '../../targets/traffic/ledger.ts';
import { maskFor } from '../../trace/mask.ts';
import { signedRequest } from '../../client/sign.ts';
import { signChanged, timestampOffBy, timestampWritten, tokenChanged } from '../../generators/flaws.ts';
import { startEmbedded, type StartedTarget } from '../../targets/container.ts';
import { openTarget } from '../../targets/target.ts';
import { repeatScript } from './script.ts';
import { runScript } from '../testing/run-script.ts';

/** When the run was: hours before its scripts are run. */
const nowSeconds = Math.floor(Date.now() / 1000) - 6 * 3600;

describe('hours after the run', () => {
  let started: StartedTarget;
  let appSecret = '';
  beforeAll(async () => {
    started = await startEmbedded();
    const target = openTarget(started.address, { memory: ledgerMemory(), budget: 0 });
    ({ appSecret } = await target.caller());
    await target.close();
  });
  afterAll(() => started.stop());

  test('an application in the same condition is made by the control API where no secret is given', async () => {
    const origin = {
      appSecret: 'secret-of-the-run-0123456789',
      nowSeconds,
      caller: { name: 'k', standing: { state: 'disabled' as const }, isMade: true as const },
    };
    const call = { method: 'GET', path: '/openapi/x' };
    const draft: Draft = { call, token: origin.appSecret, timestamp: String(nowSeconds), origin };
    const mask = maskFor(new Map([[origin.appSecret, '$APP_SECRET']]));
    const evidence = evidenceOf({ request: signedRequest(draft), durationMs: 1 }, { mask });
    const facts = {
      baseUrl: started.address.baseUrl,
      clause: 'application.disabled',
      expected: `403, code ${codes.applicationDisabled.code} (${codes.applicationDisabled.meaning})`,
    };
    const { url = '', token = '' } = started.address.control ?? {};
    const control = { NFE_CONTROL_URL: url, NFE_CONTROL_TOKEN: token };
    const { status, stdout } = await runScript(repeatScript(evidence, facts) ?? '', control);
    expect(stdout).toContain('NOT REPRODUCED');
    expect(status).toBe(0);
  });

  async function statusOf(change: (draft: Draft) => Draft): Promise<string> {
    const rawBody = Buffer.from('{"message":"ação\\n",\r\n"x":1}');
    const call = { method: 'POST', path: '/openapi/demo/echo', query: 'a=1', contentType: 'application/json', rawBody };
    const origin = { appSecret: 'secret-of-the-run-0123456789', nowSeconds };
    const draft: Draft = { call, token: origin.appSecret, timestamp: String(nowSeconds), origin };
    const mask = maskFor(new Map([[origin.appSecret, '$APP_SECRET']]));
    const evidence = evidenceOf({ request: signedRequest(change(draft)), durationMs: 1 }, { mask });
    const facts = { baseUrl: started.address.baseUrl, clause: 'signature.accepted' };
    const { stdout, stderr } = await runScript(repeatScript(evidence, facts) ?? '', { NFE_APP_SECRET: appSecret });
    expect(stdout + stderr).not.toContain(appSecret);
    return [/^HTTP \d+/, /(?<="code":)\d+/].flatMap((wanted) => wanted.exec(stdout)?.[0] ?? []).join(' ');
  }

  test('a right request is accepted', async () => {
    expect(await statusOf((draft) => draft)).toBe('HTTP 200');
  });

  test.each([
    ['a timestamp 290 s behind', timestampOffBy(-290), 'HTTP 200'],
    ['a timestamp 301 s behind', timestampOffBy(-301), 'HTTP 401 10009001'],
    ['a timestamp in milliseconds', timestampWritten('', (seconds) => `${seconds}000`), 'HTTP 401 10009001'],
    ['a token cut', tokenChanged('', (token) => token.slice(1)), 'HTTP 401 10009002'],
    ['a sign in upper case', signChanged('', (right) => right.toUpperCase()), 'HTTP 401 10009003'],
  ] as const)('%s is answered as it was', async (_, flaw, answer) => {
    expect(await statusOf(flaw.apply)).toBe(answer);
  });
});
