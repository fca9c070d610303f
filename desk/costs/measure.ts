import { ledgerMemory, openLedger, spentSoFar } from '../../targets/traffic/ledger.ts';
import { costBy, sumOfCosts, type Cost, costKinds, type CostKind } from '../../contract/endpoints.ts';
import type { CheckOutcome } from '../../schemas/results.ts';
import { collectChecks, runSpecs } from '../../runner/run/run-specs.ts';
import { examine } from '../../runner/preflight/examine.ts';
import { keyOf, type CollectedCheck, type CallingWay, type MeasuredCheck } from '../../runner/plan/costs.ts';
import { readSettings } from '../../runner/settings/settings.ts';
import { withSharedReceiver } from '../../runner/run/shared-receiver.ts';
import { sandboxAddress } from '../../runner/settings/target-address.ts';
import { openReceiver } from '../../targets/receiver/receiver.ts';
import { Control, type ApplicationWish } from '../../targets/control.ts';
import { startEmbedded, type EmbeddedWish } from '../../targets/container.ts';
import { plainRun } from '../../targets/plain-run.ts';

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
    const run = plainRun(address, { name: way, clauses, seed, numRuns, traffic });
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
    const checks = await collectChecks([plainRun(address, { name: 'slow', clauses, seed: 0 })]);
    return checks.flatMap(({ clause, tries }) => (tries && tries.waitSeconds > 0 ? [keyOf(clause, tries.title)] : []));
  } finally {
    await stop();
  }
}

/** What a check was seen to cost with few cases and with many; with more examples, where manners leave some out. */
interface Sightings {
  readonly few: readonly SeenCheck[];
  readonly many: readonly SeenCheck[];
  readonly impolite?: SeenCheck;
}

/** What a check costs anyway, by an example and by a generated case, from what it was seen to cost. */
export function fitted(sightings: Sightings): MeasuredCheck {
  const rows = costKinds.map((kind) => [kind, rowOf(kind, sightings)] as const).filter(([, row]) => row.some(Boolean));
  const uses = sightings.few[0]?.uses ?? [];
  return { ...Object.fromEntries(rows), ...(uses.length === 0 ? {} : { uses }) };
}

/** A row without the zeros at its end. */
function rowOf(kind: CostKind, sightings: Sightings): readonly number[] {
  const row = politeRow(kind, sightings);
  return trimmed([...row, moreUnpaced(kind, row, sightings.impolite)]);
}

/** How much more a case costs where nothing asks for manners: less than half a request is chance. */
function moreUnpaced(
  kind: CostKind,
  [anyway, anExample, aCase]: readonly [number, number, number],
  seen: SeenCheck | undefined,
): number {
  if (!seen) return 0;
  const said = anyway + anExample * seen.examples + aCase * seen.generated;
  const more = (seen.own[kind] - said) / Math.max(1, seen.examples + seen.generated);
  return Math.abs(more) < 0.5 ? 0 : more;
}

function politeRow(kind: CostKind, { few, many, impolite }: Sightings): readonly [number, number, number] {
  const [a, b] = [meanOf(few, kind), meanOf(many, kind)];
  const aCase = b.generated > a.generated ? (b.cost - a.cost) / (b.generated - a.generated) : undefined;
  // What never varies is shared out among what is tried.
  if (aCase === undefined) return [0, a.cost / tried(a), a.cost / tried(a)];
  const besides = a.cost - aCase * a.generated;
  const anExample =
    impolite && impolite.examples > a.examples
      ? (impolite.own[kind] - aCase * impolite.generated - besides) / (impolite.examples - a.examples)
      : 0;
  return [besides - anExample * a.examples, anExample, aCase];
}

interface Mean {
  readonly examples: number;
  readonly generated: number;
  readonly cost: number;
}

/** All were tried alike, with one seed or another. */
function meanOf(seen: readonly SeenCheck[], kind: CostKind): Mean {
  const [{ examples, generated } = { examples: 0, generated: 0 }] = seen;
  const sum: Cost = sumOfCosts(seen.map(({ own }) => own));
  return { examples, generated, cost: seen.length === 0 ? 0 : sum[kind] / seen.length };
}

function tried({ examples, generated }: Mean): number {
  return Math.max(1, examples + generated);
}

function trimmed(row: readonly number[]): number[] {
  const rounded = row.map((value) => Math.round(value * 100) / 100);
  return rounded.slice(0, rounded.findLastIndex((value) => value !== 0) + 1);
}

/** A simulator as somebody else's server, and every setting that a run can be given for it. */
export interface EquippedSandbox {
  readonly environment: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

/** The applications that a sandbox without control API is known by. */
const conditions = {
  NFE_APP_SECRET_DISABLED: { state: 'disabled' },
  NFE_APP_SECRET_PENDING: { state: 'pending' },
  NFE_APP_SECRET_REJECTED: { state: 'rejected' },
  NFE_APP_SECRET_INTEGRATOR_DISABLED: { integratorState: 'disabled' },
  NFE_APP_SECRET_UNSUBSCRIBED: { subscriptions: [] },
  NFE_APP_SECRET_RATE_LIMITED: { rateLimit: { limit: 5, windowSeconds: 60 } },
} as const satisfies Readonly<Record<string, ApplicationWish>>;

/** Starts a simulator, to be called in that way: by one application with all its credentials and a receiver, or by its control API. */
export async function equipSandbox(way: CallingWay, rules?: EmbeddedWish['rules']): Promise<EquippedSandbox> {
  const { address, stop } = await startEmbedded(rules ? { rules } : {});
  const { url = '', token = '' } = address.control ?? {};
  const base = { NFE_BASE_URL: address.baseUrl, NFE_SETTLE_TIMEOUT: '10', NFE_ALLOW_PRODUCAO: 'true' };
  if (way === 'ownApplications') {
    return { environment: { ...base, NFE_CONTROL_URL: url, NFE_CONTROL_TOKEN: token }, stop };
  }
  const control = new Control({ url, token }, undefined);
  const environment = { ...base, ...(await credentials(control)) };
  await control.close();
  return { environment, stop };
}

async function credentials(control: Control): Promise<Record<string, string>> {
  const own = await control.createApplication({ appName: 'One application' });
  const rotated = await control.createApplication({});
  await control.rotateSecret(rotated.appKey);
  const secrets = await Promise.all(
    Object.entries<ApplicationWish>(conditions).map(async ([name, wish]): Promise<[string, string]> => {
      return [name, (await control.createApplication(wish)).appSecret];
    }),
  );
  return {
    NFE_APP_SECRET: own.appSecret,
    NFE_APP_KEY: own.appKey,
    NFE_APP_NAME: own.appName,
    NFE_APP_SECRET_ROTATED: rotated.appSecret,
    ...Object.fromEntries(secrets),
    ...(await receiver(control, own.appKey)),
  };
}

/** Where deliveries come to: the console tests an address when it is saved, so something has to answer there before the run does. */
async function receiver(control: Control, appKey: string): Promise<Record<string, string>> {
  const console = await openReceiver({ listen: { host: '127.0.0.1', port: 0 } });
  const { url } = console.address();
  const isSaved = await control.saveVerificationUrls(appKey, [url]);
  await console.close();
  if (!isSaved) throw new Error('the simulator did not save an address that answers its test');
  return {
    NFE_WEBHOOK_LISTEN: new URL(console.origin).host,
    NFE_WEBHOOK_PUBLIC_URL: console.origin,
    NFE_VERIFICATION_WEBHOOK_URL: url,
  };
}
