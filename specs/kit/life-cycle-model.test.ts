import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { ledgerMemory } from '../../targets/traffic/ledger.ts';
import { foreignAddress } from '../../targets/testing/server.ts';
import { openTarget } from '../../targets/target.ts';
import { Deviation } from './deviation.ts';
import { playLifeCycle } from './life-cycle-model.ts';
import { trialOf } from './trial.ts';
import { newRecord } from './trial-record.ts';

/** Plays a life without any step at a server that answers everything so. @returns How often something was asserted. */
async function assertionsWithoutSteps(status: number, body: string): Promise<number> {
  const server = createServer((incoming, outgoing) => {
    incoming.resume().on('end', () => outgoing.writeHead(status).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const target = openTarget(foreignAddress(baseUrl), { memory: ledgerMemory(), budget: 0 });
  const record = newRecord();
  const t = trialOf(target, record);
  try {
    const issuer = { caller: await t.caller(), empresaId: '0' };
    await playLifeCycle(t, { issuers: [issuer], canDeny: false }, []);
    return record.assertions;
  } finally {
    await target.close();
    server.close();
  }
}

describe('a life cycle in which nothing was issued', () => {
  test('asks once, and is told that nothing is found', async () => {
    expect(await assertionsWithoutSteps(404, '[]')).toBe(1);
  });

  test('fails where something is found', async () => {
    await expect(assertionsWithoutSteps(200, '{"status": "Autorizada"}')).rejects.toThrow(Deviation);
  });
});
