import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Results } from '../../schemas/results.ts';
import { ArgumentError } from '../command-line/argument-error.ts';
import { readArguments, type Arguments } from '../command-line/arguments.ts';
import { fileErrorCode } from '../results/file-error.ts';
import { readResultsFile } from '../results/results-file.ts';
import { filterText } from '../command-line/select.ts';
import type { Shard } from './shards.ts';

/** What a shard of a run wrote. */
export interface ShardResults {
  readonly path: string;
  readonly shard: Shard;
  /** What the run was asked for that was divided. */
  readonly asked: Arguments;
  readonly results: Results;
}

/**
 * The results of shards in a folder and the folders below, in the order of the shards. What an earlier report left in `out`
 * is passed over. Throws an ArgumentError for a `results.json` that is of no shard, and where there is none at all.
 */
export function readShards(folder: string, out: string): readonly [ShardResults, ...ShardResults[]] {
  const earlier = resolve(out, 'results.json');
  const shards = resultsFiles(folder).flatMap((path) => {
    const shard = shardIn(path);
    if (shard && resolve(path) === earlier) {
      throw new ArgumentError(
        `--out ${out} holds results of a shard, which the report would replace: name another folder`,
      );
    }
    if (!shard && resolve(path) !== earlier) {
      throw new ArgumentError(`${path} is the result of a run that was not divided: only what --shard wrote is merged`);
    }
    return shard ? [shard] : [];
  });
  const [first, ...others] = shards.sort((a, b) => a.shard.index - b.shard.index);
  if (!first)
    throw new ArgumentError(`--merge ${folder}: there is no results.json of a shard, here or in a folder below`);
  return [first, ...others];
}

function resultsFiles(folder: string): string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return names
      .map((name) => join(folder, name))
      .filter((path) => /(^|[/\\])results\.json$/.test(path))
      .sort();
  } catch (error) {
    throw new ArgumentError(`--merge ${folder}: the folder can't be read (${fileErrorCode(error)})`);
  }
}

function shardIn(path: string): ShardResults | undefined {
  const results = readResultsFile(path);
  const { shard, ...asked } = askedOf(results.filter ?? '', path);
  return shard && { path, shard, asked, results };
}

/** The filter is made of options of the command line: it is read as one. What has a check or a path is no shard. */
function askedOf(filter: string, path: string): Arguments {
  if (!filter.includes('--shard')) return readArguments([]);
  try {
    const asked = readArguments(filter.split(' '));
    if (filterText(asked) === filter) return asked;
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
  }
  throw new ArgumentError(`${path} was asked for what this edition of the suite can't read: ${JSON.stringify(filter)}`);
}
