import type { Run, TargetAddress } from '../../targets/address.ts';
import { ledgerMemory } from '../../targets/traffic/ledger.ts';
import { specFiles } from './run-specs.ts';
import { closeVitest, openVitest } from './vitest.ts';

/** Of no target: checks are told from it, and none is made. */
const nowhere: TargetAddress = {
  kind: 'embedded',
  baseUrl: 'http://127.0.0.1',
  credentials: {},
  maxRps: 0,
  allowProducao: false,
  rateBurst: 0,
  clockSkewSeconds: 0,
  xmlContentType: 'application/xml',
  profile: { folder: '', files: [] },
  webhook: { listen: { host: '127.0.0.1', port: 0 }, headerPrefix: 'X', isReachable: false },
  isSlow: false,
  settleTimeoutSeconds: 0,
};

/** Titles of the checks of clauses, by clause id: only the specs know them, so they are read, which takes a second or two. */
export async function checkTitles(clauses: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const run: Run = {
    name: 'titles',
    address: nowhere,
    clauses,
    seed: 0,
    numRuns: 0,
    mostShrinks: 0,
    repetitions: 0,
    traffic: { memory: ledgerMemory(), budget: 0 },
    secrets: new Map(),
  };
  const vitest = await openVitest();
  try {
    vitest.provide('runs', [run]);
    const { testModules } = await vitest.collect(specFiles([run]), { staticParse: false });
    const told = testModules.flatMap((module) => [...module.children.allTests()].map((test) => test.meta()));
    const byClause = Map.groupBy(told, ({ clause = '' }) => clause);
    return new Map([...byClause].map(([clause, metas]) => [clause, metas.flatMap(({ titles = [] }) => titles)]));
  } finally {
    await closeVitest(vitest);
  }
}
