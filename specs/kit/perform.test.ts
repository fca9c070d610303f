import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { portOf, servedBy } from '../../targets/testing/served.ts';
import { openLedger } from '../../targets/traffic/ledger.ts';
import { echoCall } from '../../generators/calls.ts';
import type { CheckOutcome } from '../../schemas/results.ts';
import type { Run } from '../../targets/address.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import { foreignAddress } from '../../targets/testing/server.ts';
import { type CheckPlan, asAskedOf, examplesOf, triesOf } from './check-plan.ts';
import { Deviation } from './deviation.ts';
import { perform } from './perform.ts';
import { briefly, summary } from './reply.ts';
import { isAsItSays, isWhole } from './verification.ts';
import { targetAt } from './testing/runs.ts';
import { playLifeCycle } from './life-cycle-model.ts';
import { trialOf } from './trial.ts';
import { newRecord } from './trial-record.ts';
import { plainRun } from '../../targets/plain-run.ts';

const cases = { examples: ['a', 'b', 'c', 'd', 'e', 'f'], mostPolitely: 3 };
const at = (maxRps: number, numRuns: number): Run =>
  plainRun(foreignAddress('http://127.0.0.1', { maxRps }), { numRuns });

test.each([
  ['three of ten', at(5, 10), 3],
  ['three where few are asked for', at(5, 1), 3],
  ['as many more as are asked for', at(5, 50), 15],
  ['all without a ceiling', at(0, 10), 10],
])('at a pace a check that is content with three cases tries %s', (_, run, tried) => {
  expect(triesOf(run, cases).cases).toBe(tried);
});

test('its examples are the first ones', () => {
  expect(examplesOf(at(5, 10), cases)).toEqual(['a', 'b', 'c']);
  expect(examplesOf(at(5, 20), cases)).toHaveLength(6);
});

test('where its polite cases are to be drawn, all of its examples are tried only without a ceiling', () => {
  const drawn = { ...cases, mostPolitely: 1, politeExamples: 0 };
  expect(triesOf(at(5, 10), drawn)).toMatchObject({ cases: 1, examples: 0 });
  expect(triesOf(at(0, 10), drawn)).toMatchObject({ cases: 10, examples: 6 });
});

test('a clause that is asked for thoroughly has every example tried where others have few', () => {
  const few = { ...at(0, 1), mostExamples: 2, thorough: { clauses: ['echo.own'], numRuns: 10 } };
  expect(triesOf(asAskedOf(few, 'echo.other'), cases)).toMatchObject({ cases: 2, examples: 2 });
  expect(triesOf(asAskedOf(few, 'echo.own'), cases)).toMatchObject({ cases: 10, examples: 6 });
});

const secret = 'canary-in-a-coal-mine-canary';
/** What a flaw makes of it: the mask of the secret alone does not know it. */
const near = secret.slice(0, -1);

/** A run against a server that answers with what is made of the token that it got, and is told of each connection. */
async function runAgainst(answer: (token: string) => string, connected = (): void => undefined): Promise<Run> {
  const server = createServer((incoming, outgoing) => {
    const body = answer(String(incoming.headers['token']));
    incoming.resume().on('end', () => outgoing.writeHead(401, { 'content-type': 'application/json' }).end(body));
  }).on('connection', connected);
  const at = { credentials: { active: secret }, shows: 'all' } as const;
  return plainRun(foreignAddress(`http://127.0.0.1:${await portOf(server)}`, at), {
    secrets: new Map([[secret, '$NFE_APP_SECRET']]),
  });
}

const echoing = (token: string): string => JSON.stringify({ code: token, [token]: [token] });

/** The outcome of a check that sends the token of that flaw and ends as it is told to. */
async function outcomeOf(run: Run, attempt: CheckPlan['attempt']): Promise<CheckOutcome> {
  const plan: CheckPlan = {
    clause: 'echo.message-returned',
    title: 'a title',
    needs: [],
    attempt,
  };
  const [outcome] = await perform(plan, run, 'specs/echo.spec.ts');
  if (!outcome) throw new Error('no outcome');
  return outcome;
}

/** An attempt that sends the near miss, and ends by what it saw and how often it was made. */
function sending(ending: (seen: string, times: number) => Error | undefined): CheckPlan['attempt'] {
  let times = 0;
  return async (t) => {
    times += 1;
    const exchange = await t.send(await t.caller(), echoCall('a'), (draft) => ({ ...draft, token: near }));
    t.holds(true, { expected: '', actual: '' });
    const seen = `${summary(exchange)} ${briefly(exchange)}`;
    const error = ending(seen, times);
    return { cases: 1, ...(error ? { failure: { error, counterexample: seen } } : {}) };
  };
}

const deviating = (seen: string): Deviation => new Deviation({ expected: seen, actual: seen, hint: seen });
/** The same of what did not come in time, which may be the network's. */
const missing = (seen: string): Deviation =>
  new Deviation({ expected: seen, actual: seen, hint: seen, restsOnTime: true });

describe('a token that is nearly the secret', () => {
  test('shows nowhere in a failure, its names of members included, where the target gives it back', async () => {
    const { result, shapes } = await outcomeOf(await runAgainst(echoing), sending(deviating));
    expect(result.state).toBe('failed');
    const hidden = `(another token of ${near.length} characters)`;
    const { expected, actual, hint } = result.error ?? {};
    for (const text of [expected, actual, hint, result.counterexample]) expect(text).toContain(hidden);
    expect(JSON.stringify({ result, shapes })).not.toContain('canary');
  });

  test('shows neither in the reason of a check that was not exercised nor in what was flaky', async () => {
    const run = { ...(await runAgainst(echoing)), repetitions: 1 };
    const wanting = await outcomeOf(
      run,
      sending((seen) => new NotExercised(seen)),
    );
    const flaky = await outcomeOf(
      run,
      sending((seen, times) => (times === 1 ? missing(seen) : undefined)),
    );
    expect([wanting.result.state, flaky.result.state]).toEqual(['not-exercised', 'passed']);
    expect(flaky.result.flaky?.join()).toContain('(another token of');
    expect(JSON.stringify([wanting, flaky].map(({ result, shapes }) => ({ result, shapes })))).not.toContain('canary');
  });
});

describe('a text of the target', () => {
  test('is cut only once it is masked, wherever in it the secret stands', async () => {
    for (const before of [100, 300, 19_990]) {
      const run = await runAgainst(() => `${'x'.repeat(before)}${secret}${'y'.repeat(30_000)}`);
      const { result } = await outcomeOf(run, sending(deviating));
      expect(JSON.stringify(result)).not.toContain('cana');
      expect(result.error?.actual.length).toBe(20_000);
    }
  });

  test('is cut wherever an outcome holds it', async () => {
    const run = { ...(await runAgainst(() => 'x'.repeat(30_000))), repetitions: 1 };
    const flaky = await outcomeOf(
      run,
      sending((seen, times) => (times === 1 ? missing(seen) : undefined)),
    );
    expect(flaky.result.flaky?.map(({ length }) => length)).toEqual([20_000, 'passed 5 times when repeated'.length]);
    const failed = await outcomeOf({ ...run, repetitions: 0 }, sending(deviating));
    expect(failed.result.error?.hint?.length).toBe(20_000);
  });
});

test('where connections are short some checks keep theirs all the same', async () => {
  const run = await runAgainst(echoing);
  const kept = new Set<boolean>();
  for (let seed = 1; seed <= 12; seed++) {
    await outcomeOf({ ...run, seed, address: { ...run.address, perConnection: 1 } }, async (t) => {
      const caller = await t.caller();
      const uses = new Map<number | undefined, number>();
      for (let nth = 0; nth < 6; nth++) {
        const { response } = await t.send(caller, echoCall(`request ${nth}`));
        uses.set(response?.connection, (uses.get(response?.connection) ?? 0) + 1);
      }
      kept.add(Math.max(...uses.values()) > 1);
      t.holds(true, { expected: '', actual: '' });
      return { cases: 1 };
    });
  }
  expect(kept.size).toBe(2);
});

/** A check that sends so many echoes at once. */
function sendingAtOnce(count: number): CheckPlan['attempt'] {
  return async (t) => {
    const calls = Array.from({ length: count }, () => echoCall('at once'));
    const answers = await t.sendAtOnce(await t.caller(), calls);
    t.holds(answers.length === count, { expected: '', actual: '' });
    return { cases: 1 };
  };
}

test('what is sent at once goes over connections that are open by then', async () => {
  let connections = 0;
  const run = await runAgainst(echoing, () => void connections++);
  await outcomeOf(run, sendingAtOnce(6));
  expect(connections).toBe(6);
});

test('what opens connections for what is sent at once may meet a limit, which slows nothing', async () => {
  let underWay = 0;
  const baseUrl = await servedBy((incoming, outgoing) => {
    underWay += 1;
    const status = underWay > 4 ? 429 : 200;
    incoming.resume();
    setTimeout(() => {
      underWay -= 1;
      outgoing.writeHead(status).end();
    }, 50);
  });
  const run = { ...(await runAgainst(echoing)), address: foreignAddress(baseUrl) };
  await outcomeOf(run, sendingAtOnce(8));
  expect(openLedger(run.traffic.memory, { maxRps: 0, budget: 0 }).guard.pace.rateWhenLimited()).toBe(0);
});

const document = (said: string): string => `<?xml version="1.0"${said}?><xMun>São Paulo</xMun>`;
const served = (text: string, encoding: BufferEncoding, type = 'application/xml') => ({
  headers: [['Content-Type', type] as [string, string]],
  rawBody: Buffer.from(text, encoding),
});

test.each([
  ['UTF-8 that says so', served(document(' encoding="UTF-8"'), 'utf8')],
  ['UTF-8 that says nothing', served(document(''), 'utf8')],
  ['Latin-1 that says so', served(document(' encoding="ISO-8859-1"'), 'latin1')],
  ['Latin-1 of which the header says so', served(document(''), 'latin1', 'text/xml; charset=iso-8859-1')],
  ['UTF-16 with its mark', served(`\ufeff${document('')}`, 'utf16le')],
])('a document is in the encoding that it says: %s', (_, answer) => {
  expect(isAsItSays(answer)).toBe(true);
});

test.each([
  ['says UTF-8', served(document(' encoding="utf-8"'), 'latin1')],
  ['says nothing', served(document(''), 'latin1')],
  ['comes with a header that says UTF-8', served(document(''), 'latin1', 'application/xml; charset=UTF-8')],
])('a document in Latin-1 is not in its encoding where it %s', (_, answer) => {
  expect(isAsItSays(answer)).toBe(false);
});

test.each([
  ['with its root', '<?xml version="1.0"?><!-- NF-e --><n:a x="1"><b/></n:a >\n'],
  ['before a comment', '<a><b></b></a><!-- written by nobody -->'],
  ['that is no text at all', '\u0000<\u0000a\u0000'],
])('a document is whole that ends %s', (_, document) => {
  expect(isWhole(document)).toBe(true);
});

test.each([
  ['between two tags', '<a><b>1</b>'],
  ['within a text', '<a><b>1</b><c>2'],
  ['within its last tag', '<a><b>1</b></a'],
  ['before anything has ended', '<a><b>'],
])('a document is cut short that ends %s', (_, document) => {
  expect(isWhole(document)).toBe(false);
});

/** Plays a life without any step at a server that answers everything so. @returns How often something was asserted. */
async function assertionsWithoutSteps(status: number, body: string): Promise<number> {
  const baseUrl = await servedBy((incoming, outgoing) => {
    incoming.resume().on('end', () => outgoing.writeHead(status).end(body));
  });
  const target = targetAt(foreignAddress(baseUrl));
  const record = newRecord();
  const t = trialOf(target, record);
  try {
    const issuer = { caller: await t.caller(), empresaId: '0' };
    await playLifeCycle(t, { issuers: [issuer], canDeny: false }, []);
    return record.assertions;
  } finally {
    await target.close();
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
