import { isJudged } from '../../contract/catalogue.ts';
import type { Clause } from '../../contract/clause.ts';
import { ArgumentError } from '../command-line/argument-error.ts';

/** One of the parts that a run is divided into: `index` counts from 1 to `count`. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

const mostShards = 100;

/** Reads what `--shard` takes, such as `1/4`. Throws an ArgumentError for anything else. */
export function readShard(text: string): Shard {
  const [index, count] = (/^(\d{1,3})\/(\d{1,3})$/.exec(text)?.slice(1) ?? []).map(Number);
  if (index === undefined || count === undefined) {
    throw new ArgumentError(`--shard takes a part and the number of parts, such as 1/4, not ${text}`);
  }
  if (count < 1 || count > mostShards) throw new ArgumentError(`--shard ${text}: a run has 1 to ${mostShards} parts`);
  if (index < 1 || index > count) throw new ArgumentError(`--shard ${text}: the part is one of 1 to ${count}`);
  return { index, count };
}

/** A shard as the command line has it. */
export function shardText({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/**
 * The clauses of one shard. Judged clauses are dealt like cards, so that those of a costly topic lie in all shards; what no
 * run judges is listed by the first shard. Throws an ArgumentError where there are fewer judged clauses than shards.
 */
export function clausesOfShard(clauses: readonly Clause[], shard: Shard): readonly Clause[] {
  const judged = clauses.filter(isJudged);
  if (judged.length < shard.count) {
    const most = `only ${judged.length} of the clauses asked for can be judged, so ask for at most so many parts`;
    throw new ArgumentError(`--shard ${shardText(shard)}: ${most}`);
  }
  const dealt = new Set(judged.filter((_, position) => position % shard.count === shard.index - 1));
  return clauses.filter((clause) => dealt.has(clause) || (shard.index === 1 && !isJudged(clause)));
}
