import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Run } from '../../targets/address.ts';
import { echoCall } from '../../generators/calls.ts';
import { callsWithOthers, gatheringIn } from './gathered.ts';
import { gatheredOnce } from './gathered-once.ts';
import { answering, type Answering } from './testing/answering.ts';
import { nobodyAt } from './testing/runs.ts';
import { newRecord, type TrialRecord } from './trial-record.ts';
import { trialOf, type Trial } from './trial.ts';
import fc from 'fast-check';
import { Deviation } from './deviation.ts';
import { attemptProperty } from './generated.ts';
import { plainRun } from '../../targets/plain-run.ts';

const run = plainRun(nobodyAt, { name: 'a', numRuns: 100, mostShrinks: 10 });

/** The cases that are tried of these, and what came of it. */
async function triedOf<T>(
  cases: fc.Arbitrary<T>,
  isRight: (value: T, times: number) => boolean = () => true,
): Promise<{ tried: readonly T[]; counted: number; hasFailed: boolean }> {
  const tried: T[] = [];
  const attempt = await attemptProperty(cases, [], run, newRecord(), async (value) => {
    tried.push(value);
    if (!isRight(value, tried.length)) throw new Error('wrong');
  });
  return { tried, counted: attempt.cases, hasFailed: attempt.failure !== undefined };
}

test('where there are but two cases, each is tried three times', async () => {
  const { tried, counted } = await triedOf(fc.constantFrom('a', 'b'));
  expect(tried.toSorted()).toEqual(['a', 'a', 'a', 'b', 'b', 'b']);
  expect(counted).toBe(6);
});

test('cases that all differ are all tried', async () => {
  const { tried, counted } = await triedOf(fc.integer({ min: 0, max: 1_000_000_000 }).map((from) => ({ from })));
  expect(new Set(tried.map(({ from }) => from)).size).toBeGreaterThan(85);
  expect(counted).toBe(tried.length);
});

test('a case that fails at its third time is found', async () => {
  const { hasFailed } = await triedOf(fc.constant('a'), (_, times) => times < 3);
  expect(hasFailed).toBe(true);
});

test('a case that takes long to try is not made smaller for longer than half a minute', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { tried, hasFailed } = await triedOf(fc.integer({ min: 0, max: 1_000_000 }), (value) => {
    vi.advanceTimersByTime(12_000);
    return value < 1_000;
  });
  expect(hasFailed).toBe(true);
  expect(tried).toHaveLength(4);
});

test('sequences of commands, which show what they are only once they have run, are all tried', async () => {
  const command = { check: () => true, run: () => undefined, toString: () => 'step' };
  const { tried } = await triedOf(fc.commands([fc.constant(command)], { maxCommands: 3 }));
  expect(tried).toHaveLength(100);
});

test.each([
  { what: 'what it builds on did not come', change: { isPremise: true, restsOnTime: true }, isShrunk: false },
  { what: 'what it builds on is wrong', change: { isPremise: true }, isShrunk: true },
  { what: 'what its own rule demands did not come', change: { restsOnTime: true }, isShrunk: true },
])('a failing case is made smaller, or not, where $what', async ({ change, isShrunk }) => {
  let tried = 0;
  await attemptProperty(fc.integer({ min: 1_000 }), [], run, newRecord(), () => {
    tried += 1;
    throw new Deviation({ expected: 'an event', actual: 'none', ...change });
  });
  expect(tried > 1).toBe(isShrunk);
});

const caller = { appSecret: 'a-secret', now: () => 1_790_000_000 };

/** What `use` makes of a server, and how many requests came to it. */
async function against(status: number, use: (server: Answering) => Promise<void>): Promise<number> {
  const server = await answering(() => [status, '{}']);
  await use(server);
  await server.close();
  return server.asked.length;
}

/** A check of that run, with its record. */
function checkOf(server: Answering, gathersIn: string | undefined): { t: Trial; record: TrialRecord } {
  const record = { ...newRecord(), gathersIn };
  return { t: trialOf(server.open(), record), record };
}

describe('what several checks gather', () => {
  test.each<[string, number, string | undefined, number]>([
    ['is gathered by the first of them where they gather for each other', 200, 'a run', 1],
    ['is gathered by each where each gathers for itself', 200, undefined, 3],
    ['is gathered anew where what came says less to others', 429, 'a run', 3],
  ])('%s', async (_, status, gathersIn, wanted) => {
    const gather = gatheredOnce('an echo', async (t) => {
      const { response } = await t.sendUnderLimit(caller, echoCall('gathered'));
      return response?.status;
    });
    const sent = await against(status, async (server) => {
      for (let check = 0; check < 3; check++) {
        const { t, record } = checkOf(server, gathersIn);
        expect(await gather(t)).toBe(status);
        expect(record.exchanges).toHaveLength(1);
      }
    });
    expect(sent).toBe(wanted);
  });

  test('counts for whoever reads it as if it had come to him, hides what it would hide, and costs him nothing', async () => {
    const gather = gatheredOnce('an echo', async (t) => {
      t.target.hide('a token', '$WEBHOOK_TOKEN');
      await t.accepts(caller, echoCall('gathered'));
    });
    await against(200, async (server) => {
      const [first, second] = [checkOf(server, 'a run'), checkOf(server, 'a run')];
      await gather(first.t);
      await gather(second.t);
      expect(second.record.recorder.seenOf('encoding.of-answers')).toEqual(
        first.record.recorder.seenOf('encoding.of-answers'),
      );
      expect(second.t.target.secrets.get('a token')).toBe('$WEBHOOK_TOKEN');
      expect([first, second].map(({ record }) => record.shares.get('an echo')?.requests)).toEqual([1, 0]);
    });
  });

  test('is of one kind for each of its kinds', async () => {
    const gather = gatheredOnce('echoes', async (t, text: string) => {
      await t.send(caller, echoCall(text));
      return text;
    });
    const sent = await against(200, async (server) => {
      const { t } = checkOf(server, 'a run');
      expect([await gather(t, 'a'), await gather(t, 'b'), await gather(t, 'a')]).toEqual(['a', 'b', 'a']);
    });
    expect(sent).toBe(2);
  });

  test('is gathered by the next check where the first could not', async () => {
    let times = 0;
    const gather = gatheredOnce('luck', () => {
      times += 1;
      return times === 1 ? Promise.reject(new Error('bad luck')) : Promise.resolve(times);
    });
    await against(200, async (server) => {
      const { t } = checkOf(server, 'a run');
      await expect(gather(t)).rejects.toThrow('bad luck');
      expect([await gather(t), await gather(t)]).toEqual([2, 2]);
    });
  });
});

describe('checks gather for each other', () => {
  const control = { url: 'http://127.0.0.1:1', token: 'a-token' };

  async function runLike(change: Partial<Run['address']>, rest: Partial<Run> = {}): Promise<Run> {
    const server = await answering(() => [200, '{}'], change);
    await server.close();
    return { ...server.run, ...rest };
  }

  test.each<[string, Partial<Run['address']>, Partial<Run>, boolean]>([
    ['where a control API makes an application for each, at a pace', { control, maxRps: 5 }, {}, true],
    ['but not without a pace', { control }, {}, false],
    ['nor without a control API, where they share an application anyway', { maxRps: 5 }, {}, false],
    ['nor where one case is repeated', { control, maxRps: 5 }, { path: '0:0' }, false],
  ])('%s', async (_, change, rest, isWanted) => {
    const run = await runLike(change, rest);
    expect(gatheringIn(run) !== undefined).toBe(isWanted);
    expect(callsWithOthers(run, ['empresa'])).toBe(isWanted);
  });

  test('as an application of their own where they do something to it that others would notice', async () => {
    const run = await runLike({ control, maxRps: 5 });
    expect(callsWithOthers(run, ['empresa', 'callbacks'])).toBe(false);
    expect(callsWithOthers(run, ['rotation'])).toBe(false);
  });

  test('and give no address of their own to one that others call as', async () => {
    await against(200, async (server) => {
      const { t } = checkOf(server, 'a run');
      const inbox = { url: 'http://127.0.0.1:1/an-address', arrivals: () => [] };
      t.announce(inbox, 'issuance', caller);
      expect(() => t.announce(inbox, 'issuance', { ...caller, isCommon: true })).toThrow('that other checks call as');
    });
  });
});
