import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { newFolder } from '../runner/testing/folders.ts';
import { type Simulator, startSimulator } from './start.ts';
import { openDatabase } from './state/database.ts';
import { testIssuer, type TestIssuer } from './testing/company.ts';
import { runningReceiver } from './testing/receiver.ts';
import { type Running, runningAt, textIn } from './testing/call.ts';

/** How often the disk fills up; `FULL_DISKS` asks for more. */
const cycles = Number(process.env['FULL_DISKS'] ?? 2);
/** Invoices that are tried once the first was refused. */
const triedOnFull = 5;

const dataFile = join(newFolder(), 'full.db');
const receiver = runningReceiver();
const opened: Simulator[] = [];
afterAll(() => Promise.all(opened.map((simulator) => simulator.stop())));

/** A simulator on the data file, with a disk of any size. */
async function started(): Promise<Running & { fill(): void; empty(): void; stop(): Promise<void> }> {
  const database = openDatabase(dataFile);
  const simulator = await startSimulator({}, database);
  opened.push(simulator);
  return {
    ...runningAt(() => simulator),
    fill() {
      const pages = Number(database.prepare('PRAGMA page_count').get()?.['page_count']);
      database.exec(`PRAGMA max_page_count = ${pages + 20}`);
    },
    empty: () => database.exec('PRAGMA max_page_count = 4294967294'),
    stop: () => simulator.stop(),
  };
}

/** Issues until some were refused for want of room; which were accepted and which were not. */
async function issueUntilFull(issuer: TestIssuer, cycle: number, ids: { accepted: string[]; refused: string[] }) {
  for (let at = 0, refusals = 0; refusals < triedOnFull; at++) {
    const id = `pedido-${cycle}-${at}`;
    const { status, json } = await issuer.issue(id);
    (status === 200 ? ids.accepted : ids.refused).push(id);
    if (status === 200) continue;
    refusals += 1;
    expect({ status, code: textIn(json, 'code') }).toEqual({ status: 500, code: 'SIM-STORAGE' });
  }
}

test(`a disk that is full ${cycles} times loses and doubles nothing that was accepted`, async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const address = receiver.address();
  const ids = { accepted: [] as string[], refused: [] as string[] };
  let running = await started();
  let issuer = await testIssuer(running);
  await issuer.ask('POST', '/openapi/v1/webhooks', { uri: address.url, token: 'a' });
  for (let cycle = 0; cycle < cycles; cycle++) {
    running.fill();
    await issueUntilFull(issuer, cycle, ids);
    if (cycle % 2 === 0) {
      await running.stop();
      running = await started();
      issuer = issuer.at(running);
    } else running.empty();
    expect((await issuer.issue(`room-${cycle}`)).status).toBe(200);
    ids.accepted.push(`room-${cycle}`);
  }
  await running.control('POST', `/applications/${issuer.appKey}/clock`, { advanceSeconds: 100 });

  const numbers = new Set<unknown>();
  for (const id of ids.accepted) {
    const { json } = await issuer.query(id);
    expect(json, id).toMatchObject({ status: 'Autorizada' });
    numbers.add(typeof json === 'object' && json !== null && 'numero' in json ? json.numero : undefined);
  }
  expect(numbers.size).toBe(ids.accepted.length);
  for (const id of ids.refused) expect((await issuer.query(id)).status, id).toBe(404);
  const called = Map.groupBy(address.arrivals, ({ bodyText }) => textIn(JSON.parse(bodyText), 'nfeId'));
  expect([...called.keys()].toSorted()).toEqual(ids.accepted.toSorted());
  for (const arrivals of called.values()) expect(new Set(arrivals.map(({ eventId }) => eventId)).size).toBe(1);
});
