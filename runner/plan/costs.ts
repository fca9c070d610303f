import type { TaskMeta } from 'vitest';
import { costBy, type Cost, type CostKind, sumOfCosts } from '../../contract/endpoints.ts';
import type { TargetAddress } from '../../targets/address.ts';
import measured from './costs.json' with { type: 'json' };
import { neededBy, topicOf, topics as catalogueTopics } from '../../contract/catalogue.ts';
import type { NeedName } from '../../contract/clause.ts';
import { lackAt } from '../../targets/needs-met.ts';

/** How the checks of a run call: all as one application, or each as one of its own, which a control API makes. */
export type CallingWay = 'oneApplication' | 'ownApplications';

/** A check that a run would make. */
export interface CollectedCheck {
  readonly id: string;
  /** The name of the run. */
  readonly run: string;
  readonly clause: string;
  /** How much it would try; absent where its needs are not met. */
  readonly tries?: NonNullable<TaskMeta['planned']>;
}

/**
 * What was measured of a check: of each kind what it costs anyway, by an example and by a generated case, and how much more each
 * case costs where no ceiling asks for manners.
 */
export type MeasuredCheck = Readonly<Partial<Record<CostKind, readonly number[]>>> & {
  /** What it uses of what all checks share. */
  readonly uses?: readonly string[];
};

/** What checks cost, as `npm run costs` has measured it at the simulator. */
export interface CostTable {
  /** Requests before the first check, besides those that leave something. */
  readonly questions: Readonly<Record<CallingWay, number>>;
  /** What is made once for all checks that share an application, by its name. */
  readonly shares: Readonly<Record<string, Readonly<Partial<Cost>>>>;
  /** By `<clause>: <title>`. */
  readonly checks: Readonly<Record<string, Readonly<Partial<Record<CallingWay, MeasuredCheck>>>>>;
}

/** The table that was measured last. */
export const costTable: CostTable = measured;

/** The way in which the checks of a run call its target. */
export function wayAt({ control }: TargetAddress): CallingWay {
  return control === undefined ? 'oneApplication' : 'ownApplications';
}

/** What a check costs by itself, and what it shares; `undefined` where it was never measured that way. */
export function checkCost(
  { checks }: CostTable,
  { clause, tries }: CollectedCheck,
  way: CallingWay,
): { cost: Cost; uses: readonly string[] } | undefined {
  if (!tries) return { cost: costBy(() => 0), uses: [] };
  const row = checks[keyOf(clause, tries.title)]?.[way];
  if (!row) return undefined;
  const { cases, examples, isUnpaced = false } = tries;
  const cost = costBy((kind) => {
    const [anyway = 0, anExample = 0, aCase = 0, moreUnpaced = 0] = row[kind] ?? [];
    return anyway + anExample * examples + aCase * (cases - examples) + (isUnpaced ? moreUnpaced * cases : 0);
  });
  return { cost, uses: row.uses ?? [] };
}

/** What a check is called in the table. */
export function keyOf(clause: string, title: string): string {
  return `${clause}: ${title}`;
}

const nothing = costBy(() => 0);

/** Its registration, and its certificate. */
const aCompany: Cost = { ...nothing, requests: 2, companies: 1, certificates: 1 };
/** Its issuance, and a query of what became of it. */
const anInvoice: Cost = { ...nothing, requests: 2, invoices: 1 };
const anAddress: Cost = { ...nothing, requests: 1, addresses: 1 };

/** What a run asks before its first check, and what of it stays: as the preflight and the receiver of the run will have it. */
export function setUpCost({ questions }: CostTable, address: TargetAddress, clauses: readonly string[]): Cost {
  const needed = neededBy(clauses);
  const isWanted = (...needs: readonly NeedName[]): boolean =>
    needs.some((need) => needed.has(need) && lackAt(address, need) === undefined);
  const hasAddress = !address.control && address.webhook.isReachable && isWanted('callbacks', 'verification-webhook');
  return sumOfCosts([
    { ...nothing, requests: questions[wayAt(address)] },
    ...(isWanted('empresa-registration') || (isWanted('empresa') && !address.empresas?.own) ? [aCompany] : []),
    ...(isWanted('other-empresa') ? [aCompany] : []),
    ...(isWanted('accepted-issuance', 'authorised-issuance') ? [anInvoice] : []),
    ...(isWanted('denied-issuance') ? [anInvoice] : []),
    ...(hasAddress ? [anAddress] : []),
  ]);
}

/** Requests of a set-up besides those that leave something. */
export function questionsIn({ requests, companies, invoices, addresses }: Cost): number {
  return requests - companies * aCompany.requests - invoices * anInvoice.requests - addresses * anAddress.requests;
}

/** What a run is going to cost its target. */
export interface Plan {
  readonly cost: Cost;
  /** The same by topic, in the order in which topics come. */
  readonly topics: ReadonlyMap<string, Cost>;
  /** Seconds that checks wait where no clock can be moved. */
  readonly waitSeconds: number;
  /** Checks whose costs nobody has measured: they are taken to send what the others do on the average. */
  readonly unmeasured: readonly string[];
}

/** The plan of these checks, by what checks cost. What they share is counted once, with the topic that uses it first. */
export function planOf(checks: readonly CollectedCheck[], table: CostTable, way: CallingWay): Plan {
  const shared = new Set<string>();
  const topics = new Map<string, Cost>();
  const unmeasured: CollectedCheck[] = [];
  const add = (topic: string, ...costs: readonly Cost[]): void => {
    topics.set(topic, sumOfCosts([topics.get(topic) ?? nothing, ...costs]));
  };
  for (const check of checks.toSorted(byTopic)) {
    const found = checkCost(table, check, way);
    if (!found) unmeasured.push(check);
    const uses = (found?.uses ?? []).filter((name) => !shared.has(name));
    for (const name of uses) shared.add(name);
    add(topicOf(check.clause), found?.cost ?? nothing, ...uses.map((name) => shareCost(table, name)));
  }
  const cost = sumOfCosts([...topics.values()]);
  const measuredCount = checks.filter(({ tries }) => tries).length - unmeasured.length;
  const perCheck = measuredCount === 0 ? 0 : cost.requests / measuredCount;
  for (const { clause } of unmeasured) add(topicOf(clause), { ...nothing, requests: perCheck });
  return {
    cost: sumOfCosts([...topics.values()]),
    topics,
    waitSeconds: checks.reduce((sum, { tries }) => sum + (tries?.waitSeconds ?? 0), 0),
    unmeasured: unmeasured.map(({ clause, tries }) => keyOf(clause, tries?.title ?? '')),
  };
}

/** What answers and outcomes take at a target. */
interface Delays {
  /** Milliseconds. */
  readonly answerMs: number;
  /** Milliseconds from an issuance to its outcome. */
  readonly settlementMs: number;
  /** So many requests are under way where checks are made abreast, */
  readonly requests: number;
  /** of so many checks. */
  readonly checks: number;
}

/**
 * What a run waits for while it does nothing else: milliseconds a request on the average, and seconds for outcomes and for what checks wait
 * in real time. Checks that are made in turn wait for each of theirs, those made abreast for all that are under way at once.
 */
export function waitsOf(
  checks: readonly CollectedCheck[],
  table: CostTable,
  way: CallingWay,
  { answerMs, settlementMs, requests, checks: together }: Delays,
): { readonly answerMs: number; readonly waitSeconds: number } {
  const beside = checks.filter(({ tries }) => tries?.isAbreast);
  const { cost: abreast, waitSeconds: besideSeconds } = planOf(beside, table, way);
  const { cost: whole, waitSeconds: allSeconds } = planOf(checks, table, way);
  const share = whole.requests === 0 ? 0 : abreast.requests / whole.requests;
  const outcomes = ({ invoices, cancellations }: Cost): number => invoices + cancellations;
  const rounds = outcomes(whole) - outcomes(abreast) + outcomes(abreast) / together;
  const longestSeconds = Math.max(0, ...beside.map(({ tries }) => tries?.waitSeconds ?? 0));
  return {
    answerMs: answerMs * (1 - share + share / requests),
    waitSeconds: allSeconds - besideSeconds + longestSeconds + (Math.ceil(rounds) * settlementMs) / 1000,
  };
}

/** In the order of the catalogue. */
function byTopic(one: CollectedCheck, other: CollectedCheck): number {
  return catalogueTopics.indexOf(topicOf(one.clause)) - catalogueTopics.indexOf(topicOf(other.clause));
}

function shareCost({ shares }: CostTable, name: string): Cost {
  return { ...nothing, ...shares[name] };
}
