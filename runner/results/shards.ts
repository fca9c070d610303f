import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Results } from '../../schemas/results.ts';
import { ArgumentError, fileErrorCode } from '../command-line/argument-error.ts';
import {
  readArguments,
  type Arguments,
  filterText,
  selectClauses,
  type Shard,
  shardText,
} from '../command-line/arguments.ts';
import { readResultsFile } from './report-folder.ts';
import type { Clause } from '../../contract/clause.ts';
import type { WhyNotRun } from '../../reports/judge.ts';
import { mergeResults } from '../../reports/merge.ts';

/** What a shard of a run wrote. */
interface ShardResults {
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

/** Throws an ArgumentError where results are not those of the shards of one run, each of them once at most. */
function refuseStrangers(shards: readonly ShardResults[]): void {
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
