import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { ledgerMemory } from '../../targets/traffic/ledger.ts';
import { echoCall } from '../../generators/calls.ts';
import type { Run } from '../../targets/address.ts';
import { LeftOut, NotExercised } from '../../targets/not-exercised.ts';
import { openTarget } from '../../targets/target.ts';
import { foreignAddress, answering, mortalServer, type MortalServer } from '../../targets/testing/server.ts';
import type { CheckPlan } from './check-plan.ts';
import { awaiting } from './awaiting.ts';
import { Deviation } from './deviation.ts';
import { settleUnlessHalted, type Settled } from './settle.ts';
import type { Trial } from './trial.ts';
import { newRecord } from './trial-record.ts';
import { issuanceCall } from '../../generators/issuance.ts';
import { plainRun } from '../../targets/plain-run.ts';

const servers: MortalServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.kill();
});

const patience = { answerMs: 1_000, twinMs: 300, pingMs: 300, betweenPingsMs: 50, goneMs: 600 };

async function runAgainst(listener: RequestListener, settleTimeoutSeconds = 3) {
  const server = await mortalServer(listener);
  servers.push(server);
  const traffic = { memory: ledgerMemory(), budget: 0, patience };
  return {
    server,
    run: plainRun(foreignAddress(server.baseUrl, { settleTimeoutSeconds }), { repetitions: 3, traffic }),
  };
}

/** How a check with that body ends. */
async function settled(run: Run, body: (t: Trial, times: number) => Promise<void>, cases = 1): Promise<Settled> {
  let times = 0;
  const plan: CheckPlan = {
    clause: 'echo.message-returned',
    title: 'a title',
    needs: [],
    attempt: async (t) => {
      times += 1;
      try {
        await body(t, times);
        return { cases };
      } catch (error) {
        return { cases, failure: { error } };
      }
    },
  };
  const target = openTarget(run.address, run.traffic);
  return settleUnlessHalted(plan, run, target, newRecord()).finally(() => target.close());
}

/** Sends an echo, and fails unless it is answered with 200. */
async function isEchoed(t: Trial): Promise<void> {
  const exchange = await t.send(await t.caller(), echoCall('a'));
  t.holds(exchange.response?.status === 200, { expected: '200', actual: String(exchange.response?.status) });
}

/** How an echo is answered: with that status, or with its connection broken; twins, which are sent to see who is to blame, with 200. */
function inTurn(...answers: readonly (number | 'reset')[]): RequestListener {
  let turn = 0;
  return (incoming, outgoing) => {
    let bodyText = '';
    incoming.on('data', (chunk) => (bodyText += String(chunk)));
    incoming.on('end', () => {
      const answer = bodyText.includes('twin') ? 200 : (answers[turn++] ?? answers.at(-1) ?? 200);
      if (answer === 'reset') incoming.socket.destroy();
      else outgoing.writeHead(answer).end('{}');
    });
  };
}

const threeResets = ['reset', 'reset', 'reset'] as const;
const fiveTooLarge = [413, 413, 413, 413, 413] as const;

describe('a failure that rests on whole answers', () => {
  test('stands though it never comes again, and tells at which rate it came', async () => {
    const { run } = await runAgainst(inTurn(404, 200));
    expect(await settled(run, isEchoed)).toMatchObject({ state: 'failed', failure: { rate: { failed: 1, of: 4 } } });
  });

  test('is not said to come now and then where the item that failed proves nothing when repeated', async () => {
    const { run } = await runAgainst(inTurn(200, 404, 200));
    const outcome = await settled(run, (t, times) =>
      t.each(['first', 'second'], async (item) => {
        if (item === 'second' && times > 1) throw new LeftOut('the id is taken by now');
        await isEchoed(t);
      }),
    );
    expect(outcome).toMatchObject({ state: 'failed', failure: { rate: { failed: 1, of: 1 } } });
  });

  test('is repeated until it fails once more', async () => {
    const { run } = await runAgainst(inTurn(404, 200, 500, 200));
    expect(await settled(run, isEchoed)).toMatchObject({ state: 'failed', failure: { rate: { failed: 2, of: 3 } } });
  });

  test('stands where the network has all its repetitions', async () => {
    const { run } = await runAgainst(inTurn(404, 'reset'));
    expect((await settled(run, isEchoed)).state).toBe('failed');
  });
});

describe('a failure that may be the network’s', () => {
  test('of a connection that breaks off is flaky where it passes five times when repeated', async () => {
    const { run } = await runAgainst(inTurn(...threeResets, 200));
    const outcome = await settled(run, isEchoed);
    expect(outcome.state === 'passed' && outcome.flaky.slice(0, 2)).toEqual([
      'failed: undefined',
      'passed 5 times when repeated',
    ]);
  });

  test.each(['reset', 502, 503, 504] as const)(
    'stands where its twins get through and it never does: %s',
    async (answer) => {
      const { run } = await runAgainst(inTurn(answer));
      expect(await settled(run, isEchoed)).toMatchObject({ state: 'failed', failure: { rate: { failed: 3, of: 3 } } });
    },
  );

  test.each([
    [31, 'passed'],
    [1, 'not-exercised'],
  ] as const)(
    'of a connection that breaks off, in one of %i cases that is left out when repeated, leaves the check %s',
    async (cases, state) => {
      const { run } = await runAgainst(inTurn(...threeResets, ...fiveTooLarge, 200));
      const tried = async (t: Trial): Promise<void> => {
        const exchange = await t.send(await t.caller(), echoCall('a'));
        if (exchange.response?.status === 413) throw new LeftOut('a body of that size is not taken');
        t.holds(exchange.response?.status === 200, { expected: '200', actual: 'nothing' });
      };
      expect((await settled(run, tried, cases)).state).toBe(state);
    },
  );

  test('is one to a request that was sent twice: the target may have taken the first', async () => {
    const { run } = await runAgainst(inTurn('reset', 400, 200));
    const outcome = await settled(run, isEchoed);
    expect([outcome.state, outcome.state === 'passed' && outcome.flaky[0]]).toEqual(['passed', 'failed: 400']);
  });

  test('is one to a request that was sent twice, though the last of its case was accepted and stays', async () => {
    const { run } = await runAgainst(inTurn('reset', 400, 200));
    const outcome = await settled(run, async (t) => {
      const caller = await t.caller();
      const fields = { id: 'a', ambienteEmissao: 'Homologacao' };
      const issue = () => t.send(caller, issuanceCall('e1', {}, fields));
      const [first] = [await issue(), await issue()];
      t.holds(first.response?.status === 200, { expected: '200', actual: String(first.response?.status) });
    });
    expect(outcome.state).toBe('passed');
  });

  test('is none where it comes again and nothing was sent twice then', async () => {
    const { run } = await runAgainst(inTurn('reset', 400, 400, 200));
    expect((await settled(run, isEchoed)).state).toBe('failed');
  });

  test('is told by the repetition in which nothing was sent twice', async () => {
    const { run } = await runAgainst(inTurn('reset', 400, 404, 200));
    expect(await settled(run, isEchoed)).toMatchObject({ state: 'failed', failure: { error: { actual: '404' } } });
  });

  test('is let go where something is sent twice each time', async () => {
    const { run } = await runAgainst(inTurn(...Array.from({ length: 20 }, () => ['reset', 400] as const).flat(), 200));
    expect((await settled(run, isEchoed)).state).not.toBe('failed');
  });

  test('is one in a case of which another request was sent twice', async () => {
    const { run } = await runAgainst(inTurn('reset', 200, 404, 200));
    const outcome = await settled(run, async (t) => {
      await isEchoed(t);
      await isEchoed(t);
    });
    expect(outcome.state).toBe('passed');
  });

  test('is one that rests on time, whatever was answered', async () => {
    const late = { expected: 'in time', actual: 'late', restsOnTime: true };
    const { run } = await runAgainst(answering(200));
    const outcomes = [(times: number) => times > 1, () => false].map((holds) =>
      settled(run, async (t, times) => {
        await isEchoed(t);
        t.holds(holds(times), late);
      }),
    );
    expect((await Promise.all(outcomes)).map(({ state }) => state)).toEqual(['passed', 'failed']);
  });

  test('that keeps coming and going is not exercised', async () => {
    const { run } = await runAgainst(answering(200));
    const outcome = await settled(run, async (t, times) => {
      t.holds(times % 6 !== 1, { expected: 'in time', actual: 'late', restsOnTime: true });
    });
    expect(outcome).toMatchObject({ state: 'not-exercised', trouble: 'network' });
  });
});

describe('a check that can’t be made', () => {
  const refused = new NotExercised('refused');

  test('is made again where an answer was lost before', async () => {
    const { run } = await runAgainst(inTurn('reset', 200));
    const outcome = await settled(run, async (t, times) => {
      await isEchoed(t);
      if (times === 1) throw refused;
    });
    expect(outcome.state).toBe('passed');
  });

  test('is made again where a delivery was lost', async () => {
    const { run } = await runAgainst(answering(200));
    const outcome = await settled(run, async (t, times) => {
      t.awaited('verdict-event.sent-when-settled', times > 1);
      if (times === 1) throw refused;
    });
    expect(outcome.state).toBe('passed');
  });

  test('is not made again where nothing came between', async () => {
    const { run } = await runAgainst(answering(200));
    const outcome = await settled(run, async (t, times) => {
      await isEchoed(t);
      if (times === 1) throw refused;
    });
    expect(outcome).toMatchObject({ state: 'not-exercised', reason: 'refused' });
  });
});

test('a delivery that is lost fails its check though the next one comes', async () => {
  const { run } = await runAgainst(answering(200));
  const outcome = await settled(run, async (t, times) => {
    t.awaited('verdict-event.sent-when-settled', times > 1);
    t.holds(times > 1, { expected: 'an event', actual: 'none came', restsOnTime: true });
  });
  expect(outcome).toMatchObject({ state: 'failed', failure: { rate: { failed: 1, of: 4 } } });
});

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

test.each([
  ['is given on top of the time of a run', {}, true],
  ['is not, where other checks went on meanwhile', { isAbreast: true }, false],
])('what a check has waited for and got %s', async (_, waiter, isGiven) => {
  const { run } = await runAgainst(answering(200));
  const target = openTarget(run.address, run.traffic);
  const wait = { kind: 'delivery', firstPauseMs: 20, longestPauseMs: 20 } as const;
  let looks = 0;
  await awaiting(
    target,
    { ...newRecord(), ...waiter },
    wait,
    () => (looks += 1),
    (seen) => seen > 2,
  );
  await target.close();
  expect(target.ledger.guard.waits.cameInTurnMs() >= 40).toBe(isGiven);
});

describe('a failure since something did not come', () => {
  const neverComes = async (t: Trial): Promise<void> => {
    const wait = { kind: 'delivery', firstPauseMs: 20, longestPauseMs: 20 } as const;
    if (!(await t.awaits(wait, () => false, Boolean)))
      throw new Deviation({ expected: 'it came', actual: 'none came' });
  };

  test('stands where its repetition waited in full, and accuses nobody where neither did', async () => {
    const { run } = await runAgainst(answering(200), 1.5);
    const states: string[] = [];
    for (let count = 0; count < 2; count++) states.push((await settled(run, neverComes)).state);
    expect(states).toEqual(['failed', 'not-exercised']);
  });

  test('is flaky where it comes when the check is repeated', async () => {
    const { run } = await runAgainst(answering(200), 1.5);
    const outcome = await settled(run, async (t, times) => {
      if (times === 1) await neverComes(t);
      t.holds(true, { expected: '', actual: '' });
    });
    expect(outcome.state).toBe('passed');
  });
});
