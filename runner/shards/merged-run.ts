import type { Clause } from '../../contract/clause.ts';
import type { WhyNotRun } from '../../reports/judge.ts';
import { mergeResults } from '../../reports/merge.ts';
import type { Results } from '../../schemas/results.ts';
import { filterText, selectClauses } from '../command-line/select.ts';
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
    lost: shardsOf(some.count)
      .filter(({ index }) => shards.every(({ shard }) => shard.index !== index))
      .map((shard) => `shard ${shardText(shard)} left no results`),
    whyNotRun: (clause) => {
      const shard = shardOf(clause, asked, some.count);
      return whyNotRun(shard, shards.find((each) => each.shard.index === shard.index)?.results);
    },
  });
}

function whyNotRun(shard: Shard, results: Results | undefined): WhyNotRun {
  const what = `was not run: shard ${shardText(shard)}`;
  if (results === undefined) return { reason: `${what} left no results` };
  const { error, trouble } = results;
  const reason = `${what} ended in an error${error === undefined ? '' : `: ${error}`}`;
  return { reason, ...(trouble === undefined ? {} : { trouble }) };
}

/** The shard that a clause belongs to. */
function shardOf(clause: Clause, asked: ShardResults['asked'], count: number): Shard {
  const isIn = (shard: Shard): boolean => selectClauses({ ...asked, shard }).includes(clause);
  return shardsOf(count).find(isIn) ?? { index: 1, count };
}

function shardsOf(count: number): Shard[] {
  return Array.from({ length: count }, (_, position) => ({ index: position + 1, count }));
}
