import { ledgerMemory, openLedger, spentSoFar } from '../../targets/traffic/ledger.ts';
import { costBy, sumOfCosts, type Cost } from '../../contract/endpoints.ts';
import type { CheckOutcome } from '../../schemas/results.ts';
import type { Run } from '../../targets/address.ts';
import { collectChecks, runSpecs } from '../../runner/run/run-specs.ts';
import { examine } from '../../runner/preflight/examine.ts';
import { keyOf, type CollectedCheck, type CallingWay } from '../../runner/plan/costs.ts';
import { readSettings } from '../../runner/settings/settings.ts';
import { withSharedReceiver } from '../../runner/run/shared-receiver.ts';
import { sandboxAddress } from '../../runner/settings/target-address.ts';
import { equipSandbox } from './equipped-sandbox.ts';

/** One run at the simulator, to see what its checks cost. */
export interface Measuring {
  readonly way: CallingWay;
  /** Cases a property. */
  readonly numRuns: number;
  /** Whether the manners of a ceiling on requests are kept, though there is none to speak of. */
  readonly isPolite: boolean;
  readonly seed: number;
  readonly clauses: readonly string[];
}

/** What a run was seen to cost. */
export interface Seen {
  /** Before its first check. */
  readonly setUp: Cost;
  readonly checks: ReadonlyMap<string, SeenCheck>;
  /** What was made once for all checks, by name. */
  readonly shares: ReadonlyMap<string, Cost>;
}

/** What a check was seen to cost, and how much it tried. */
export interface SeenCheck {
  readonly clause: string;
  readonly examples: number;
  readonly generated: number;
  readonly own: Cost;
  readonly uses: readonly string[];
}

/** So many requests a second as no run ever sends. */
const noCeilingToSpeakOf = '1000000';

/** Makes one run at a fresh simulator. Throws where a check fails: then nothing that was seen means anything. */
export async function measure({ way, numRuns, isPolite, seed, clauses }: Measuring): Promise<Seen> {
  const { environment, stop } = await equipSandbox(way);
  const stops = [stop];
  try {
    const settings = readSettings({ ...environment, NFE_MAX_RPS: isPolite ? noCeilingToSpeakOf : '0' });
    const traffic = { memory: ledgerMemory(), budget: 0 };
    const { address: proven } = await examine(settings, sandboxAddress(settings, {}), traffic, undefined, { clauses });
    const { address, stop: stopReceiver } = await withSharedReceiver(proven, settings, traffic, clauses);
    stops.push(stopReceiver);
    const setUp = spentSoFar(openLedger(traffic.memory, { maxRps: 0, budget: 0 }));
    const rest = { clauses, seed, numRuns, mostShrinks: 0, repetitions: 0, traffic, secrets: new Map() };
    const run: Run = { name: way, address, ...rest };
    const planned = new Map<string, CollectedCheck>();
    const { outcomes, faults } = await runSpecs([run], {
      budgetOf(checks) {
        for (const check of checks) if (check.tries) planned.set(keyOf(check.clause, check.tries.title), check);
        return {};
      },
    });
    if (faults.length > 0) throw new Error(`the suite broke: ${faults.join(' | ')}`);
    return { setUp, ...seenIn(outcomes.get(way) ?? [], planned) };
  } finally {
    for (const each of stops.toReversed()) await each();
  }
}

function seenIn(outcomes: readonly CheckOutcome[], planned: ReadonlyMap<string, CollectedCheck>): Omit<Seen, 'setUp'> {
  const failed = outcomes.filter(({ result }) => result.state === 'failed');
  if (failed.length > 0) {
    throw new Error(
      `the simulator fails ${failed.map(({ clause, result }) => keyOf(clause, result.name)).join(' | ')}`,
    );
  }
  const checks = outcomes.flatMap(({ clause, result, spent }): [string, SeenCheck][] => {
    const key = keyOf(clause, result.name);
    const tries = planned.get(key)?.tries;
    if (!spent || !tries || result.state !== 'passed') return [];
    const { cases, examples } = tries;
    const uses = spent.shares.map(([name]) => name);
    return [[key, { clause, examples, generated: cases - examples, own: spent.own, uses }]];
  });
  const shares = new Map<string, Cost>();
  for (const [name, cost] of outcomes.flatMap(({ spent }) => spent?.shares ?? [])) {
    shares.set(name, sumOfCosts([shares.get(name) ?? costBy(() => 0), cost]));
  }
  return { checks: new Map(checks), shares };
}

/** The checks that wait for real minutes where all share an application: their names, and nothing is run. */
export async function slowChecks(clauses: readonly string[]): Promise<readonly string[]> {
  const { environment, stop } = await equipSandbox('oneApplication');
  try {
    const settings = readSettings({ ...environment, NFE_SLOW: 'true' });
    const address = sandboxAddress(settings, {});
    const rest = { clauses, seed: 0, numRuns: 1, mostShrinks: 0, repetitions: 0, secrets: new Map<string, string>() };
    const traffic = { memory: ledgerMemory(), budget: 0 };
    const checks = await collectChecks([{ name: 'slow', address, traffic, ...rest }]);
    return checks.flatMap(({ clause, tries }) => (tries && tries.waitSeconds > 0 ? [keyOf(clause, tries.title)] : []));
  } finally {
    await stop();
  }
}
