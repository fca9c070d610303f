import { topicOf, topics as catalogueTopics } from '../../contract/catalogue.ts';
import { costBy, sumOfCosts, type Cost } from '../../contract/endpoints.ts';
import { checkCost, keyOf, type CollectedCheck, type CostTable, type CallingWay } from './costs.ts';

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

const nothing = costBy(() => 0);

/** In the order of the catalogue. */
function byTopic(one: CollectedCheck, other: CollectedCheck): number {
  return catalogueTopics.indexOf(topicOf(one.clause)) - catalogueTopics.indexOf(topicOf(other.clause));
}

function shareCost({ shares }: CostTable, name: string): Cost {
  return { ...nothing, ...shares[name] };
}
