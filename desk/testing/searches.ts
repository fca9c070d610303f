import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ledgerMemory } from '../../targets/traffic/ledger.ts';
import { signedRequest } from '../../client/sign.ts';
import type { Exchange } from '../../trace/exchange.ts';
import type { Call } from '../../contract/request.ts';
import type { NfeOutcome } from '../../contract/values.ts';
import { newFolder } from '../../runner/testing/folders.ts';
import { readProfile, type Profile } from '../../targets/profile.ts';
import { openTarget } from '../../targets/target.ts';
import { foreignAddress } from '../../targets/testing/server.ts';
import { openSearch, type Search } from '../profile/search.ts';

/** A profile of these files. */
export function profileOf(files: Readonly<Record<string, unknown>>): Profile {
  const folder = newFolder();
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), Buffer.isBuffer(content) ? content : JSON.stringify(content));
  }
  return readProfile(folder);
}

/** An answer: a status, and JSON where it has some. */
export interface FakeAnswer {
  readonly status: number;
  readonly json?: unknown;
}

/** A search at a target that answers so; nothing is sent. */
export function fakeSearch(
  sources: readonly Profile[],
  answer: (call: Call) => FakeAnswer,
  steer?: (outcome: NfeOutcome) => void,
): { readonly search: Search; readonly told: readonly string[] } {
  const told: string[] = [];
  const address = foreignAddress('http://127.0.0.1:9');
  const target = openTarget(address, { memory: ledgerMemory(), budget: 0 });
  const caller = { appSecret: 'a-secret', now: () => 1_790_000_000 };
  const acting = {
    target,
    caller,
    send: (call: Call) => Promise.resolve(exchangeOf(call, answer(call))),
    ...(steer ? { steer: (outcome: NfeOutcome) => Promise.resolve(steer(outcome)) } : {}),
  };
  const report = ({ state, examined, found }: { state: string; examined: string; found: string }): void =>
    void told.push(`${state} ${examined}: ${found}`);
  return { search: openSearch({ sources, address, acting }, { companies: 0, invoices: 0 }, report), told };
}

function exchangeOf(call: Call, { status, json }: FakeAnswer): Exchange {
  const request = signedRequest({ call, token: 'a-secret', timestamp: '1790000000' });
  const rawBody = Buffer.from(json === undefined ? '' : JSON.stringify(json));
  return { request, response: { status, headers: [], rawBody }, durationMs: 1 };
}
