import type { Results } from '../../schemas/results.ts';
import { ArgumentError } from '../command-line/argument-error.ts';
import { filterText, selectClauses } from '../command-line/select.ts';
import type { ShardResults } from './shard-results.ts';
import { shardText } from './shards.ts';

/** Throws an ArgumentError where results are not those of the shards of one run, each of them once at most. */
export function refuseStrangers(shards: readonly ShardResults[]): void {
  for (const [fact, of] of facts) {
    const [first, ...others] = shards.filter((shard) => of(shard) !== undefined);
    const stranger = first && others.find((other) => of(other) !== of(first));
    if (stranger) {
      const message = `its ${fact} is ${of(stranger)}, not ${of(first)}`;
      throw new ArgumentError(`${stranger.path} is no part of the run of ${first.path}: ${message}`);
    }
  }
  const byIndex = Map.groupBy(shards, ({ shard }) => shard.index);
  for (const [one, twice] of byIndex.values()) {
    if (one && twice) throw new ArgumentError(`${one.path} and ${twice.path} are both shard ${shardText(one.shard)}`);
  }
  for (const shard of shards) refuseOtherEdition(shard);
}

/** What all shards of a run have in common; `undefined` where a shard can't know it. */
const facts: readonly (readonly [string, (shard: ShardResults) => string | undefined])[] = [
  ['suite', ({ results: { suite } }) => suite?.version],
  ['commit of the suite', ({ results: { suite } }) => suite?.commit],
  ['number of shards', ({ shard }) => String(shard.count)],
  ['filter', ({ asked }) => filterText(asked) ?? 'everything'],
  ['target', ({ results }) => results.target.kind],
  ['address', ({ results: { target } }) => (target.kind === 'sandbox' ? target.baseUrl : undefined)],
  ['implementation', ({ results }) => results.target.implementation],
  ['control API', ({ results }) => reached(results, results.target.control ? 'used' : 'not used')],
  ['profile', ({ results }) => results.target.profile],
  ['number of cases', ({ results }) => String(results.numRuns)],
  ['seed (give every shard the same --seed)', ({ results }) => String(results.seed)],
];

function reached({ verdict }: Results, fact: string): string | undefined {
  return verdict === 'error' ? undefined : fact;
}

/** How a run is divided depends on the catalogue, so the parts of two editions would overlap. */
function refuseOtherEdition({ path, shard, asked, results }: ShardResults): void {
  if (results.verdict === 'error') return;
  const own = selectClauses({ ...asked, shard }).map(({ id }) => id);
  if (own.join(' ') !== results.clauses.map(({ id }) => id).join(' ')) {
    throw new ArgumentError(
      `${path} holds other clauses than shard ${shardText(shard)} of this edition of the suite: merge with the edition that ran it`,
    );
  }
}
