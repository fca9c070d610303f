import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { servedBy } from '../../targets/testing/served.ts';
import { codes } from '../../contract/values.ts';
import { methodAndPath, retiredEndpoints } from '../../contract/endpoints.ts';
import type { KnownDeviation } from '../../contract/catalogue.ts';
import { nineRetiredCalls, type RetiredCall, echoCall, probeCall } from '../../generators/calls.ts';
import type { TargetAddress } from '../../targets/address.ts';
import { openTarget } from '../../targets/target.ts';
import { foreignAddress } from '../../targets/testing/server.ts';
import { attemptExample, judgedCase } from './check.ts';
import type { CheckPlan } from './check-plan.ts';
import { attemptProperty } from './generated.ts';
import { settle, type Settled } from './settle.ts';
import { type Trial, trialOf } from './trial.ts';
import { newRecord, type TrialRecord } from './trial-record.ts';
import { signChanged } from '../../generators/flaws.ts';
import { LeftOut } from '../../targets/not-exercised.ts';
import { Deviation } from './deviation.ts';
import { oncePerRun } from './read-only.ts';
import { answering, type Answering } from './testing/answering.ts';
import { issuanceCall } from '../../generators/issuance.ts';
import { plainRun } from '../../targets/plain-run.ts';

const gone = JSON.stringify({ success: false, errorType: 1, code: 10009034, message: 'gone' });
const title = 'each of the nine retired paths gets 410';

/** A server that retired all of the nine but those, each of which it answers with that status. */
async function serverWithout(broken: Readonly<Record<string, number>>, other = '{}'): Promise<string> {
  return servedBy((incoming, outgoing) => {
    const status = broken[incoming.url ?? ''] ?? 410;
    incoming.resume().on('end', () => outgoing.writeHead(status).end(status === 410 ? gone : other));
  });
}

async function isGone(t: Trial, { call }: RetiredCall): Promise<void> {
  t.isRefusedWith(await t.send(await t.caller(), call), codes.retired);
}

/** The same rule as one check that goes through the nine, and as a property with an example of each. */
const plans = {
  'a check that goes through items': {
    clause: 'retirement.gone',
    title,
    needs: [],
    attempt: (t, _, record) => attemptExample(() => t.each(nineRetiredCalls, (chosen) => isGone(t, chosen)), record),
  },
  'a property with examples': {
    clause: 'retirement.gone',
    title,
    needs: [],
    examples: () => nineRetiredCalls.length,
    attempt: (t, run, record) =>
      attemptProperty(fc.constantFrom(...nineRetiredCalls), nineRetiredCalls, run, record, (chosen) =>
        isGone(t, chosen),
      ),
  },
} as const satisfies Record<string, CheckPlan>;

interface Asked {
  readonly plan: CheckPlan;
  readonly broken: Readonly<Record<string, number>>;
  readonly entries?: string | readonly KnownDeviation[];
  /** The body of what is no 410. */
  readonly other?: string;
}

async function settled({ plan, broken, entries, other }: Asked): Promise<{ settled: Settled; record: TrialRecord }> {
  const address = foreignAddress(await serverWithout(broken, other), { credentials: { active: 'a-secret' } });
  const run = plainRun(address, {
    clauses: [plan.clause],
    numRuns: 20,
    mostShrinks: 10,
    repetitions: 1,
    ...(entries === undefined ? {} : { knownDeviations: { [plan.clause]: entries } }),
  });
  const target = openTarget(run.address, run.traffic);
  const record = newRecord();
  try {
    return { settled: await settle(plan, run, target, record), record };
  } finally {
    await target.close();
  }
}

const [create = '', query = '', , , danfe = ''] = retiredEndpoints.map(({ path }) => path);
const accepted = (path: string, rest: Partial<KnownDeviation> = {}): KnownDeviation => ({
  reason: 'TICKET-1',
  endpoint: `POST ${path}`,
  ...rest,
});

test.each([
  ['first', nineRetiredCalls],
  ['last', nineRetiredCalls.toReversed()],
])(
  'what is accepted %s of several is not told again at the end of a case, though the judge has seen it, too',
  async (_, calls) => {
    const plan: CheckPlan = {
      ...plans['a check that goes through items'],
      attempt: (t, _run, record) => {
        const each = (): Promise<void> => t.each(calls, (chosen) => isGone(t, chosen));
        return attemptExample(() => judgedCase('retirement.gone', record, each), record);
      },
    };
    const other = '{"code": 1, "message": "unknown"}';
    const { settled: end, record } = await settled({
      plan,
      broken: { [create]: 404 },
      entries: [accepted(create)],
      other,
    });
    const way = { endpoint: `POST ${create}` };
    expect(end).toMatchObject({ state: 'failed', failure: { way, known: [way] } });
    expect(record.kept).not.toContain(way.endpoint);
  },
);

describe.each(Object.entries(plans))('%s', (_, plan) => {
  test('passes where all of them hold, and tells on which endpoints that was seen', async () => {
    const { settled: end, record } = await settled({ plan, broken: {}, entries: [accepted(create)] });
    expect(end.state).toBe('passed');
    expect([...record.kept]).toEqual(expect.arrayContaining(retiredEndpoints.map(methodAndPath)));
  });

  test('that fails in an accepted way fails with that way, after all others were tried', async () => {
    const { settled: end, record } = await settled({ plan, broken: { [create]: 404 }, entries: [accepted(create)] });
    expect(end).toMatchObject({
      state: 'failed',
      failure: {
        way: { endpoint: `POST ${create}`, actual: '404, no code' },
        known: [{ endpoint: `POST ${create}` }],
        ways: [{ endpoint: `POST ${create}` }],
      },
    });
    expect(record.kept).toContain(`POST ${danfe}`);
  });

  test('goes on after an accepted way and fails in the one that is not', async () => {
    const broken = { [create]: 404, [danfe]: 500 };
    const { settled: end } = await settled({ plan, broken, entries: [accepted(create)] });
    expect(end).toMatchObject({
      state: 'failed',
      failure: { way: { endpoint: `POST ${danfe}`, actual: '500, no code' }, known: [{ endpoint: `POST ${create}` }] },
    });
  });

  test('fails in another way on the endpoint that is accepted with a case', async () => {
    const broken = { [create]: 500 };
    const { settled: end } = await settled({ plan, broken, entries: [accepted(create, { case: '404' })] });
    expect(end).toMatchObject({ failure: { way: { actual: '500, no code' }, known: [] } });
  });

  test('is not looked through again where an entry names another check', async () => {
    const entries = [accepted(create, { check: 'another rule' })];
    const { settled: end } = await settled({ plan, broken: { [create]: 404 }, entries });
    expect(end).toMatchObject({ state: 'failed', failure: { known: [] } });
  });

  test.each([undefined, 'TICKET-2'])('tells every way in which it fails where the list has %s', async (entries) => {
    const broken = { [create]: 404, [query]: 404, [danfe]: 500 };
    const { settled: end } = await settled({ plan, broken, ...(entries === undefined ? {} : { entries }) });
    const ways = end.state === 'failed' ? end.failure.ways : [];
    expect(ways?.map(({ endpoint, actual }) => [endpoint, actual])).toEqual([
      [`POST ${create}`, '404, no code'],
      [`POST ${query}`, '404, no code'],
      [`POST ${danfe}`, '500, no code'],
    ]);
  });
});

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
