import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { newFolder } from '../../runner/testing/folders.ts';
import { testIssuer, type TestIssuer } from '../testing/company.ts';
import { type Address, type Arrival, runningReceiver, type Script } from '../testing/receiver.ts';
import { type Spawned, spawnSimulator, textIn } from '../testing/call.ts';

/** Of each of two data files; `KILLS` asks for more. */
const killsOfEach = Number(process.env['KILLS'] ?? 3);
const mostArrivals = 10;
const longestRestMs = 8;
const issuersAtOnce = 3;

const folder = newFolder();
const receiver = runningReceiver();
const started: Spawned[] = [];
afterAll(() => Promise.all(started.map(({ kill }) => kill())));

/** Acknowledges most, and fails in all the usual ways. */
const moody: Script = () => {
  const mood = randomInt(100);
  if (mood < 10) return 500;
  if (mood < 15) return 'reset';
  return mood < 25 ? after(randomInt(20), 200) : 200;
};

/** What one data file is to account for. */
interface Story {
  /** Starts a simulator on the data file. */
  readonly start: () => Promise<Spawned>;
  readonly address: Address;
  readonly asked: Set<string>;
  /** What the simulator has answered with 200. */
  readonly accepted: Set<string>;
}

/** Issues one invoice after the other until the simulator is gone. */
async function issueOn(issuer: TestIssuer, { asked, accepted }: Story): Promise<void> {
  for (;;) {
    const id = `pedido-${asked.size + 1}`;
    asked.add(id);
    const status = await issuer.issue(id).then(
      (answer) => answer.status,
      () => undefined,
    );
    if (status === undefined) return;
    expect(status).toBe(200);
    accepted.add(id);
  }
}

/** One life: from a start to a kill at some moment, with issuances, and now and then a clock that moves and a re-push. */
async function live(known: TestIssuer, story: Story, life: number): Promise<void> {
  const { running, kill } = await story.start();
  const issuer = known.at(running);
  const gone = (): undefined => undefined;
  const { appKey } = issuer;
  const { eventId } = story.address.arrivals.at(-1) ?? { eventId: 'none' };
  const busy = [
    ...Array.from({ length: issuersAtOnce }, () => issueOn(issuer, story)),
    running.control('POST', `/applications/${appKey}/deliveries/${eventId}/redeliver`).catch(gone),
    // Less than the tolerance of timestamps, all in all.
    ...(life % 6 === 0
      ? [running.control('POST', `/applications/${appKey}/clock`, { advanceSeconds: 60 }).catch(gone)]
      : []),
  ];
  const { arrivals, arrived } = story.address;
  await arrived(arrivals.length + randomInt(mostArrivals));
  // A kill before anything was accepted has nothing to lose.
  await vi.waitFor(() => expect(story.accepted.size).toBeGreaterThan(life), 60_000);
  await after(randomInt(longestRestMs));
  await kill();
  await Promise.all(busy);
}

function nfeIdOf({ bodyText }: Arrival): string {
  return textIn(JSON.parse(bodyText), 'nfeId');
}

/** Lives through all kills, and checks what the receiver got against what was accepted. */
async function expectNothingLost(story: Story): Promise<void> {
  const { start, address, asked, accepted } = story;
  const first = await start();
  const issuer = await testIssuer(first.running);
  await issuer.ask('POST', '/openapi/v1/webhooks', { uri: address.url, token: 'a' });
  await first.kill();
  for (let life = 1; life <= killsOfEach; life++) await live(issuer, story, life);

  const last = await start();
  address.script = () => 200;
  const path = `/applications/${issuer.appKey}`;
  await last.running.control('POST', `${path}/clock`, { advanceSeconds: 24 * 3600 });
  const { json } = await last.running.control('GET', `${path}/deliveries`);
  await last.kill();

  const arrived = Map.groupBy(address.arrivals, nfeIdOf);
  expect(accepted.size).toBeGreaterThan(killsOfEach);
  expect([...accepted].filter((id) => !arrived.has(id))).toEqual([]);
  expect([...arrived.keys()].filter((id) => !asked.has(id))).toEqual([]);
  for (const arrivals of arrived.values()) {
    expect(new Set(arrivals.map(({ eventId, bodyText }) => `${eventId} ${bodyText}`)).size).toBe(1);
  }
  const listed: unknown[] = Array.isArray(json) ? json : [];
  expect(new Set(listed.map((one) => textIn(one, 'state')))).toEqual(new Set(['delivered']));
  const eventIds = [...arrived.values()].map(([arrival]) => arrival?.eventId ?? '');
  expect(listed.map((one) => textIn(one, 'eventId')).toSorted()).toEqual(eventIds.toSorted());
}

test(
  `after ${2 * killsOfEach} kills every accepted issuance has been called back, under one event id, and nothing else has`,
  { timeout: 600_000 },
  async () => {
    const stories = ['one', 'other'].map((name): Story => {
      const start = async (): Promise<Spawned> => {
        const spawned = await spawnSimulator(join(folder, `${name}.db`), join(folder, 'cache'));
        started.push(spawned);
        return spawned;
      };
      return { start, address: receiver.address(moody), asked: new Set(), accepted: new Set() };
    });
    await Promise.all(stories.map(expectNothingLost));
  },
);
