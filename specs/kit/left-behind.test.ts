import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { TargetAddress } from '../../targets/address.ts';
import { issuanceCall } from '../../generators/nfe-ids.ts';
import { echoCall, probeCall } from '../../generators/calls.ts';
import { codes } from '../../contract/values.ts';
import { signChanged } from '../../generators/flaws.ts';
import { LeftOut } from '../../targets/not-exercised.ts';
import type { CheckPlan } from './check-plan.ts';
import { Deviation } from './deviation.ts';
import { attemptProperty } from './generated.ts';
import { oncePerRun } from './read-only.ts';
import { settle } from './settle.ts';
import { answering, type Answering } from './testing/answering.ts';
import { trialOf, type Trial } from './trial.ts';
import { newRecord } from './trial-record.ts';

const open: Answering[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function accepting(change: Partial<TargetAddress> = {}): Promise<Answering> {
  const started = await answering(() => [200, '{}'], change);
  open.push(started);
  return started;
}

const caller = { appSecret: 'a-secret', now: () => 1_790_000_000 };
const control = { control: { url: 'http://127.0.0.1:9', token: 't' } };
const issuance = issuanceCall('e1', {}, { id: 'n1', ambienteEmissao: 'Homologacao' });

/** Issues, and fails since it was accepted. */
async function failsByIssuing(t: Trial): Promise<void> {
  await t.send(caller, issuance);
  throw new Deviation({ expected: 'refused', actual: 'accepted' });
}

describe('a case that fails and leaves an invoice behind', () => {
  test.each([
    ['is not made smaller where that stays', {}, 1],
    ['is made smaller where the application is the check’s own', control, 2],
  ])('%s', async (_, change, requests) => {
    const { run, open: target, asked } = await accepting(change);
    const record = newRecord();
    const trial = trialOf(target(), record);
    const numbers = fc.integer({ min: 100, max: 1_000_000 });
    const { failure } = await attemptProperty(numbers, [], run, record, () => failsByIssuing(trial));
    expect(failure?.error).toBeInstanceOf(Deviation);
    expect(asked).toHaveLength(requests);
  });
});

describe('a check that fails', () => {
  async function requestsOf(
    attempt: (t: Trial) => Promise<void>,
    change: Partial<TargetAddress> = {},
  ): Promise<number> {
    const { run, open: target, asked } = await accepting(change);
    const plan: CheckPlan = {
      clause: 'echo.status',
      title: 'a title',
      needs: [],
      attempt: async (t) => {
        const error: unknown = await attempt(t).catch((thrown: unknown) => thrown);
        return { cases: 1, failure: { error } };
      },
    };
    const { state } = await settle(plan, run, target(), newRecord());
    expect(state).toBe('failed');
    return asked.length;
  }

  test('by an issuance that was accepted is not repeated where that stays', async () => {
    expect(await requestsOf(failsByIssuing)).toBe(1);
    expect(await requestsOf(failsByIssuing, control)).toBe(2);
  });

  test('by what came after the issuance is repeated', async () => {
    const failsAfterwards = async (t: Trial): Promise<void> => {
      await t.send(caller, issuance);
      await t.send(caller, echoCall('after'));
      throw new Deviation({ expected: 'another echo', actual: 'this one' });
    };
    expect(await requestsOf(failsAfterwards)).toBe(4);
  });
});

describe('an endpoint that makes something of any body', () => {
  const flaw = signChanged('all zeros', () => '0'.repeat(32));
  const probe = probeCall('nfe-issuance', 'application/xml');

  test('is sent the flawed request only, and the echo the untouched one', async () => {
    const refusing = await answering((asked) => (asked.includes('/nf-e') ? [401, '{"code":10009003}'] : [200, '{}']));
    open.push(refusing);
    await trialOf(refusing.open(), newRecord()).refuses(caller, probe, codes.signMismatch, flaw.apply);
    expect(refusing.asked).toEqual(['POST /openapi/demo/echo', `POST ${probe.path}`]);
  });

  test('is sent nothing to see that it accepts, which then is unproven', async () => {
    const { open: target, asked } = await accepting();
    await expect(trialOf(target(), newRecord()).accepts(caller, probe)).rejects.toThrow(LeftOut);
    expect(asked).toEqual([]);
  });
});

describe('what all checks of a run share', () => {
  const issuer = { caller, empresaId: 'e1' };

  test('is made once, is no check’s own cost, and is named by all that use it', async () => {
    const { open: target, asked } = await accepting();
    const shared = oncePerRun('an invoice', (t) => t.send(caller, issuance));
    const records = [newRecord(), newRecord()];
    for (const record of records) {
      const t = trialOf(target(), record);
      await t.send(caller, echoCall('its own'));
      await shared(t, issuer);
    }
    expect(asked).toHaveLength(3);
    const shares = records.map((record) => record.shares.get('an invoice'));
    expect(shares).toMatchObject([
      { requests: 1, invoices: 1 },
      { requests: 0, invoices: 0 },
    ]);
  });

  test('is asked for again by the next check where something prevented it', async () => {
    const { open: target } = await accepting();
    let times = 0;
    const shared = oncePerRun('an invoice', () => {
      times += 1;
      return times === 1 ? Promise.reject(new Error('in the way')) : Promise.resolve('made');
    });
    const t = trialOf(target(), newRecord());
    await expect(shared(t, issuer)).rejects.toThrow('in the way');
    expect([await shared(t, issuer), await shared(t, issuer)]).toEqual(['made', 'made']);
    expect(times).toBe(2);
  });
});
