import type { Clause } from '../contract/clause.ts';
import { mergeResults } from '../reports/merge.ts';
import type { Results } from '../schemas/results.ts';
import { filterText, selectClauses } from './select.ts';
import type { ShardResults } from './shard-results.ts';
import { shardText, type Shard } from './shards.ts';
import { refuseStrangers } from './shards-together.ts';

/** The results that one run would have had. Throws an ArgumentError where the shards are not those of one run. */
export function mergedRun(shards: readonly [ShardResults, ...ShardResults[]]): Results {
  refuseStrangers(shards);
  const [{ asked, results: first, shard: some }, ...others] = shards;
  const clauses = selectClauses(asked);
  const filter = filterText(asked);
  return mergeResults([first, ...others.map(({ results }) => results)], {
    clauses,
    ...(filter === undefined ? {} : { filter }),
    whyNotRun: (clause) => {
      const shard = shardOf(clause, asked, some.count);
      const isThere = shards.some((each) => each.shard.index === shard.index);
      return `was not run: shard ${shardText(shard)} ${isThere ? 'ended in an error' : 'left no results'}`;
    },
  });
}

/** The shard that a clause belongs to. */
function shardOf(clause: Clause, asked: ShardResults['asked'], count: number): Shard {
  const shards = Array.from({ length: count }, (_, position): Shard => ({ index: position + 1, count }));
  const isIn = (shard: Shard): boolean => selectClauses({ ...asked, shard }).includes(clause);
  return shards.find(isIn) ?? { index: 1, count };
}
