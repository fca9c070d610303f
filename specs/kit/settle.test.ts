import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { ledgerMemory } from '../../client/ledger.ts';
import { echoCall } from '../../generators/calls.ts';
import type { Run } from '../../targets/address.ts';
import { openTarget } from '../../targets/target.ts';
import { foreignAddress } from '../../targets/testing/foreign-address.ts';
import { answering, mortalServer, type MortalServer } from '../../targets/testing/server.ts';
import type { CheckPlan } from './check.ts';
import { Deviation } from './deviation.ts';
import { settleUnlessHalted, type Settled } from './settle.ts';
import { newRecord, type Trial } from './trial.ts';

const servers: MortalServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.kill();
});

const patience = { answerMs: 1_000, twinMs: 300, pingMs: 300, betweenPingsMs: 50, goneMs: 600 };

async function runAgainst(listener: RequestListener, settleTimeoutSeconds = 3) {
  const server = await mortalServer(listener);
  servers.push(server);
  const run: Run = {
    name: 'test',
    clauses: [],
    seed: 1,
    numRuns: 1,
    mostShrinks: 0,
    repetitions: 3,
    address: foreignAddress(server.baseUrl, { settleTimeoutSeconds }),
    traffic: { memory: ledgerMemory(), budget: 0, patience },
    secrets: new Map(),
  };
  return { server, run };
}

/** How a check with that body ends. */
async function settled(run: Run, body: (t: Trial, times: number) => Promise<void>): Promise<Settled> {
  let times = 0;
  const plan: CheckPlan = {
    clause: 'echo.message-returned',
    title: 'a title',
    needs: [],
    attempt: async (t) => {
      times += 1;
      try {
        await body(t, times);
        return { cases: 1 };
      } catch (error) {
        return { cases: 1, failure: { error } };
      }
    },
  };
  const target = openTarget(run.address, run.traffic);
  return settleUnlessHalted(plan, run, target, newRecord()).finally(() => target.close());
}

describe('a failure whose repetition finds the target gone', () => {
  /** Sends an echo, and fails unless its status is 201; after the first time the target is gone. */
  async function dyingAfter(listener: RequestListener): Promise<Settled> {
    const { server, run } = await runAgainst(listener);
    return settled(run, async (t) => {
      const exchange = await t.send(await t.caller(), echoCall('a'));
      server.kill();
      t.holds(exchange.response?.status === 201, { expected: '201', actual: String(exchange.response?.status) });
    });
  }

  test('accuses nobody of a 500, which a target that is going down answers, too', async () => {
    const outcome = await dyingAfter(answering(500));
    expect(outcome).toMatchObject({ state: 'not-exercised', trouble: 'network' });
    expect(outcome.state === 'not-exercised' && outcome.reason).toMatch(/^target lost at /);
  });

  test('stands where the answer was whole and wrong', async () => {
    expect((await dyingAfter(answering(200))).state).toBe('failed');
  });

  test('is none where the answer was cut off in the middle of its body', async () => {
    const outcome = await dyingAfter((incoming, outgoing) => {
      incoming.resume().on('end', () => {
        outgoing.writeHead(200, { 'content-length': '100' }).write('half');
        setImmediate(() => {
          servers[0]?.kill();
          outgoing.destroy();
        });
      });
    });
    expect(outcome).toMatchObject({ state: 'not-exercised', trouble: 'network' });
  });
});

test('a check of a run that goes no further is not begun', async () => {
  const { server, run } = await runAgainst(answering(200));
  server.kill();
  let begun = 0;
  const look = (): Promise<Settled> =>
    settled(run, async (t) => {
      begun += 1;
      await t.send(await t.caller(), echoCall('a'));
    });
  const [first, second] = [await look(), await look()];
  expect([first.state, second.state, begun]).toEqual(['not-exercised', 'not-exercised', 1]);
});

describe('a failure since something did not come', () => {
  const neverComes = async (t: Trial): Promise<void> => {
    const wait = { kind: 'delivery', firstPauseMs: 20, longestPauseMs: 20 } as const;
    if (!(await t.awaits(wait, () => false, Boolean)))
      throw new Deviation({ expected: 'it came', actual: 'none came' });
  };

  test('stands where its repetition waited in full, and accuses nobody where neither did', async () => {
    const { run } = await runAgainst(answering(200), 2);
    const states: string[] = [];
    for (let count = 0; count < 2; count++) states.push((await settled(run, neverComes)).state);
    expect(states).toEqual(['failed', 'not-exercised']);
  });

  test('is flaky where it comes when the check is repeated', async () => {
    const { run } = await runAgainst(answering(200), 2);
    const outcome = await settled(run, async (t, times) => {
      if (times === 1) await neverComes(t);
      t.holds(true, { expected: '', actual: '' });
    });
    expect(outcome.state).toBe('passed');
  });
});
