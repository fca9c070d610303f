import { describe, expect, test } from 'vitest';
import type { Run } from '../../targets/address.ts';
import { echoCall } from '../../generators/calls.ts';
import { callsWithOthers, gatheringIn } from './gathered.ts';
import { gatheredOnce } from './gathered-once.ts';
import { answering, type Answering } from './testing/answering.ts';
import { newRecord, type TrialRecord } from './trial-record.ts';
import { trialOf, type Trial } from './trial.ts';

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
});
